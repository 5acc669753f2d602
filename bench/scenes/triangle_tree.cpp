// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail::bench::scenes {
namespace {

constexpr std::uint32_t leaf_size = 4;

/// Whether the segment from p to q passes through a triangle (Möller and Trumbore's equations).
bool passes_through(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  const Vec3 along = q - p, e1 = t[1] - t[0], e2 = t[2] - t[0], h = cross(along, e2);
  const double volume = dot(e1, h);
  if (volume == 0) return false;  // in one plane
  const Vec3 from = p - t[0], k = cross(from, e1);
  const double u = dot(from, h) / volume, v = dot(along, k) / volume, at = dot(e2, k) / volume;
  return u > 0 && v > 0 && u + v < 1 && at > 0 && at < 1;
}

}  // namespace

TriangleTree::TriangleTree(const PointCloud& mesh) {
  const Faces& faces = mesh.faces;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::uint32_t first = faces.start[f];
    for (std::uint32_t k = first + 2; k < faces.start[f + 1]; ++k) {
      triangles_.push_back(
          {mesh.positions[faces.index[first]], mesh.positions[faces.index[k - 1]], mesh.positions[faces.index[k]]});
    }
  }
  add_node(0, static_cast<std::uint32_t>(triangles_.size()));
}

std::uint32_t TriangleTree::add_node(std::uint32_t begin, std::uint32_t end) {
  const auto here = static_cast<std::uint32_t>(nodes_.size());
  Vec3 low = triangles_.at(begin)[0], high = low;
  for (std::uint32_t i = begin; i < end; ++i) {
    for (const Vec3& p : triangles_[i]) {
      for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
  }
  nodes_.push_back({0.5 * (low + high), 0.5 * (high - low), begin, end, 0, 0});
  if (end - begin <= leaf_size) return here;
  const Vec3 extent = high - low;
  const int axis = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
  const auto middle = [axis](const Triangle& t) { return t[0][axis] + t[1][axis] + t[2][axis]; };
  const std::uint32_t half = begin + (end - begin) / 2;
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end,
                   [&](const Triangle& s, const Triangle& t) { return middle(s) < middle(t); });
  const std::uint32_t first = add_node(begin, half), second = add_node(half, end);
  nodes_[here].first = first, nodes_[here].second = second;
  return here;
}

bool TriangleTree::crosses(const Triangle& a, const Triangle& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (passes_through(a[k], a[(k + 1) % 3], b) || passes_through(b[k], b[(k + 1) % 3], a)) return true;
  }
  return false;
}

bool surfaces_cross(const TriangleTree& a, const TriangleTree& b, const Rigid3& b_from_a) {
  const auto boxes_meet = [&](const TriangleTree::Node& m, const TriangleTree::Node& n) {
    const Vec3 apart = b_from_a * m.center - n.center;
    for (int i = 0; i < 3; ++i) {
      double reach = n.half[i];
      for (int j = 0; j < 3; ++j) reach += std::abs(b_from_a.rotation(i, j)) * m.half[j];
      if (std::abs(apart[i]) > reach) return false;
    }
    return true;
  };
  const auto leaves_cross = [&](const TriangleTree::Node& m, const TriangleTree::Node& n) {
    for (std::uint32_t i = m.begin; i < m.end; ++i) {
      TriangleTree::Triangle moved = a.triangles_[i];
      for (Vec3& p : moved) p = b_from_a * p;
      for (std::uint32_t j = n.begin; j < n.end; ++j) {
        if (TriangleTree::crosses(moved, b.triangles_[j])) return true;
      }
    }
    return false;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{0, 0}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    const TriangleTree::Node &m = a.nodes_[i], &n = b.nodes_[j];
    if (!boxes_meet(m, n)) continue;
    if (m.first == 0 && n.first == 0) {
      if (leaves_cross(m, n)) return true;
    } else if (n.first == 0 || (m.first != 0 && m.end - m.begin > n.end - n.begin)) {
      open.emplace_back(m.first, j), open.emplace_back(m.second, j);
    } else {
      open.emplace_back(i, n.first), open.emplace_back(i, n.second);
    }
  }
  return false;
}

}  // namespace dovetail::bench::scenes
