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
  alignas(64) float x[block_points], y[block_points], z[block_points];
  alignas(64) float weight[block_points], squares[block_points];
  alignas(64) float toward_x[block_points], toward_y[block_points], toward_z[block_points];

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

void source_block(const LevelView& level, const soft::Params& params, const soft::State& state, std::uint32_t first,
                  std::uint32_t count, soft::Sums& sums, const PointArrays& arrays) {
  BlockRows block;
  const FloatPose pose(state.target_from_source);
  for (std::uint32_t i = 0; i < count; ++i) {
    float moved[3];
    pose.apply(level.x[first + i], level.y[first + i], level.z[first + i], moved);
    block.x[i] = moved[0], block.y[i] = moved[1], block.z[i] = moved[2];
  }
  GaussSettings settings = settings_of(params, state, soft::kernel_sigma(params, state));
  const float* v = state.pass > 0 ? arrays.target : nullptr;
  gauss_sums_cpu(points_of(level.target_clusters, v, settings), settings, block.rows(count),
                 block.sums(params.square_roots));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t p = first + i;
    if (params.turns > 0) arrays.source[p] = soft::scaling(state, block.weight[i]);
    const double weight = level.weight != nullptr ? double{level.weight[p]} : 1.0;
    if (!(weight > 0)) continue;
    soft::Row row{block.weight[i], {block.toward_x[i], block.toward_y[i], block.toward_z[i]}, 0, 0};
    if (params.square_roots) row.squares = block.squares[i];
    const float moved[3] = {block.x[i], block.y[i], block.z[i]};
    if (vanished(state, params.square_roots ? block.squares[i] : block.weight[i])) {
      row = far_row(level.target, params, state, moved);
    }
    soft::add_row(params, state, weight, {double{level.x[p]}, double{level.y[p]}, double{level.z[p]}},
                  {double{moved[0]}, double{moved[1]}, double{moved[2]}}, row, sums);
  }
}

/// Distances are the same in the source's frame, but for the scale.
void target_block(const LevelView& level, const soft::Params& params, const soft::State& state, std::uint32_t first,
                  std::uint32_t count, const PointArrays& arrays) {
  BlockRows block;
  const FloatPose back(state.target_from_source.inverse());
  for (std::uint32_t i = 0; i < count; ++i) {
    const TreePoint& p = level.target.points[first + i];
    float moved[3];
    back.apply(p.x, p.y, p.z, moved);
    block.x[i] = moved[0], block.y[i] = moved[1], block.z[i] = moved[2];
  }
  GaussSettings settings = settings_of(params, state, state.sigma / state.target_from_source.scale);
  gauss_sums_cpu(points_of(level.source_clusters, arrays.source, settings), settings, block.rows(count),
                 block.sums(false));
  for (std::uint32_t i = 0; i < count; ++i) arrays.target[first + i] = soft::scaling(state, block.weight[i]);
}

void soft_block(const LevelView& level, const soft::Params& params, const soft::State& state, std::uint32_t block,
                soft::Sums& sums, std::uint32_t*, const PointArrays& arrays) {
  const std::uint32_t first = block * block_points;
  const std::uint32_t count = std::min(block_points, level.points(soft::Soft::side(state)) - first);
  if (soft::over_target(state)) {
    target_block(level, params, state, first, count, arrays);
  } else {
    source_block(level, params, state, first, count, sums, arrays);
  }
}

}  // namespace

void CpuBackend::run(Batch<soft::Soft>& batch) { loop(batch, soft_block); }

}  // namespace dovetail
