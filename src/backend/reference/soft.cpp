// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/soft.h"

#include <algorithm>
#include <cmath>

#include "backend/reference/reference_backend.h"
#include "methods/float_pose.h"

namespace dovetail {

namespace {

Vec3 place_of(const TreePoint& p) { return {double{p.x}, double{p.y}, double{p.z}}; }

double squared_distance_to(const TreePoint& p, const Vec3& y) { return squared_norm(place_of(p) - y); }

/// A row by its definition, shifted by its own largest exponent, the outlier's included, so that nothing underflows
/// that counts.
soft::Row whole_row(const KdTreeView& points, const float* factor, const soft::Params& params, const soft::State& state,
                    const Vec3& y) {
  const double inverse = 1 / (state.sigma * state.sigma);
  double shift = -state.log_outlier;
  for (std::uint32_t j = 0; j < points.count; ++j) {
    shift = std::min(shift, squared_distance_to(points.points[j], y) * inverse);
  }
  soft::Row row{};
  row.shift = shift;
  for (std::uint32_t j = 0; j < points.count; ++j) {
    const double v = factor != nullptr ? double{factor[j]} : 1.0;
    const double posterior = v * std::exp(shift - squared_distance_to(points.points[j], y) * inverse);
    const double e = params.square_roots ? std::sqrt(posterior) : posterior;
    const Vec3 off = place_of(points.points[j]) - y;
    row.weight += e;
    row.squares += posterior;
    for (int a = 0; a < 3; ++a) row.toward[a] += e * off[a];
  }
  return row;
}

/// The source's points, in the target's frame: as a machine moves them, in float.
Vec3 moved_point(const FloatPose& pose, float x, float y, float z) {
  float moved[3];
  pose.apply(x, y, z, moved);
  return {double{moved[0]}, double{moved[1]}, double{moved[2]}};
}

/// Sum over the source of u exp(−d² / σ²), for one target point.
double column_sum(const CloudView& source, const FloatPose& pose, const float* u, double sigma, const Vec3& x) {
  double sum = 0;
  for (std::uint32_t i = 0; i < source.count; ++i) {
    const Vec3 y = moved_point(pose, source.x[i], source.y[i], source.z[i]);
    sum += double{u[i]} * std::exp(-squared_norm(x - y) / (sigma * sigma));
  }
  return sum;
}

void soft_block(const Block<soft::Soft>& b) {
  const CloudView& source = b.data.source;
  const KdTreeView& target = b.data.target.tree;
  const soft::State& state = b.state;
  const FloatPose pose(state.target_from_source);
  float *const u = b.kept, *const v = b.kept + source.count;
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    if (soft::over_target(state)) {
      v[i] = soft::scaling(state, column_sum(source, pose, u, state.sigma, place_of(target.points[i])));
      continue;
    }
    const double weight = source.weight != nullptr ? double{source.weight[i]} : 1.0;
    const Vec3 moved = moved_point(pose, source.x[i], source.y[i], source.z[i]);
    const soft::Row row = whole_row(target, state.pass > 0 ? v : nullptr, b.params, state, moved);
    if (b.params.sweeps > 0) u[i] = soft::scaling(state, row.weight * std::exp(-row.shift));
    if (weight > 0) {
      const Vec3 p{double{source.x[i]}, double{source.y[i]}, double{source.z[i]}};
      soft::add_row(b.params, state, weight, p, moved, row, b.sums);
    }
  }
}

}  // namespace

void ReferenceBackend::add_soft() { add_pass<soft_block>(List<soft::Soft>{}); }

}  // namespace dovetail
