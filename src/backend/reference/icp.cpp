// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/icp.h"

#include "backend/reference/reference_backend.h"
#include "dovetail/matrix_functions.h"

namespace dovetail {

namespace {

using icp::State;

template <class Arrays>
Vec3 at(const Arrays& a, std::uint32_t i) {
  return {double{a.x[i]}, double{a.y[i]}, double{a.z[i]}};
}

double weight_of_kernel(Kernel kernel, double residual, double scale) {
  const double u = residual / scale;
  switch (kernel) {
    case Kernel::none:
      return 1;
    case Kernel::huber:
      return u > 1 ? 1 / u : 1;
    case Kernel::tukey:
      return u < 1 ? (1 - u * u) * (1 - u * u) : 0;
    case Kernel::geman_mcclure:
      return 1 / ((1 + u * u) * (1 + u * u));
    case Kernel::truncated:
      return u < 1 ? 1 : 0;
  }
  return 1;
}

/// A surface's covariance: flat across its normal (7). A point without a normal is a ball.
Mat3 flat_covariance(const Vec3& normal, double flatness) {
  return Mat3::identity() - (1 - flatness) * (normal * transpose(normal));
}

struct Residual {
  double squared;  ///< what the kernel judges
  Mat3 metric;     ///< M of the cost dᵀ M d
};

template <Metric metric>
Residual residual_of(const SurfacePair& data, const State& state, std::uint32_t p, std::uint32_t slot, const Vec3& d) {
  if constexpr (metric == Metric::point_to_point) return {squared_norm(d), Mat3::identity()};
  const Vec3 n = at(data.target_normals, slot);
  if constexpr (metric == Metric::point_to_plane) return {dot(d, n) * dot(d, n), n * transpose(n)};
  const Vec3 m = state.target_from_source.rotation * at(data.source.normal, p);
  const Mat3 weighing = inverse(flat_covariance(n, state.flatness) + flat_covariance(m, state.flatness));
  return {2 * state.flatness * dot(d, weighing * d), weighing};
}

void add_pair(icp::PlaneSums& sums, double w, const Vec3&, const Vec3&, const Vec3& d, const Vec3& arm,
              const Mat3& metric) {
  Matrix<double, 3, 6> jacobian{};
  const Mat3 turn = -1.0 * skew(arm);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) jacobian(i, j) = turn(i, j);
    jacobian(i, 3 + i) = 1;
  }
  const Matrix<double, 6, 6> jtj = transpose(jacobian) * metric * jacobian;
  const Vector<double, 6> jtr = transpose(jacobian) * (metric * d);
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) sums.equations.jtj(i, j) += w * jtj(i, j);
    sums.equations.jtr[i] += w * jtr[i];
  }
  sums.equations.cost += w * dot(d, metric * d);
  sums.equations.weight += w;
}

void add_pair(icp::PointSums& sums, double w, const Vec3& p, const Vec3& q, const Vec3&, const Vec3&, const Mat3&) {
  sums.moments.add(w, p, q);
}

template <class M>
void icp_block(const Block<M>& b) {
  const CloudView& points = b.data.source;
  const State& state = b.state;
  const icp::LevelPlan& plan = b.params.level[state.level];
  const FloatPose pose(state.target_from_source);
  for (std::uint32_t p = b.first; p < b.last; ++p) {
    const double weight = points.weight != nullptr ? double{points.weight[p]} : 1.0;
    if (!(weight > 0)) continue;
    float moved[3];
    pose.apply(points.x[p], points.y[p], points.z[p], moved);
    const Neighbour match = EveryPoint::nearest(b.data.target, moved, icp::search_squared(state));
    ++b.bins[match.found() ? icp::distance_bin(match.squared_distance) : icp::beyond_reach_bin];
    if (!match.found() || match.squared_distance > icp::used_squared(state)) continue;
    const TreePoint& target = b.data.target.points[match.slot];
    const Vec3 q{double{target.x}, double{target.y}, double{target.z}};
    const Vec3 source = at(points, p);
    const Vec3 d = state.target_from_source * source - q;
    const Residual residual = residual_of<M::metric>(b.data, state, p, match.slot, d);
    const double judged = plan.kernel_on_distance ? norm(d) : std::sqrt(residual.squared);
    const double w = weight * weight_of_kernel(plan.kernel, judged, state.kernel_scale);
    add_pair(b.sums, w, source, q, d, state.target_from_source * source - state.center, residual.metric);
    b.sums.tally.squared_distance += weight * squared_norm(d);
    b.sums.tally.weight += weight;
    b.sums.tally.pairs += 1;
  }
}

}  // namespace

void ReferenceBackend::add_icp() {
  add_pass<[](const auto& block) { icp_block(block); }>(IcpMethods{});
}

}  // namespace dovetail
