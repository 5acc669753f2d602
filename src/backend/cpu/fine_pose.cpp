// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/fine_pose.h"

#include "backend/cpu/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/fine_pose.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/lanes.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

#include "methods/fine_pose_terms.inl"

/// A few points and the planes of their pixels, one array a coordinate, ready for vector loads.
struct LookArrays {
  static constexpr std::uint32_t most = 128;
  HWY_ALIGN float arm[3][most];
  HWY_ALIGN float off[3][most];
  HWY_ALIGN float normal[3][most];
};

/// Pixels are looked up one by one, and their terms summed up eight at a time.
void fit_points(const Block<fine::FinePose>& b, const fine::FinePose::Context& context) {
  constexpr int count = NormalEquations<6>::size;
  DoubleLanes totals[count];
  const auto add = [&](int k, const Lanes& value) HWY_ATTR { totals[k].add(value); };
  LookArrays looks;
  for (std::uint32_t first = b.first; first < b.last; first += LookArrays::most) {
    const std::uint32_t some = std::min(LookArrays::most, b.last - first);
    const std::size_t padded = hwy::RoundUpTo(some, lane_count);
    for (std::uint32_t i = 0; i < padded; ++i) {
      fine::FinePose::Look seen{};
      if (i < some) seen = fine::FinePose::look(b.data, context, b.state.first + first + i);
      for (int a = 0; a < 3; ++a) {
        looks.arm[a][i] = seen.point.arm[a];
        looks.off[a][i] = seen.point.off[a];
        looks.normal[a][i] = seen.point.normal[a];
      }
    }
    for (std::size_t i = 0; i < padded; i += lane_count) {
      PointOnPlane<Lanes> point;
      for (int a = 0; a < 3; ++a) {
        point.arm[a] = Lanes::load(looks.arm[a] + i);
        point.off[a] = Lanes::load(looks.off[a] + i);
        point.normal[a] = Lanes::load(looks.normal[a] + i);
      }
      plane_terms(point, context.inverse_gate, add);
    }
  }
  for (int k = 0; k < count; ++k) as_doubles(b.sums.fit)[k] = totals[k].total();
}

void fine_pose_block(const Block<fine::FinePose>& b) {
  const fine::FinePose::Context context = fine::FinePose::context_of(b.data, b.state);
  if (b.state.phase == fine::Phase::fit) return fit_points(b, context);
  fine::Sums sums{};
  for (std::uint32_t i = b.first; i < b.last; ++i) fine::FinePose::add_item(b.data, b.state, context, i, sums);
  b.sums = sums;
}

std::tuple<BlockPass<fine::FinePose>> fine_pose_blocks() { return {fine_pose_block}; }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(fine_pose_blocks);

namespace {
std::tuple<BlockPass<fine::FinePose>> fine_pose_passes() { return HWY_DYNAMIC_DISPATCH(fine_pose_blocks)(); }
}  // namespace

void CpuBackend::add_fine_pose() { add_passes<fine_pose_passes>(List<fine::FinePose>{}); }

}  // namespace dovetail
#endif
