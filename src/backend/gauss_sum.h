// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "spatial/cluster_tree.h"

// What soft correspondence asks of a machine: for each of many rows y, sums over all points x_j of a tree with the
// weights e_j = w_j exp(−|x_j − y|² / σ²). Nothing of size rows × points is ever stored.

namespace dovetail {

struct GaussSettings {
  float sigma = 1;
  /// The constant part of every row's sum C = outlier + sum e_j: it counts when a tolerance is set.
  float outlier = 0;
  /// Each row's sum may be off by this part of its C; 0: every pair is computed.
  float tolerance = 0;
  /// No w_j is larger; 1 where there are no weights.
  float most_weight = 1;
};

/// The tree the sums are over. With weights (by slot) the tree's moments, if any, must be those of the weighted points.
struct GaussPoints {
  ClusterTreeView clusters;
  const float* weight = nullptr;
};

/// Rows, neighbours near each other in the order: coordinate i of row r is at i[r × stride].
struct GaussRows {
  const float *x, *y, *z;
  std::uint32_t count;
  std::uint32_t stride = 1;
};

/// Results by row.
struct GaussSums {
  float* weight;                          ///< sum e_j
  float *toward_x, *toward_y, *toward_z;  ///< sum e_j (x_j − y)
  float* squares = nullptr;               ///< sum e_j², where asked for; no weights then
};

}  // namespace dovetail
