// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/margin.h"

#include <algorithm>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "judge/covariance.h"
#include "search/starts.h"

namespace dovetail {

namespace {

template <int D>
std::vector<ChamferCandidate<D>> slid_answers(const ChamferContext<D>& context, const ChamferAnswer<D>& polished,
                                              std::span<const Vector<double, D>> points, double distance) {
  std::vector<ChamferCandidate<D>> slid;
  if (polished.hessian.empty()) return slid;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    constexpr int L = Typed::degrees_of_freedom;
    Symmetric<double, L> hessian{};
    std::copy(polished.hessian.begin(), polished.hessian.end(), std::begin(hessian.data));
    // With steps measured by how far they move the points, the one that costs least is an eigenvector.
    const auto moves = eigen_symmetric(motion_of<Typed, D>(context, polished.end.t, points));
    if (!(moves.values[0] > 1e-9 * moves.values[L - 1])) return;
    Matrix<double, L, L> step_of{};
    for (int k = 0; k < L; ++k) {
      for (int i = 0; i < L; ++i) step_of(i, k) = moves.vectors(i, k) / std::sqrt(moves.values[k]);
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

}  // namespace

template <int D>
double slid_score(const ChamferContext<D>& context, double cap, const ChamferAnswer<D>& answer,
                  std::span<const Vector<double, D>> points, double distance) {
  double best = 0;
  const std::vector<ChamferCandidate<D>> slid = slid_answers<D>(context, answer, points, distance);
  if (slid.empty()) return best;
  for (const auto& fit : fits_of<D>(context, Share::all, cap, cap, slid)) best = std::max(best, fit.score);
  return best;
}

template <int D>
double chance_score(const ChamferContext<D>& context, double cap, const Homogeneous<D>& given) {
  std::vector<ChamferCandidate<D>> starts;
  const bool with_scale = context.options.model != ChamferModel::rigid;
  ChamferPlan plan = context.plan;
  plan.starts = 64;  // any number of them is spread evenly
  for (const auto& t : starts_within<D>(plan, given, context.observed, with_scale)) starts.emplace_back().t = t;
  auto fits = fits_of<D>(context, Share::sample, cap, cap, starts);
  const auto middle = fits.begin() + static_cast<std::ptrdiff_t>(fits.size() / 2);
  std::nth_element(fits.begin(), middle, fits.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
  return middle->score;
}

#define DOVETAIL_INSTANTIATE(D)                                                         \
  template double slid_score(const ChamferContext<D>&, double, const ChamferAnswer<D>&, \
                             std::span<const Vector<double, D>>, double);               \
  template double chance_score(const ChamferContext<D>&, double, const Homogeneous<D>&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
