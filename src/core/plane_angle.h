// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <numbers>

namespace dovetail {

/// The angle of the direction (x, y) from the first axis, as std::atan2(y, x) tells it but for 1e-12, several times
/// faster; 0 where both are 0.
inline double plane_angle(double y, double x) {
  const double along = std::fabs(x), across = std::fabs(y);
  const double more = along > across ? along : across, less = along > across ? across : along;
  if (!(more > 0)) return along + across;  // not a number where one of them is none
  // arctan t = π/4 + arctan((t − 1) / (t + 1)), so that the series is asked for no more than tan(π/8).
  constexpr double half = 0.41421356237309503;
  const bool steep = less > half * more;
  const double u = steep ? (less - more) / (less + more) : less / more, z = u * u;
  // arctan(√z) / √z for z up to tan²(π/8), from its values at Chebyshev's points.
  constexpr double c[] = {0.9999999999992798,  -0.33333333278354066, 0.19999993185648499, -0.1428539113321802,
                          0.11103532602985719, -0.08993195707656543, 0.06976906183960337, -0.03769996191094287};
  double series = c[7];
  for (int i = 6; i >= 0; --i) series = series * z + c[i];
  double angle = u * series;
  if (steep) angle += std::numbers::pi / 4;
  if (across > along) angle = std::numbers::pi / 2 - angle;
  if (x < 0) angle = std::numbers::pi - angle;
  return y < 0 ? -angle : angle;
}

}  // namespace dovetail
