// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail {

/// Triangles over points, as passes read them.
struct TriangleMeshView {
  const Vec3f* points = nullptr;
  const std::array<std::uint32_t, 3>* triangles = nullptr;
  std::uint32_t count = 0;  ///< of triangles
  std::uint32_t point_count = 0;
};

/// The same, on the host. Points are kept in single precision: about the mesh's own middle, where it lies far out.
struct TriangleMesh {
  std::vector<Vec3f> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  TriangleMeshView view() const {
    return {points.data(), triangles.data(), static_cast<std::uint32_t>(triangles.size()),
            static_cast<std::uint32_t>(points.size())};
  }
};

}  // namespace dovetail
