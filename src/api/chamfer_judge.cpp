// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_judge.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

template <int D>
ChamferPolish<D> polish(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames, double cap,
                        const ChamferCandidate<D>& from, Registration& result) {
  ChamferPolish<D> out;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    using Align = chamfer::Align<Typed>;
    Batch<Align> batch;
    batch.params = context.params({context.stage(Share::all, cap, context.options.max_iterations)});
    batch.control = context.control;
    batch.max_iterations = 2 * context.options.max_iterations + 1;
    batch.level_end = static_cast<int>(batch.params.stage[0].level) + 1;
    batch.states = {Align::start(batch.params, from.t, context.frame)};
    const auto row_of = [&](const typename Align::State& s) {
      Iteration row;
      row.iteration = from.iterations + s.iteration - 1;
      row.level = 1;
      row.rmse = s.rmse / frames.scale;
      row.used_ratio = s.used_ratio;
      row.max_distance = s.cap / frames.scale;
      row.target_from_source = frames.from_local(s.current, Typed::model);
      return row;
    };
    const auto is_row = [](const typename Align::State& s) { return s.wants != chamfer::Wants::derivatives; };
    if (run.trace || run.on_iteration) {
      batch.traced = 0;
      if (run.on_iteration) {
        batch.observer = [&](const typename Align::State& s) { return !is_row(s) || run.on_iteration(row_of(s)); };
      }
    }
    context.backend.run(batch);
    const auto s = batch.states.front();
    out.end = {s.current, s.cost, s.status, from.iterations + s.iteration};
    out.stopped = batch.stopped;
    if (!s.fresh) out.hessian.assign(std::begin(s.hessian.data), std::end(s.hessian.data));
    if (!s.fresh && batch.params.traditional) {  // the derivatives of the last candidate were never asked for
      Batch<Align> once;
      once.params = batch.params;
      once.max_iterations = 1;
      once.level_end = batch.level_end;
      once.states = {Align::start(batch.params, s.current, context.frame)};
      context.backend.run(once);
      const auto& hessian = once.states.front().hessian;
      out.hessian.assign(std::begin(hessian.data), std::end(hessian.data));
    }
    if (!run.trace) return;
    for (const auto& state : batch.trace) {
      if (is_row(state)) result.trace.push_back(row_of(state));
    }
  });
  return out;
}

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
    for (int a = 0; a < D; ++a) {
      result.covariance_center[a] = context.frame.centre[a] / frames.scale + frames.target_origin[a];
    }
    const auto factors = ldlt(hessian);
    if (factors.rank < L || !(sums.kernel > 0)) return;
    // A⁻¹ B A⁻¹ with A the slope of the pulls and B their scatter (10).
    const double slope = std::max(sums.slope / sums.kernel, least_slope) * context.frame.radius;
    const Matrix<double, L, L> inverse = factors.inverse().to_matrix();
    const Matrix<double, L, L> covariance = (1 / (slope * slope)) * (inverse * sums.scatter.to_matrix() * inverse);
    result.covariance.clear();
    for (int a = 0; a < L; ++a) {
      for (int b = 0; b < L; ++b) {
        const double radius = context.frame.radius / frames.scale;
        result.covariance.push_back(covariance(a, b) * unit_of<Typed>(a, radius) * unit_of<Typed>(b, radius));
      }
    }
  });
}

#define DOVETAIL_INSTANTIATE(D)                                                                           \
  template ChamferPolish<D> polish(const ChamferContext<D>&, const Run&, const ChamferFrames<D>&, double, \
                                   const ChamferCandidate<D>&, Registration&);                            \
  template void judge(const ChamferContext<D>&, const ChamferFrames<D>&, double, const ChamferPolish<D>&, \
                      Registration&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
