// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/chamfer_errors.h"

#include <algorithm>
#include <cmath>

#include "core/ldlt.h"
#include "judge/chamfer_shape.h"
#include "judge/shared_error.h"

namespace dovetail {

namespace {

/// The pulls' slopes add up to at least this part of their weights, or the residuals are no noise.
constexpr double least_slope = 0.2;

/// Where the answer puts the points of the sample, and by how much each misses the reference.
template <int D>
std::vector<chamfer::Miss> misses_at(const ChamferContext<D>& context, const Homogeneous<D>& t, double cap) {
  using Misses = chamfer::Misses<D>;
  Memory& memory = context.backend.memory();
  const std::size_t count = context.points[static_cast<int>(Share::sample)].count;
  Keeper until_read;
  Batch<Misses> batch;
  batch.data = {{context.data[context.data_index(Share::sample, cap)], memory.room<chamfer::Miss>(count, until_read)}};
  batch.states.emplace_back().target_from_source = t;
  context.backend.run(batch);
  return memory.get<chamfer::Miss>(batch.data.front().rows, count);
}

/// By how much the scatter of the pulls is larger than if points erred on their own.
template <int D>
double shared_error_at(const ChamferContext<D>& context, const Homogeneous<D>& t, double cap,
                       const JudgedPoints<D>& points) {
  SharedErrors pulls;
  for (const chamfer::Miss& m : misses_at<D>(context, t, cap)) {
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
void tell_chamfer_errors(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
                         const ChamferAnswer<D>& answer, const JudgedPoints<D>& points, Registration& result) {
  if (answer.hessian.empty()) return;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    constexpr int L = Typed::degrees_of_freedom;
    using Scatter = chamfer::Scatter<Typed>;
    Symmetric<double, L> hessian{};
    std::copy(answer.hessian.begin(), answer.hessian.end(), std::begin(hessian.data));
    const bool by_shape = !answer.by_likelihood && stands_alone(context.field);
    PointShape<L> shape;
    if (by_shape) {
      context.backend.on_host([&] { shape = shape_about<Typed>(context, answer.end.t, cap, points.sample); });
      hessian = shape.hessian;
    }
    constexpr int motions = D == 2 ? 3 : 6;
    Symmetric<double, motions> rigid{};
    for (int i = 0; i < motions; ++i) {
      for (int j = i; j < motions; ++j) rigid(i, j) = hessian(i, j);
    }
    set_weak_directions(rigid, 1.0, all_unknowns(motions), result);
    const ErrorFrame<D> frame{context.frame, frames.scale, frames.target_origin};
    set_center(frame, result);
    const auto factors = ldlt(hessian);
    if (factors.rank < L) return;
    const Matrix<double, L, L> inverse = factors.inverse().to_matrix();
    const double radius = context.frame.radius;
    const auto set = [&](const Matrix<double, L, L>& covariance) {
      set_covariance<Typed>(covariance, frame, motion_of<Typed, D>(context, answer.end.t, points.sample), result);
    };
    if (answer.by_likelihood) return set((1 / (radius * radius)) * inverse);
    const double together = shared_error_at<D>(context, answer.end.t, cap, points);
    if (by_shape) {
      const auto curvature = ldlt(shape.curvature);
      if (curvature.rank < L) return;
      const Matrix<double, L, L> bend = curvature.inverse().to_matrix();
      const double share = together * shape.points / std::max(1.0, points.worth);
      return set((share / (radius * radius)) * (bend * shape.scatter.to_matrix() * bend));
    }

    Batch<Scatter> batch;
    batch.params.cap = cap;
    batch.data = {context.data[context.data_index(Share::all, cap)]};
    typename Scatter::State s;
    s.target_from_source = answer.end.t;
    s.frame = context.frame;
    batch.states = {s};
    context.backend.run(batch);
    const auto& sums = batch.sums.front();
    if (!(sums.kernel > 0)) return;
    // A⁻¹ B A⁻¹ with A the slope of the pulls and B their scatter (10).
    const double slope = std::max(sums.slope / sums.kernel, least_slope) * radius;
    set((together / (slope * slope)) * (inverse * sums.scatter.to_matrix() * inverse));
  });
}

template void tell_chamfer_errors(const ChamferContext<2>&, const ChamferFrames<2>&, double, const ChamferAnswer<2>&,
                                  const JudgedPoints<2>&, Registration&);
template void tell_chamfer_errors(const ChamferContext<3>&, const ChamferFrames<3>&, double, const ChamferAnswer<3>&,
                                  const JudgedPoints<3>&, Registration&);

}  // namespace dovetail
