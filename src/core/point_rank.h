// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

#include "core/eigen_symmetric.h"

namespace dovetail {

/// In how many directions points spread: 0 all equal, 1 on a line, 2 in a plane, 3. `at(i)` is the i-th of `count`, of
/// which each `step`-th is asked; a variance up to `rounding(largest variance)` is none.
template <int D, class At, class Rounding>
int point_rank(std::size_t count, const At& at, std::size_t step, const Rounding& rounding) {
  Vector<double, D> mean{};
  double n = 0;
  for (std::size_t i = 0; i < count; i += step) mean += at(i), n += 1;
  if (!(n > 0)) return 0;
  mean *= 1 / n;
  Symmetric<double, D> scatter{};
  for (std::size_t i = 0; i < count; i += step) scatter.add_outer(1 / n, at(i) - mean);
  const auto eigen = eigen_symmetric(scatter);
  int rank = 0;
  for (int i = 0; i < D; ++i) rank += eigen.values[i] > rounding(eigen.values[D - 1]) ? 1 : 0;
  return rank;
}

}  // namespace dovetail
