// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <span>

#include "api/chamfer_search.h"
#include "core/symmetric.h"

namespace dovetail {

/// How far steps move the points: the mean of JᵀJ over some hundred of them, in the step frame.
template <class Typed, int D>
Symmetric<double, Typed::degrees_of_freedom> motion_of(const ChamferContext<D>& context, const Homogeneous<D>& t,
                                                       std::span<const Vector<double, D>> points) {
  constexpr double stray_radii = 3;  // points farther out are strays
  constexpr int L = Typed::degrees_of_freedom;
  Matrix<double, L, L> sum{};
  double count = 0;
  const std::size_t every = std::max<std::size_t>(1, points.size() / 256);
  for (std::size_t i = 0; i < points.size(); i += every) {
    const Vector<double, D>& p = points[i];
    const Vector<double, D> u = (1 / context.frame.radius) * (image<D>(t, p) - context.frame.centre);
    if (!(squared_norm(u) < stray_radii * stray_radii)) continue;
    const auto j = Typed::action_jacobian(u);
    sum += transpose(j) * j;
    count += 1;
  }
  return Symmetric<double, L>::from_matrix((1 / std::max(count, 1.0)) * sum);
}

}  // namespace dovetail
