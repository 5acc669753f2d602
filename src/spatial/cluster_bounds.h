// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "spatial/cluster_tree.h"

// How a tile of rows (points that lie together) sees the clusters of a tree under a Gaussian weight 2^(−k d²): which of
// them it may leave out and which it may take from their expansion, so that no weight is off by more than
// tolerance × C / M, where C is a lower bound of every row's sum and M the number of points. The sum of a row is then
// off by at most tolerance × its own value. Equations (7)-(9) of docs/methods/em_icp.md.

namespace dovetail {

/// How a tile treats a cluster.
enum class Treatment : int { skip, expand2, expand4, expand6, expand8, open };

DOVETAIL_HD inline float distance_between(const Cluster& a, const Cluster& b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return sqrtf(dx * dx + dy * dy + dz * dz);
}

/// log2 of what one weight may be off: tolerance × least / points.
DOVETAIL_HD inline float log2_allowance(float tolerance, float least, std::uint32_t points) {
  return log2f(0.98f * tolerance) + log2f(least) - log2f(static_cast<float>(points));
}

/// Whether the expansion of degree P is exact enough: (9), the remainder of a Taylor series along a line, with Cramér's
/// bound of Hermite functions, in log2. `log2_ratio` is log2(√2 r / σ), `exponent` is k × (least distance)².
template <int P>
DOVETAIL_HD inline bool expands(float log2_ratio, float exponent, float allowance) {
  constexpr double log2_cramer = 0.11962,
                   log2_of_factorial[10] = {0, 0, 1, 2.58496, 4.58496, 6.90689, 9.49185, 12.29921, 15.29921, 18.46913};
  return static_cast<float>(log2_cramer - 0.5 * log2_of_factorial[P + 1]) + (P + 1) * log2_ratio - 0.5f * exponent <=
         allowance;
}

/// Terms of an expansion of degree P cost about as much as this many direct pairs.
struct ExpansionCosts {
  std::uint32_t degree2 = 12, degree4 = 24, degree6 = 42, degree8 = 70;
};

/// Points of a cluster lie within its radius, but most of them well within: log2 of the eighth power mean of their
/// distances from the centre over the radius, from the moments of degree 8. A remainder of degree n <= 8 may be
/// multiplied by the n-th power of it, one of degree 9 by the eighth.
DOVETAIL_HD inline float log2_spread(const float* moments) {
  float sum = 0;
  for (int a = 0; a <= 4; ++a) {
    for (int b = 0; b <= 4 - a; ++b) {
      // (x² + y² + z²)⁴ by the multinomial theorem, times the factorials that moments are divided by.
      constexpr float factorial[5] = {1, 1, 2, 6, 24}, even[5] = {1, 2, 24, 720, 40320};
      const int c = 4 - a - b;
      sum += 24.0f / (factorial[a] * factorial[b] * factorial[c]) * even[a] * even[b] * even[c] *
             moments[moment_index(2 * a, 2 * b, 2 * c)];
    }
  }
  return fminf(0.0f, 0.125f * log2f(1.0001f * sum / moments[0]));
}

/// `count` points in the cluster. `open` means: look at its children, or at its points where it is a leaf. `spread` is
/// log2_spread of the cluster, or 0.
DOVETAIL_HD inline Treatment treatment_of(const Cluster& cluster, std::uint32_t count, const Cluster& tile, float k,
                                          float allowance, const ExpansionCosts& costs, float spread = 0) {
  const float near = fmaxf(0.0f, distance_between(tile, cluster) - tile.radius - cluster.radius);
  const float exponent = k * near * near;
  if (-exponent <= allowance) return Treatment::skip;
  if (count <= costs.degree2) return Treatment::open;
  // log2(√2 r / σ), from k = log2(e) / σ².
  const float log2_ratio = 0.5f * log2f(2.0f * 0.6931472f * k * cluster.radius * cluster.radius);
  const float within = log2_ratio + spread;
  if (expands<2>(within, exponent, allowance)) return Treatment::expand2;
  if (count > costs.degree4 && expands<4>(within, exponent, allowance)) return Treatment::expand4;
  if (count > costs.degree6 && expands<6>(within, exponent, allowance)) return Treatment::expand6;
  if (count > costs.degree8 && expands<8>(log2_ratio + 8.0f / 9.0f * spread, exponent, allowance)) {
    return Treatment::expand8;
  }
  return Treatment::open;
}

}  // namespace dovetail
