// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/convex_pieces.h"

#include <algorithm>
#include <limits>
#include <map>

#include "bins/interior.h"
#include "spatial/parallel.h"

namespace dovetail::bins {
namespace {

struct Plane {
  int axis = 0;
  double at = 0;
};

struct Cut {
  std::vector<Plane> planes;  ///< one, or two that cross
  double gain = 0;            ///< of volume
};

/// The solid's volume in any box, near enough: on lines along z.
class Contents {
 public:
  explicit Contents(const std::vector<Triangle>& triangles) {
    Bounds box;
    for (const Triangle& t : triangles) {
      for (const Vec3& corner : t) box.add(corner);
    }
    const Interior interior(triangles);
    const Vec3 side = box.sides();
    constexpr int lines = 64;
    cell_ = side[0] * side[1] / (lines * lines);
    for (int i = 0; i < lines; ++i) {
      for (int k = 0; k < lines; ++k) {
        // Not in the middle of the cells: there parts have their edges.
        const double x = box.low[0] + side[0] * (i + 0.4871) / lines, y = box.low[1] + side[1] * (k + 0.5137) / lines;
        for (const Interior::Stretch& stretch : interior.stretches(x, y)) lines_.push_back({x, y, stretch});
      }
    }
  }

  double in(const Bounds& box) const {
    double length = 0;
    for (const Line& line : lines_) {
      if (line.x < box.low[0] || line.x >= box.high[0] || line.y < box.low[1] || line.y >= box.high[1]) continue;
      length += std::max(0.0, std::min(line.inside.high, box.high[2]) - std::max(line.inside.low, box.low[2]));
    }
    return length * cell_;
  }

 private:
  struct Line {
    double x, y;
    Interior::Stretch inside;
  };
  std::vector<Line> lines_;
  double cell_ = 0;
};

struct Piece {
  std::vector<Triangle> triangles;
  Bounds cell;  ///< that the cuts leave to it
  ConvexHull hull;
  double excess = 0;  ///< by how much the hull is larger than the solid in it
  Cut best;
};

/// What a cut leaves on one of its sides.
struct Side {
  std::vector<Triangle> triangles;
  Bounds cell;
};

std::vector<Vec3> corners_of(const std::vector<Triangle>& triangles) {
  std::vector<Vec3> corners;
  corners.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
  const auto less = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data, a.data + 3, b.data, b.data + 3);
  };
  std::sort(corners.begin(), corners.end(), less);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

/// What of a triangle is on one side of a plane (`side` 1: above), as a fan.
void add_clipped(const Triangle& t, const Plane& plane, double side, std::vector<Triangle>& to) {
  Vec3 kept[4];
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = t[static_cast<std::size_t>(k)], &b = t[static_cast<std::size_t>((k + 1) % 3)];
    const double da = side * (a[plane.axis] - plane.at), db = side * (b[plane.axis] - plane.at);
    if (da >= 0) kept[count++] = a;
    if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
      Vec3 crossing = a + da / (da - db) * (b - a);
      crossing[plane.axis] = plane.at;
      kept[count++] = crossing;
    }
  }
  for (int k = 2; k < count; ++k) to.push_back({kept[0], kept[k - 1], kept[k]});
}

/// What of the triangles is on one side of a plane; those in the plane are on both.
std::vector<Triangle> half_of(const std::vector<Triangle>& triangles, const Plane& plane, double side) {
  std::vector<Triangle> half;
  for (const Triangle& t : triangles) {
    const double low = std::min({t[0][plane.axis], t[1][plane.axis], t[2][plane.axis]});
    const double high = std::max({t[0][plane.axis], t[1][plane.axis], t[2][plane.axis]});
    if (low == plane.at && high == plane.at) {
      half.push_back(t);
    } else if (side * (side > 0 ? high - plane.at : low - plane.at) > 0) {
      add_clipped(t, plane, side, half);
    }
  }
  return half;
}

std::vector<Side> split(const Piece& piece, const std::vector<Plane>& planes) {
  std::vector<Side> sides = {{piece.triangles, piece.cell}};
  for (const Plane& plane : planes) {
    std::vector<Side> next;
    for (const Side& whole : sides) {
      for (const double side : {-1.0, 1.0}) {
        Side half{half_of(whole.triangles, plane, side), whole.cell};
        (side > 0 ? half.cell.low : half.cell.high)[plane.axis] = plane.at;
        if (!half.triangles.empty()) next.push_back(std::move(half));
      }
    }
    sides = std::move(next);
  }
  return sides;
}

/// Where edges of a machined part are: the places along an axis that most corners have, and some in between.
std::vector<double> places(const std::vector<Vec3>& corners, int axis) {
  std::map<double, int> count;
  for (const Vec3& c : corners) ++count[c[axis]];
  const double low = count.begin()->first, high = count.rbegin()->first;
  std::vector<std::pair<int, double>> crowded;
  for (const auto& [at, number] : count) {
    if (at > low && at < high && number >= 4) crowded.push_back({-number, at});
  }
  std::sort(crowded.begin(), crowded.end());
  std::vector<double> result;
  constexpr int even = 4, most_crowded = 6;
  for (int k = 1; k < even; ++k) result.push_back(low + (high - low) * k / even);
  for (std::size_t i = 0; i < std::min<std::size_t>(most_crowded, crowded.size()); ++i) {
    result.push_back(crowded[i].second);
  }
  return result;
}

std::vector<std::vector<Plane>> candidates(const std::vector<Vec3>& corners) {
  std::vector<std::vector<Plane>> cuts;
  Vec3 middle{};
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> along = places(corners, axis);
    middle[axis] = along[1];  // half-way
    for (const double at : along) cuts.push_back({{axis, at}});
  }
  // A ring gains nothing by one cut, but by two that cross.
  for (int axis = 0; axis < 3; ++axis) {
    const int other = (axis + 1) % 3;
    cuts.push_back({{axis, middle[axis]}, {other, middle[other]}});
  }
  return cuts;
}

/// A hull about a shell may be smaller than what the shell holds; that is nothing to gain by.
double excess_of(const ConvexHull& hull, const Bounds& cell, const Contents& contents) {
  return std::max(0.0, hull.volume - contents.in(cell));
}

double excess_of(const std::vector<Side>& sides, const Contents& contents) {
  double excess = 0;
  for (const Side& side : sides) excess += excess_of(convex_hull(corners_of(side.triangles)), side.cell, contents);
  return excess;
}

Piece make_piece(Side side, const Contents& contents) {
  Piece piece{std::move(side.triangles), side.cell, {}, 0, {}};
  const std::vector<Vec3> corners = corners_of(piece.triangles);
  piece.hull = convex_hull(corners);
  piece.excess = excess_of(piece.hull, piece.cell, contents);
  const auto cuts = candidates(corners);
  std::vector<double> excess(cuts.size());
  parallel_for(cuts.size(), 1, [&](std::size_t i) { excess[i] = excess_of(split(piece, cuts[i]), contents); });
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    // Two cuts make four pieces for what one makes two of.
    const double gain = (piece.excess - excess[i]) / static_cast<double>(cuts[i].size());
    if (gain > piece.best.gain) piece.best = {cuts[i], gain};
  }
  return piece;
}

bool covers(const ConvexHull& large, const ConvexHull& small, double tolerance) {
  return std::all_of(small.corners.begin(), small.corners.end(),
                     [&](const Vec3& c) { return large.outside(c) <= tolerance; });
}

}  // namespace

std::vector<ConvexHull> convex_pieces(const std::vector<Triangle>& triangles, int most) {
  const Contents contents(triangles);
  constexpr double far = Bounds::infinity;
  std::vector<Piece> pieces;
  pieces.push_back(make_piece({triangles, {{-far, -far, -far}, {far, far, far}}}, contents));
  const double least_gain = 0.005 * pieces[0].hull.volume;
  while (true) {
    const auto best = std::max_element(pieces.begin(), pieces.end(),
                                       [](const Piece& a, const Piece& b) { return a.best.gain < b.best.gain; });
    const std::size_t more = best->best.planes.size() == 2 ? 3 : 1;
    if (best->best.gain < least_gain || pieces.size() + more > static_cast<std::size_t>(most)) break;
    const Piece whole = std::move(*best);
    pieces.erase(best);
    for (Side& side : split(whole, whole.best.planes)) pieces.push_back(make_piece(std::move(side), contents));
  }
  // Faces in the plane of a cut are on both sides of it: where they are all of a piece, another piece has them too.
  const double tolerance = 1e-9 * std::cbrt(pieces[0].hull.volume);
  std::vector<ConvexHull> hulls;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    bool covered = false;
    for (std::size_t k = 0; k < pieces.size() && !covered; ++k) {
      covered =
          k != i && pieces[k].hull.volume > pieces[i].hull.volume && covers(pieces[k].hull, pieces[i].hull, tolerance);
    }
    if (!covered) hulls.push_back(std::move(pieces[i].hull));
  }
  return hulls;
}

}  // namespace dovetail::bins
