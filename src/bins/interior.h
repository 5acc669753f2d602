// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "bins/solid.h"
#include "spatial/bounds.h"

namespace dovetail::bins {

/// Tells inside from outside: on a line along z it counts how often the surface goes round each place. Solids may
/// overlap; the surface has to be closed.
class Interior {
 public:
  explicit Interior(const std::vector<Triangle>& triangles);

  bool contains(const Vec3& point) const;

  /// A stretch of a line along z that is inside.
  struct Stretch {
    double low, high;
  };
  std::vector<Stretch> stretches(double x, double y) const;

 private:
  struct Crossing {
    double z;
    int turn;  ///< 1: the surface faces up there, -1: down
  };
  std::vector<Crossing> crossings(double x, double y) const;

  std::vector<Triangle> triangles_;
  Bounds box_;
  int side_ = 1;                                     // cells along x and along y
  std::vector<std::vector<std::uint32_t>> columns_;  // the triangles over each cell
};

}  // namespace dovetail::bins
