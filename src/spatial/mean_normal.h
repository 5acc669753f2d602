// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "dovetail/matrix.h"

namespace dovetail {

/// The mean of normals whose signs may disagree: each is turned to the side of the first. Unknown ones (zero or not
/// finite) do not count.
class MeanNormal {
 public:
  void add(const Vec3f& normal) {
    const Vec3 n = normal.cast<double>();
    const double square = squared_norm(n);
    if (!(square > 0) || !std::isfinite(square)) return;
    if (squared_norm(first_) == 0) first_ = n;
    sum_ += dot(n, first_) < 0 ? -n : n;
  }
  Vec3f unit_or_zero() const {
    // Unit normals that cancel leave rounding errors, not a direction.
    const double length = norm(sum_);
    return length > 1e-6 * norm(first_) ? (sum_ * (1 / length)).cast<float>() : Vec3f{};
  }

 private:
  Vec3 first_{};
  Vec3 sum_{};
};

}  // namespace dovetail
