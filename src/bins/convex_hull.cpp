// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/convex_hull.h"

#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <limits>

namespace dovetail::bins {
namespace {

/// The corners about a face, counter-clockwise seen from outside or the other way round.
std::vector<int> corners_of(const btConvexHullComputer& hull, int face) {
  std::vector<int> corners;
  const btConvexHullComputer::Edge* const first = &hull.edges[hull.faces[face]];
  const btConvexHullComputer::Edge* edge = first;
  do {
    corners.push_back(edge->getSourceVertex());
    edge = edge->getNextEdgeOfFace();
  } while (edge != first);
  return corners;
}

}  // namespace

double ConvexHull::outside(const Vec3& point) const {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const HalfSpace& face : faces) farthest = std::max(farthest, dot(face.normal, point) - face.offset);
  return faces.empty() ? std::numeric_limits<double>::infinity() : farthest;
}

ConvexHull convex_hull(std::span<const Vec3> points) {
  ConvexHull result;
  if (points.empty()) return result;
  btConvexHullComputer hull;
  hull.compute(points.data()->data, static_cast<int>(sizeof(Vec3)), static_cast<int>(points.size()), 0, 0);
  Vec3 middle{};
  for (int i = 0; i < hull.vertices.size(); ++i) {
    // It computes with coordinates of 14 bits; the points themselves are better.
    result.corners.push_back(points[static_cast<std::size_t>(hull.original_vertex_index[i])]);
    middle += result.corners.back();
  }
  if (result.corners.empty()) return result;
  middle *= 1.0 / static_cast<double>(result.corners.size());
  for (int e = 0; e < hull.edges.size(); ++e) {
    const auto from = static_cast<std::uint32_t>(hull.edges[e].getSourceVertex());
    const auto to = static_cast<std::uint32_t>(hull.edges[e].getTargetVertex());
    if (from < to) result.edges.push_back({from, to});  // every edge is there in both directions
  }
  for (int f = 0; f < hull.faces.size(); ++f) {
    const std::vector<int> corner = corners_of(hull, f);
    Vec3 area{}, center{};
    const Vec3 origin = result.corners[static_cast<std::size_t>(corner[0])];
    for (std::size_t k = 0; k < corner.size(); ++k) {
      const Vec3 a = result.corners[static_cast<std::size_t>(corner[k])] - origin;
      const Vec3 b = result.corners[static_cast<std::size_t>(corner[(k + 1) % corner.size()])] - origin;
      area += cross(a, b);
      center += a;
    }
    const double twice = norm(area);
    if (!(twice > 0)) continue;
    HalfSpace face{area * (1.0 / twice), 0};
    if (dot(face.normal, origin - middle) < 0) face.normal = -face.normal;
    // The corner that is farthest out: all of them are then on the inner side.
    face.offset = -std::numeric_limits<double>::infinity();
    for (const Vec3& c : result.corners) face.offset = std::max(face.offset, dot(face.normal, c));
    result.volume += (face.offset - dot(face.normal, middle)) * 0.5 * twice / 3;
    result.faces.push_back(face);
  }
  return result;
}

}  // namespace dovetail::bins
