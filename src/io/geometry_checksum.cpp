// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "dovetail/error.h"
#include "dovetail/resting.h"
#include "spatial/farthest_pair.h"

namespace dovetail {
namespace {

/// Every bit of the result depends on every bit of the word (the finaliser of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t mixed(const Vec3& p) {
  std::uint64_t sum = 0x9e3779b97f4a7c15u;
  // + 0.0f: a zero has one sign.
  for (int k = 0; k < 3; ++k) sum = mixed(sum ^ std::bit_cast<std::uint32_t>(static_cast<float>(p[k]) + 0.0f));
  return sum;
}

void check_faces(const PointCloud& mesh) {
  if (mesh.faces.empty()) throw InvalidArgument("mesh: there are no faces");
  for (const std::uint32_t corner : mesh.faces.index) {
    if (corner < mesh.size()) continue;
    throw InvalidArgument(
        fmt::format("mesh.faces: {} is not allowed; allowed: indices of the mesh's {} points", corner, mesh.size()));
  }
}

}  // namespace

std::uint64_t geometry_checksum(const PointCloud& mesh) {
  check_faces(mesh);
  std::vector<std::uint64_t> points;
  for (const Vec3& p : mesh.positions) points.push_back(mixed(p));
  std::uint64_t sum = 0;
  for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
    const std::uint32_t first = mesh.faces.start[face];
    for (std::uint32_t k = first + 2; k < mesh.faces.start[face + 1]; ++k) {
      std::array corners{points[mesh.faces.index[first]], points[mesh.faces.index[k - 1]], points[mesh.faces.index[k]]};
      // Which corner comes first does not matter; which way round does.
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      std::uint64_t triangle = 0;
      for (const std::uint64_t corner : corners) triangle = mixed(triangle ^ corner);
      sum += triangle;  // the same in any order
    }
  }
  return sum;
}

RestingKind resting_kind(std::string name, const PointCloud& mesh) {
  RestingKind kind{std::move(name), geometry_checksum(mesh), 0};
  std::vector<bool> used(mesh.size());
  for (const std::uint32_t corner : mesh.faces.index) used[corner] = true;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    if (used[i]) corners.push_back(mesh.positions[i]);
  }
  kind.diameter = largest_distance(corners);
  return kind;
}

}  // namespace dovetail
