// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_judge.h"

#include <algorithm>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "core/ldlt.h"
#include "core/weak_directions.h"

namespace dovetail {

namespace {

/// A direction is weak when it is held by less than this share of what holds the stiffest one.
constexpr double weak_share = 5e-3;
/// The pulls' slopes add up to at least this part of their weights, or the residuals are no noise.
constexpr double least_slope = 0.2;
/// Points farther than this many radii from the middle are strays.
constexpr double stray_radii = 3;

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

/// From the step frame into radians and file units.
template <class Typed, int D>
void set_covariance(const Matrix<double, Typed::degrees_of_freedom, Typed::degrees_of_freedom>& covariance,
                    const ChamferFrames<D>& frames, double local_radius, Registration& result) {
  const double radius = local_radius / frames.scale;
  result.covariance.clear();
  for (int a = 0; a < Typed::degrees_of_freedom; ++a) {
    for (int b = 0; b < Typed::degrees_of_freedom; ++b) {
      result.covariance.push_back(covariance(a, b) * unit_of<Typed>(a, radius) * unit_of<Typed>(b, radius));
    }
  }
}

}  // namespace

template <int D>
void judge(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
           const ChamferPolish<D>& polished, Registration& result) {
  if (polished.hessian.empty()) return;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    constexpr int L = Typed::degrees_of_freedom;
    using Spread = chamfer::Spread<Typed>;
    Symmetric<double, L> hessian{};
    std::copy(polished.hessian.begin(), polished.hessian.end(), std::begin(hessian.data));
    set_weak_directions<Typed>(hessian, result);

    for (int a = 0; a < D; ++a) {
      result.covariance_center[a] = context.frame.centre[a] / frames.scale + frames.target_origin[a];
    }
    const auto factors = ldlt(hessian);
    if (factors.rank < L) return;
    const Matrix<double, L, L> inverse = factors.inverse().to_matrix();
    const double radius = context.frame.radius;
    if (polished.by_likelihood) return set_covariance<Typed>((1 / (radius * radius)) * inverse, frames, radius, result);

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
    set_covariance<Typed>((1 / (slope * slope)) * (inverse * sums.scatter.to_matrix() * inverse), frames, radius,
                          result);
  });
}

template <int D>
std::vector<ChamferCandidate<D>> slid_answers(const ChamferContext<D>& context, const ChamferPolish<D>& polished,
                                              std::span<const Vector<double, D>> points, double distance) {
  std::vector<ChamferCandidate<D>> slid;
  if (polished.hessian.empty()) return slid;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    constexpr int L = Typed::degrees_of_freedom;
    Symmetric<double, L> hessian{}, motion{};  // what a step costs, and how far it moves the points
    std::copy(polished.hessian.begin(), polished.hessian.end(), std::begin(hessian.data));
    double count = 0;
    for (const Vector<double, D>& p : points) {
      const Vector<double, D> u = (1 / context.frame.radius) * (image<D>(polished.end.t, p) - context.frame.centre);
      if (!(squared_norm(u) < stray_radii * stray_radii)) continue;
      const auto j = Typed::action_jacobian(u);
      motion += Symmetric<double, L>::from_matrix(transpose(j) * j);
      count += 1;
    }
    // With steps measured by how far they move the points, the weakest one is an eigenvector.
    const auto moves = eigen_symmetric(motion);
    if (!(moves.values[0] > 1e-9 * moves.values[L - 1])) return;
    Matrix<double, L, L> step_of{};
    for (int k = 0; k < L; ++k) {
      for (int i = 0; i < L; ++i) step_of(i, k) = moves.vectors(i, k) * std::sqrt(count / moves.values[k]);
    }
    const auto held = Symmetric<double, L>::from_matrix(transpose(step_of) * hessian.to_matrix() * step_of);
    const Vector<double, L> weakest = step_of * eigen_symmetric(held).vector(0);
    for (const double way : {-1.0, 1.0}) {
      const double step = way * distance / context.frame.radius;
      slid.emplace_back().t = chamfer::stepped<Typed>(context.frame, step * weakest, polished.end.t);
    }
  });
  return slid;
}

#define DOVETAIL_INSTANTIATE(D)                                                                             \
  template void judge(const ChamferContext<D>&, const ChamferFrames<D>&, double, const ChamferPolish<D>&,   \
                      Registration&);                                                                       \
  template std::vector<ChamferCandidate<D>> slid_answers(const ChamferContext<D>&, const ChamferPolish<D>&, \
                                                         std::span<const Vector<double, D>>, double);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
