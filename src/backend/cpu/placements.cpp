// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/placements.h"

#include "backend/cpu/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/placements.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/lanes.h"

// Compiled once for each instruction set: plain loops, which the compiler turns into its vectors.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// A look is one cell; which cells those are is worked out for all points first, so that the processor waits for many
/// of them at once.
void placements_block(const Block<gpicp::Placements>& b) {
  const FloatPose pose = gpicp::Placements::context_of(b.data, b.params, b.state, b.hypothesis);
  const CloudView& source = b.data.source;
  const gpicp::SurfaceCells cells = b.data.cells;
  const FieldGrid& grid = cells.grid;
  const std::uint32_t count = b.last - b.first;
  const std::size_t padded = hwy::RoundUpTo(count, lane_count);
  HWY_ALIGN float turned[3][block_items];
  HWY_ALIGN std::uint32_t at[block_items], cell[block_items];
  constexpr std::uint32_t none = 0xffffffffu;
  const auto width = static_cast<std::int32_t>(grid.cells[0]), height = static_cast<std::int32_t>(grid.cells[1]),
             depth = static_cast<std::int32_t>(grid.cells[2]);
  const float *x = source.x + b.first, *y = source.y + b.first, *z = source.z + b.first;
  const float *u = source.normal.x + b.first, *v = source.normal.y + b.first, *w = source.normal.z + b.first;
  for (std::uint32_t i = 0; i < count; ++i) {
    // A point so far out that the cell's number would not fit an int lies outside of every grid all the same.
    std::int32_t c[3];
    for (int a = 0; a < 3; ++a) {
      const float moved =
          pose.linear[3 * a] * x[i] + pose.linear[3 * a + 1] * y[i] + pose.linear[3 * a + 2] * z[i] + pose.shift[a];
      const float offset = (moved - grid.origin[a]) * grid.per_unit;
      const float bounded = offset < -1.0f ? -1.0f : (offset > 1e6f ? 1e6f : offset);
      c[a] = static_cast<std::int32_t>(bounded + 1.0f) - 1;  // rounds down from -1 on
      turned[a][i] = pose.turn[3 * a] * u[i] + pose.turn[3 * a + 1] * v[i] + pose.turn[3 * a + 2] * w[i];
    }
    const bool inside = (c[0] >= 0) & (c[1] >= 0) & (c[2] >= 0) & (c[0] < width) & (c[1] < height) & (c[2] < depth);
    const std::int32_t index = (c[2] * height + c[1]) * width + c[0];
    at[i] = inside ? static_cast<std::uint32_t>(index) : none;
  }
  for (std::uint32_t i = 0; i < count; ++i) cell[i] = at[i] != none ? b.data.cells.cells[at[i]] : 0u;
  for (std::size_t i = count; i < padded; ++i) cell[i] = 0, turned[0][i] = turned[1][i] = turned[2][i] = 0;
  float sums[lane_count] = {}, visible[lane_count] = {};
  for (std::size_t i = 0; i < padded; i += lane_count) {
    for (std::size_t k = 0; k < lane_count; ++k) {
      const float n[3] = {turned[0][i + k], turned[1][i + k], turned[2][i + k]};
      const gpicp::SurfaceCells::Answer answer = cells.ask(cell[i + k], n);
      sums[k] += answer.agreement;
      visible[k] += answer.visible;
    }
  }
  for (std::size_t stride = lane_count / 2; stride > 0; stride /= 2) {
    for (std::size_t k = 0; k < stride; ++k) sums[k] += sums[k + stride], visible[k] += visible[k + stride];
  }
  b.sums.agreement = double{sums[0]};
  b.sums.visible = double{visible[0]};
  b.sums.asked = count;
}

std::tuple<BlockPass<gpicp::Placements>> placements_blocks() { return {placements_block}; }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(placements_blocks);

namespace {
std::tuple<BlockPass<gpicp::Placements>> placements_passes() { return HWY_DYNAMIC_DISPATCH(placements_blocks)(); }
}  // namespace

void CpuBackend::add_placements() { add_passes<placements_passes>(List<gpicp::Placements>{}); }

}  // namespace dovetail
#endif
