// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/random.h"
#include "dovetail/matrix.h"

namespace dovetail::test {

inline const std::vector<std::size_t> awkward_sizes = {0, 1, 2, 31, 32, 33, 1000, 10007};

/// Three numbers in [-0.5, 0.5) that belong to `i`.
inline Vec3f uniform_point(std::uint64_t seed, std::uint64_t i) {
  const Philox::Block bits = Philox{seed}(i, 0);
  const auto number = [](std::uint32_t word) { return float(word >> 8) * 0x1p-24f - 0.5f; };
  return {number(bits.word[0]), number(bits.word[1]), number(bits.word[2])};
}

/// Ways points can lie. All but the first produce equal distances or equal coordinates in plenty.
struct Shape {
  std::string name;
  std::function<Vec3f(std::uint64_t i)> point;
};

inline Vec3f rounded_to(Vec3f p, float step) {
  for (float& value : p.data) value = std::round(value / step) * step;
  return p;
}

inline std::vector<Shape> shapes() {
  return {
      {"uniform", [](std::uint64_t i) { return uniform_point(1, i); }},
      {"coarse grid", [](std::uint64_t i) { return rounded_to(uniform_point(2, i), 0.125f); }},
      {"plane",
       [](std::uint64_t i) {
         return Vec3f{uniform_point(3, i)[0], uniform_point(3, i)[1], 0};
       }},
      {"line",
       [](std::uint64_t i) {
         return Vec3f{0.25f, rounded_to(uniform_point(4, i), 0.001f)[1], -0.25f};
       }},
      {"clusters",
       [](std::uint64_t i) {
         const Vec3f center = uniform_point(5, i % 7);
         return center + 1e-3f * uniform_point(6, i);
       }},
      {"duplicates", [](std::uint64_t i) { return uniform_point(7, i % 3); }},
      {"one location",
       [](std::uint64_t) {
         return Vec3f{0.1f, 0.2f, 0.3f};
       }},
  };
}

inline std::vector<Vec3f> make_points(const Shape& shape, std::size_t count) {
  std::vector<Vec3f> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = shape.point(i);
  return points;
}

/// Points of the cloud itself, points near it, on the same grid, and far away.
inline std::vector<Vec3f> make_queries(const Shape& shape, std::size_t count) {
  std::vector<Vec3f> queries;
  for (std::uint64_t i = 0; i < 40; ++i) {
    if (count > 0) queries.push_back(shape.point(i * 7919 % count));
    queries.push_back(1.5f * uniform_point(20, i));
    queries.push_back(rounded_to(1.5f * uniform_point(21, i), 0.0625f));
  }
  queries.push_back({1e4f, 0, 0});
  queries.push_back({-1e9f, 1e9f, 3e8f});
  queries.push_back({1e30f, 1e30f, 1e30f});  // its squared distances are infinite
  return queries;
}

/// A permutation of 0 .. count - 1, scaled and shifted: indices that differ from positions.
inline std::vector<std::uint32_t> scrambled_indices(std::size_t count) {
  std::vector<std::uint32_t> index(count);
  for (std::size_t i = 0; i < count; ++i) index[i] = static_cast<std::uint32_t>(5 + 3 * ((i * 7919 + 13) % count));
  return index;
}

}  // namespace dovetail::test
