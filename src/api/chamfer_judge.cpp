// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_judge.h"

#include <algorithm>
#include <cmath>

#include "api/chamfer_motion.h"
#include "api/chamfer_shape.h"
#include "api/shared_error.h"
#include "core/ldlt.h"
#include "core/weak_directions.h"

namespace dovetail {

namespace {

/// A direction is weak when it is held by less than this share of what holds the stiffest one.
constexpr double weak_share = 5e-3;
/// The pulls' slopes add up to at least this part of their weights, or the residuals are no noise.
constexpr double least_slope = 0.2;

/// What one unit of a tangent's number in the step frame is in radians and file units.
template <class Typed>
double unit_of(int a, double radius) {
  constexpr int D = Typed::dimension, turns = D == 2 ? 1 : 3;
  if (a >= turns && a < turns + D) return radius;
  if (Typed::model == Model::projective2 && a >= 6) return 1 / radius;
  return 1;
}

/// The motions among the parameters that the data hardly holds.
template <class Typed>
void set_weak_directions(const Symmetric<double, Typed::degrees_of_freedom>& hessian, Registration& result) {
  constexpr int D = Typed::dimension, motions = D == 2 ? 3 : 6, turns = D == 2 ? 1 : 3;
  Symmetric<double, motions> rigid{};
  for (int i = 0; i < motions; ++i) {
    for (int j = i; j < motions; ++j) rigid(i, j) = hessian(i, j);
  }
  const auto solution = solve_truncated(rigid, Vector<double, motions>{}, weak_share);
  for (int k = 0; k < motions; ++k) {
    if ((solution.weak >> k & 1u) == 0) continue;
    WeakDirection direction;
    for (int i = 0; i < turns; ++i) direction.rotation[D == 2 ? 2 : i] = solution.vectors(i, k);
    for (int i = 0; i < D; ++i) direction.translation[i] = solution.vectors(turns + i, k);
    result.weak_directions.push_back(direction);
  }
}

/// Sets the covariance, given in the step frame, in radians and file units, and the error to expect by it.
template <class Typed, int D>
void set_covariance(const ChamferContext<D>& context, const ChamferFrames<D>& frames, const Homogeneous<D>& t,
                    const Matrix<double, Typed::degrees_of_freedom, Typed::degrees_of_freedom>& covariance,
                    std::span<const Vector<double, D>> points, Registration& result) {
  const double radius = context.frame.radius / frames.scale;
  const auto motion = motion_of<Typed, D>(context, t, points);
  double squared = 0;
  result.covariance.clear();
  for (int a = 0; a < Typed::degrees_of_freedom; ++a) {
    for (int b = 0; b < Typed::degrees_of_freedom; ++b) {
      result.covariance.push_back(covariance(a, b) * unit_of<Typed>(a, radius) * unit_of<Typed>(b, radius));
      squared += covariance(a, b) * motion(a, b);
    }
  }
  result.expected_error = radius * std::sqrt(std::max(0.0, squared));
}

/// By how much the scatter of the pulls is larger than if points erred on their own.
template <int D>
double shared_error_at(const ChamferContext<D>& context, const Homogeneous<D>& t, double cap,
                       const JudgedPoints<D>& points) {
  Misses pulls;
  for (const SampleMiss& m : context.backend.misses(t, context.level(Share::sample, cap))) {
    const Vec3 miss{double{m.miss[0]}, double{m.miss[1]}, double{m.miss[2]}};
    const double left = 1 - squared_norm(miss) / (cap * cap);
    if (!(squared_norm(miss) > 0 && left > 0)) continue;
    pulls.place.push_back({double{m.place[0]}, double{m.place[1]}, double{m.place[2]}});
    pulls.miss.push_back(left * left * miss);
  }
  return shared_error(pulls, points.worth / static_cast<double>(std::max<std::size_t>(1, points.sample.size())));
}

}  // namespace

template <int D>
void judge(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
           const ChamferPolish<D>& polished, const JudgedPoints<D>& points, Registration& result) {
  if (polished.hessian.empty()) return;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    constexpr int L = Typed::degrees_of_freedom;
    using Spread = chamfer::Spread<Typed>;
    Symmetric<double, L> hessian{};
    std::copy(polished.hessian.begin(), polished.hessian.end(), std::begin(hessian.data));
    const bool by_shape = !polished.by_likelihood && stands_alone(context.field);
    PointShape<L> shape;
    if (by_shape) {
      context.backend.on_host([&] { shape = shape_about<Typed>(context, polished.end.t, cap, points.sample); });
      hessian = shape.hessian;
    }
    set_weak_directions<Typed>(hessian, result);

    for (int a = 0; a < D; ++a) {
      result.covariance_center[a] = context.frame.centre[a] / frames.scale + frames.target_origin[a];
    }
    const auto factors = ldlt(hessian);
    if (factors.rank < L) return;
    const Matrix<double, L, L> inverse = factors.inverse().to_matrix();
    const double radius = context.frame.radius;
    const auto set = [&](const Matrix<double, L, L>& covariance) {
      set_covariance<Typed, D>(context, frames, polished.end.t, covariance, points.sample, result);
    };
    if (polished.by_likelihood) return set((1 / (radius * radius)) * inverse);
    const double together = shared_error_at<D>(context, polished.end.t, cap, points);
    if (by_shape) {
      const auto curvature = ldlt(shape.curvature);
      if (curvature.rank < L) return;
      const Matrix<double, L, L> bend = curvature.inverse().to_matrix();
      const double share = together * shape.points / std::max(1.0, points.worth);
      return set((share / (radius * radius)) * (bend * shape.scatter.to_matrix() * bend));
    }

    Batch<Spread> batch;
    batch.params.cap = cap;
    batch.max_iterations = 1;
    typename Spread::State s;
    s.level = context.level(Share::all, cap);
    s.target_from_source = polished.end.t;
    s.frame = context.frame;
    batch.states = {s};
    batch.level_end = static_cast<int>(s.level) + 1;
    context.backend.run(batch);
    const auto& sums = batch.sums.front();
    if (!(sums.kernel > 0)) return;
    // A⁻¹ B A⁻¹ with A the slope of the pulls and B their scatter (10).
    const double slope = std::max(sums.slope / sums.kernel, least_slope) * radius;
    set((together / (slope * slope)) * (inverse * sums.scatter.to_matrix() * inverse));
  });
}

template void judge(const ChamferContext<2>&, const ChamferFrames<2>&, double, const ChamferPolish<2>&,
                    const JudgedPoints<2>&, Registration&);
template void judge(const ChamferContext<3>&, const ChamferFrames<3>&, double, const ChamferPolish<3>&,
                    const JudgedPoints<3>&, Registration&);

}  // namespace dovetail
