// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail {
namespace {

constexpr std::uint32_t leaf_size = 4;

Vec3 nearest_of_segment(const Vec3& a, const Vec3& b, const Vec3& x) {
  const Vec3 along = b - a;
  const double length = squared_norm(along);
  const double t = length > 0 ? std::clamp(dot(x - a, along) / length, 0.0, 1.0) : 0.0;
  return a + t * along;
}

Vec3 nearest_of_triangle(const SurfacePiece& t, const Vec3& x) {
  const Vec3 ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c;
  const Vec3 n = cross(ab, bc);
  const double area = squared_norm(n);
  const double beyond_ab = dot(cross(ab, x - t.a), n), beyond_bc = dot(cross(bc, x - t.b), n),
               beyond_ca = dot(cross(ca, x - t.c), n);
  if (area > 0 && beyond_ab >= 0 && beyond_bc >= 0 && beyond_ca >= 0) return x - (dot(n, x - t.a) / area) * n;
  // Outside, the nearest place is on one of the edges that the foot lies beyond.
  Vec3 best = t.a;
  double least = squared_norm(x - t.a);
  const auto offer = [&](const Vec3& from, const Vec3& to) {
    const Vec3 p = nearest_of_segment(from, to, x);
    const double d = squared_norm(x - p);
    if (d < least) least = d, best = p;
  };
  if (!(area > 0) || beyond_ab < 0) offer(t.a, t.b);
  if (!(area > 0) || beyond_bc < 0) offer(t.b, t.c);
  if (!(area > 0) || beyond_ca < 0) offer(t.c, t.a);
  return best;
}

/// Whether all of a triangle's plane is farther away.
bool plane_is_beyond(const SurfacePiece& t, const Vec3& x, double squared_distance) {
  const Vec3 n = cross(t.b - t.a, t.c - t.b);
  const double height = dot(n, x - t.a);
  return height * height > 1.0000001 * squared_distance * squared_norm(n);
}

Vec3 nearest_of_disc(const SurfacePiece& disc, const Vec3& x) {
  const Vec3 offset = x - disc.a;
  const Vec3 in_plane = offset - dot(offset, disc.b) * disc.b;  // all of it without a normal
  const double length = norm(in_plane);
  return disc.a + (length > disc.c[0] ? disc.c[0] / length : 1.0) * in_plane;
}

}  // namespace

SurfaceTree::SurfaceTree(Kind kind, std::vector<SurfacePiece> pieces) : kind_(kind), pieces_(std::move(pieces)) {
  if (!pieces_.empty()) build(0, static_cast<std::uint32_t>(pieces_.size()));
}

Bounds SurfaceTree::box_of(const SurfacePiece& piece) const {
  Bounds box;
  if (kind_ == Kind::triangles) {
    box.add(piece.a), box.add(piece.b), box.add(piece.c);
    return box;
  }
  Vec3 reach{};  // of a disc with normal n along axis i: radius √(1 − n_i²)
  for (int i = 0; i < 3; ++i) reach[i] = piece.c[0] * std::sqrt(std::max(0.0, 1 - piece.b[i] * piece.b[i]));
  box.add(piece.a - reach), box.add(piece.a + reach);
  return box;
}

void SurfaceTree::build(std::uint32_t begin, std::uint32_t end) {
  const std::size_t at = nodes_.size();
  nodes_.push_back({});
  Bounds box, middles;
  const auto middle_of = [&](const SurfacePiece& p) { return kind_ == Kind::triangles ? p.a + p.b + p.c : p.a; };
  for (std::uint32_t i = begin; i < end; ++i) {
    const Bounds own = box_of(pieces_[i]);
    box.add(own.low), box.add(own.high);
    middles.add(middle_of(pieces_[i]));
  }
  nodes_[at] = {box.low, box.high, begin, end, 0};
  if (end - begin <= leaf_size) return;
  const Vec3 sides = middles.sides();
  const int axis = sides[0] >= sides[1] && sides[0] >= sides[2] ? 0 : sides[1] >= sides[2] ? 1 : 2;
  const std::uint32_t half = begin + (end - begin) / 2;
  const auto where = [&](std::uint32_t i) { return pieces_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(where(begin), where(half), where(end), [&](const SurfacePiece& p, const SurfacePiece& q) {
    return middle_of(p)[axis] < middle_of(q)[axis];
  });
  build(begin, half);
  nodes_[at].right = static_cast<std::uint32_t>(nodes_.size());
  build(half, end);
}

Vec3 SurfaceTree::nearest_of(const SurfacePiece& piece, const Vec3& point) const {
  return kind_ == Kind::triangles ? nearest_of_triangle(piece, point) : nearest_of_disc(piece, point);
}

Vec3 SurfaceTree::normal(std::uint32_t piece) const {
  const SurfacePiece& p = pieces_[piece];
  if (kind_ == Kind::discs) return p.b;
  const Vec3 n = cross(p.b - p.a, p.c - p.a);
  const double length = norm(n);
  return length > 0 ? (1 / length) * n : Vec3{};
}

/// Calls offer(piece) for those that may be within `worst`, squared, near ones early, until it returns false. `worst`
/// may shrink meanwhile.
template <class Offer>
void SurfaceTree::search(const Vec3& point, const double& worst, const Offer& offer) const {
  if (nodes_.empty()) return;
  const auto distance_to = [&](std::uint32_t node) {
    const Node& n = nodes_[node];
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double below = n.low[i] - point[i], above = point[i] - n.high[i];
      const double d = below > 0 ? below : above > 0 ? above : 0;
      sum += d * d;
    }
    return sum;
  };
  struct Pending {
    std::uint32_t node;
    double distance;
  };
  Pending pending[64];  // the tree is balanced: its depth is below 32
  int count = 0;
  pending[count++] = {0, distance_to(0)};
  while (count > 0) {
    const Pending next = pending[--count];
    if (next.distance > worst) continue;
    const Node& node = nodes_[next.node];
    if (node.right == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        if (!offer(i)) return;
      }
      continue;
    }
    Pending near{next.node + 1, distance_to(next.node + 1)}, far{node.right, distance_to(node.right)};
    if (far.distance < near.distance) std::swap(near, far);
    if (far.distance <= worst) pending[count++] = far;
    if (near.distance <= worst) pending[count++] = near;
  }
}

SurfacePlace SurfaceTree::nearest(const Vec3& point, double max_squared_distance) const {
  SurfacePlace best{max_squared_distance, SurfacePlace::none, {}};
  search(point, best.squared_distance, [&](std::uint32_t i) {
    if (kind_ == Kind::triangles && plane_is_beyond(pieces_[i], point, best.squared_distance)) return true;
    const Vec3 p = nearest_of(pieces_[i], point);
    const double d = squared_norm(point - p);
    if (d < best.squared_distance || (!best.found() && d <= best.squared_distance)) best = {d, i, p};
    return true;
  });
  return best;
}

bool SurfaceTree::any_within(const Vec3& point, double max_squared_distance) const {
  bool found = false;
  search(point, max_squared_distance, [&](std::uint32_t i) {
    if (kind_ == Kind::triangles && plane_is_beyond(pieces_[i], point, max_squared_distance)) return true;
    found = squared_norm(point - nearest_of(pieces_[i], point)) <= max_squared_distance;
    return !found;
  });
  return found;
}

}  // namespace dovetail
