// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "judge/covariance.h"
#include "search/chamfer_search.h"

namespace dovetail {

/// An answer, and how its cost curves there.
template <int D>
struct ChamferAnswer {
  ChamferCandidate<D> end;
  StopRequest stopped = StopRequest::none;
  std::vector<double> hessian;  ///< the model's, packed, in the step frame; empty where the polish did not come so far
  bool by_likelihood = false;   ///< the Hessian is that of a logarithm of probability
};

/// How far steps from a transform move the observed points, of which some hundred are asked.
template <class Typed, int D>
Symmetric<double, Typed::degrees_of_freedom> motion_of(const ChamferContext<D>& context, const Homogeneous<D>& t,
                                                       std::span<const Vector<double, D>> points) {
  constexpr double stray_radii = 3;  // points farther out are strays
  const std::size_t every = std::max<std::size_t>(1, points.size() / 256);
  const auto at = [&](std::size_t i) { return image<D>(t, points[i]); };
  return mean_motion<Typed>(context.frame, points.size(), every, at, stray_radii);
}

}  // namespace dovetail
