// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

namespace dovetail {

/// How a number enters a sum of weighted evidence.
enum class Shape {
  plain,     ///< x
  ln_above,  ///< ln(x + at)
  ln_below,  ///< ln(at − x)
  up_to,     ///< min(x, at)
};

struct Weight {
  std::string_view name;
  Shape shape;
  double at;
  double weight;
};

inline double shaped(const Weight& w, double x) {
  constexpr double least = 1e-9;
  switch (w.shape) {
    case Shape::ln_above:
      return std::log(std::max(least, x + w.at));
    case Shape::ln_below:
      return std::log(std::max(least, w.at - x));
    case Shape::up_to:
      return std::min(x, w.at);
    case Shape::plain:
      break;
  }
  return x;
}

}  // namespace dovetail
