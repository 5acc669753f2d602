// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/rough_pose.h"

#include <bit>

#include "backend/cpu/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rough_pose.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Pixels in whole numbers: who adds them to whom does not matter.
class PixelLanes {
  using Tag = hn::CappedTag<std::int32_t, group_pixels>;
  using Vector = hn::Vec<Tag>;
  static constexpr Tag tag{};

 public:
  explicit PixelLanes(const rough::Params& p, std::int32_t z)
      : z_(hn::Set(tag, z)), tolerance_(hn::Set(tag, p.tolerance)), reach_(hn::Set(tag, p.reach)) {}

  /// A group, and what it lies on: rough::ask() of each pixel.
  HWY_INLINE void add(const LaidPixel* of, const LaidPixel* on) {
    for (std::size_t i = 0; i < group_pixels; i += hn::Lanes(tag)) add_vector(load(of + i), load(on + i));
  }

  void tell(rough::Sums& sums) const {
    const auto total = [](Vector v) {
      HWY_ALIGN std::int32_t lane[group_pixels];
      hn::Store(v, tag, lane);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < hn::Lanes(tag); ++i) sum += lane[i];
      return static_cast<double>(sum);
    };
    sums.agreed += total(agreed_);
    sums.hidden += total(hidden_);
    sums.impossible += total(impossible_);
    sums.unknown += total(unknown_);
    sums.range += total(range_);
    sums.pixels += total(pixels_);
    sums.cover += total(cover_);
  }

 private:
  static_assert(std::endian::native == std::endian::little, "the pixels' bytes are told apart by shifts");

  HWY_INLINE static Vector load(const LaidPixel* from) {
    return hn::LoadU(tag, reinterpret_cast<const std::int32_t*>(from));
  }
  HWY_INLINE static Vector depth_of(Vector pixel) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(pixel)); }
  HWY_INLINE static Vector distance_of(Vector pixel) { return hn::ShiftRight<24>(hn::ShiftLeft<8>(pixel)); }
  HWY_INLINE static Vector weight_of(Vector pixel) {
    const hn::RebindToUnsigned<Tag> bits;
    return hn::BitCast(tag, hn::ShiftRight<24>(hn::BitCast(bits, pixel)));
  }

  HWY_INLINE void add_vector(Vector of, Vector on) {
    const Vector zero = hn::Zero(tag);
    const Vector weight = weight_of(of), off = hn::Sub(hn::Sub(depth_of(on), depth_of(of)), z_);
    const Vector size = hn::Abs(off), apart = hn::Abs(hn::Sub(distance_of(on), distance_of(of)));
    const Vector known = hn::IfThenZeroElse(hn::Eq(weight_of(on), zero), weight);
    const auto beyond = hn::Gt(size, tolerance_);
    const Vector agrees = hn::IfThenZeroElse(beyond, known), contradicts = hn::IfThenElseZero(beyond, known);
    const auto before = hn::Lt(off, zero), counts = hn::Gt(agrees, zero);
    agreed_ = hn::Add(agreed_, agrees);
    hidden_ = hn::Add(hidden_, hn::IfThenElseZero(before, contradicts));
    impossible_ = hn::Add(impossible_, hn::IfThenZeroElse(before, contradicts));
    unknown_ = hn::Add(unknown_, hn::Sub(weight, known));
    range_ = hn::Add(range_, hn::Mul(agrees, size));
    pixels_ = hn::Add(pixels_, hn::IfThenElseZero(counts, hn::Set(tag, 1)));
    cover_ = hn::Add(cover_, hn::IfThenElseZero(counts, hn::Min(apart, reach_)));
  }

  Vector z_, tolerance_, reach_;
  Vector agreed_ = hn::Zero(tag), hidden_ = agreed_, impossible_ = agreed_, unknown_ = agreed_, range_ = agreed_,
         pixels_ = agreed_, cover_ = agreed_;
};

/// Pixels of a group follow each other in the reference and in the window: there is nothing to gather.
void rough_pose_block(const Block<rough::RoughPose>& b) {
  const rough::RoughPose::Context at = rough::RoughPose::context_of(b.data, b.params, b.state, b.hypothesis);
  const LaidReference& reference = b.data.part.references[b.state.reference];
  const WindowView window = b.data.window;
  const LaidPixel* const from = window.pixels + static_cast<std::ptrdiff_t>(at.row) * window.stride + at.column;
  const std::uint32_t* const corner = b.data.part.corner + reference.first;
  const LaidPixel* const pixels = b.data.part.pixels + std::size_t{reference.first} * group_pixels;
  PixelLanes lanes(b.params, at.z);
  for (std::uint32_t g = b.first / group_pixels; g < b.last / group_pixels; ++g) {
    const auto row = static_cast<std::ptrdiff_t>(corner[g] >> 16),
               column = static_cast<std::ptrdiff_t>(corner[g] & 0xffffu);
    lanes.add(pixels + std::size_t{g} * group_pixels, from + row * window.stride + column);
  }
  lanes.tell(b.sums);
}

std::tuple<BlockPass<rough::RoughPose>> rough_pose_blocks() { return {rough_pose_block}; }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(rough_pose_blocks);

namespace {
std::tuple<BlockPass<rough::RoughPose>> rough_pose_passes() { return HWY_DYNAMIC_DISPATCH(rough_pose_blocks)(); }
}  // namespace

void CpuBackend::add_rough_pose() { add_passes<rough_pose_passes>(List<rough::RoughPose>{}); }

}  // namespace dovetail
#endif
