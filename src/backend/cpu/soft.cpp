// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/soft.h"

#include <algorithm>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/gauss_sum.h"
#include "backend/far_row.h"
#include "methods/float_pose.h"

namespace dovetail {

namespace {

/// The rows of one block and what they sum to, one array each.
struct BlockRows {
  alignas(64) float x[block_items], y[block_items], z[block_items];
  alignas(64) float weight[block_items], squares[block_items];
  alignas(64) float toward_x[block_items], toward_y[block_items], toward_z[block_items];

  GaussRows rows(std::uint32_t count) const { return {x, y, z, count}; }
  GaussSums sums(bool with_squares) { return {weight, toward_x, toward_y, toward_z, with_squares ? squares : nullptr}; }
};

GaussSettings settings_of(const soft::Params& params, const soft::State& state, double sigma) {
  GaussSettings settings;
  settings.sigma = static_cast<float>(sigma);
  settings.outlier = static_cast<float>(std::exp(state.log_outlier));
  settings.tolerance = static_cast<float>(params.tolerance);
  return settings;
}

/// The points a sum is over: with factors, the clusters' moments tell nothing.
GaussPoints points_of(const ClusterTreeView& clusters, const float* factor, GaussSettings& settings) {
  GaussPoints points{clusters, factor};
  if (factor != nullptr) {
    points.clusters.moments = nullptr;
    settings.most_weight = 1 / settings.outlier;
  }
  return points;
}

void source_block(const Block<soft::Soft>& b) {
  BlockRows block;
  const CloudView& source = b.data.source;
  const soft::Params& params = b.params;
  const soft::State& state = b.state;
  const std::uint32_t first = b.first, count = b.last - b.first;
  const FloatPose pose(state.target_from_source);
  for (std::uint32_t i = 0; i < count; ++i) {
    float moved[3];
    pose.apply(source.x[first + i], source.y[first + i], source.z[first + i], moved);
    block.x[i] = moved[0], block.y[i] = moved[1], block.z[i] = moved[2];
  }
  GaussSettings settings = settings_of(params, state, soft::kernel_sigma(params, state));
  float *const u = b.kept, *const v = b.kept + source.count;
  gauss_sums_cpu(points_of(b.data.target, state.pass > 0 ? v : nullptr, settings), settings, block.rows(count),
                 block.sums(params.square_roots));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t p = first + i;
    if (params.sweeps > 0) u[p] = soft::scaling(state, block.weight[i]);
    const double weight = source.weight != nullptr ? double{source.weight[p]} : 1.0;
    if (!(weight > 0)) continue;
    soft::Row row{block.weight[i], {block.toward_x[i], block.toward_y[i], block.toward_z[i]}, 0, 0};
    if (params.square_roots) row.squares = block.squares[i];
    const float moved[3] = {block.x[i], block.y[i], block.z[i]};
    if (vanished(state, params.square_roots ? block.squares[i] : block.weight[i])) {
      row = far_row(b.data.target.tree, params, state, moved);
    }
    soft::add_row(params, state, weight, {double{source.x[p]}, double{source.y[p]}, double{source.z[p]}},
                  {double{moved[0]}, double{moved[1]}, double{moved[2]}}, row, b.sums);
  }
}

/// Distances are the same in the source's frame, but for the scale.
void target_block(const Block<soft::Soft>& b) {
  BlockRows block;
  const soft::State& state = b.state;
  const std::uint32_t count = b.last - b.first;
  const FloatPose back(state.target_from_source.inverse());
  for (std::uint32_t i = 0; i < count; ++i) {
    const TreePoint& p = b.data.target.tree.points[b.first + i];
    float moved[3];
    back.apply(p.x, p.y, p.z, moved);
    block.x[i] = moved[0], block.y[i] = moved[1], block.z[i] = moved[2];
  }
  GaussSettings settings = settings_of(b.params, state, state.sigma / state.target_from_source.scale);
  float *const u = b.kept, *const v = b.kept + b.data.source.count;
  gauss_sums_cpu(points_of(b.data.source_clusters, u, settings), settings, block.rows(count), block.sums(false));
  for (std::uint32_t i = 0; i < count; ++i) v[b.first + i] = soft::scaling(state, block.weight[i]);
}

void soft_block(const Block<soft::Soft>& b) { soft::over_target(b.state) ? target_block(b) : source_block(b); }

}  // namespace

void CpuBackend::add_soft() { add_pass<soft_block>(List<soft::Soft>{}); }

}  // namespace dovetail
