// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail {

/// One more value (or short vector) a point, kept under the name and in the number type its file gave it.
struct Attribute {
  using Values =
      std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>, std::vector<std::int16_t>,
                   std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<std::uint32_t>,
                   std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<float>, std::vector<double>>;
  std::string name;
  int components = 1;  ///< values a point; `values` holds components × size() numbers, point after point
  Values values;
};

/// Polygons over points, as a mesh file gives them: face i is `index[start[i]] .. index[start[i + 1] - 1]`.
struct Faces {
  std::vector<std::uint32_t> start = {0};
  std::vector<std::uint32_t> index;

  std::size_t size() const { return start.size() - 1; }
  bool empty() const { return start.size() <= 1; }
  void add(std::initializer_list<std::uint32_t> corners) {
    index.insert(index.end(), corners.begin(), corners.end());
    start.push_back(static_cast<std::uint32_t>(index.size()));
  }
};

/// What to do with points exactly at (0, 0, 0), which many sensors write where nothing came back.
enum class OriginPoints {
  automatic,  ///< drop them where they look like such marks: many, or far from all else
  keep,
  drop,
};

/// The precision a file stores coordinates in. Positions are held in double whatever it was.
enum class Precision { float32, float64 };

/// A set of points with what their file said about them. Every per-point array is empty or as long as `positions`.
struct PointCloud {
  std::vector<Vec3> positions;                      ///< in the file's own units and frame; z = 0 in 2D; NaN = invalid
  std::vector<Vec3f> normals;                       ///< unit length where known
  std::vector<std::array<std::uint8_t, 4>> colors;  ///< red, green, blue, alpha
  bool has_alpha = false;                           ///< whether the alpha of `colors` means anything
  std::vector<Attribute> attributes;                ///< everything else a point carried
  Faces faces;                                      ///< for meshes
  int dimension = 3;                                ///< 2 or 3
  std::uint32_t width = 0;                          ///< organised clouds: columns and rows, else 0
  std::uint32_t height = 0;
  Precision precision = Precision::float64;  ///< of the file it came from, or to be written with

  std::size_t size() const { return positions.size(); }
  bool empty() const { return positions.empty(); }
  bool organised() const { return width != 0 && height != 0; }
};

}  // namespace dovetail
