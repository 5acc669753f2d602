// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/transform.h"
#include "spatial/kd_tree.h"
#include "spatial/range_map.h"

// What a scene says to an object at a pose: each of the object's points is explained, contradicted, hidden, or not
// asked.

namespace dovetail {

/// A point of a surface; its normal is zero where it is not known.
struct SurfacePoint {
  Vec3 place{}, normal{};
  bool at_edge = false;  ///< so near to one that normals which are estimated there may be anything
};

/// A plane that nothing is behind: a table, a wall. Its normal points to the side that things are on.
struct Backdrop {
  Vec3 normal{}, through{};
  std::vector<Vec3> points;  ///< on it: beyond them it ends
};

/// A scene as it is asked, on the host. Local lengths.
struct SeenScene {
  KdTreeView tree;
  std::vector<Vec3> normals;      ///< by slot
  const RangeMap* map = nullptr;  ///< null: nobody knows where the sensor stood
  std::vector<int> owner;         ///< by slot: the object that explains the point, or -1
  std::vector<Backdrop> backdrops;
  double noise = 0;  ///< standard deviation of the points across the surfaces they are on, as neighbours tell
};

/// Whether a place is farther behind a backdrop than a length. Where backdrops end does not matter.
inline bool is_beneath(const Vec3& place, const SeenScene& scene, double length) {
  return std::any_of(scene.backdrops.begin(), scene.backdrops.end(),
                     [&](const Backdrop& b) { return dot(b.normal, place - b.through) < -length; });
}

struct SightingSettings {
  double tolerance = 0;   ///< off the surface
  double near = 0;        ///< along it
  double self_depth = 0;  ///< how far behind its own surface a point of the object is hidden by it
  bool normals_point_out = false;
};

/// Numbers of the object's points.
struct Sighting {
  double asked = 0;         ///< all
  double hidden = 0;        ///< turned away, behind the object itself, or behind what the sensor saw
  double explained = 0;     ///< a scene point is there, and faces as it should
  double taken = 0;         ///< explained by a point that another object explains already
  double contradicted = 0;  ///< the sensor saw farther, there and all around
  double missing = 0;       ///< the sensor saw nothing there, or something that faces another way
  double squares = 0;       ///< of the distances of the explained from the scene's surface
  double beneath = 0;       ///< behind a backdrop
  double continued = 0;  ///< scene points beside the explained ones in which the surface goes on where the object ends
  double left_over = 0;  ///< scene points beside the explained ones that the object does not explain
  std::vector<std::uint32_t> slots;   ///< of the scene points that explain, each once
  std::vector<std::uint32_t> around;  ///< of all that are near those, where it was asked

  double visible() const { return explained + contradicted + missing; }
  /// Share of what should be seen that is.
  double purity() const { return visible() > 0 ? explained / visible() : 0; }
};

/// An object's whole surface: what is asked whether a scene point is on it.
struct SurfaceIndex {
  KdTree tree;
  std::vector<Vec3> normals;  ///< by the points' positions in the arrays that the tree was built from

  explicit SurfaceIndex(std::span<const SurfacePoint> points);

  /// Whether the surface bends sharply within a distance of one of its points.
  bool bends_near(const SurfacePoint& point, double distance) const;
};

/// Counts the scene points beside those that explain an object which go on with its surface beyond where it ends, in
/// numbers that compare with `slots`: a face that lies on a larger one is no face of an object.
void tell_continued(const SurfaceIndex& object, const Similarity3& scene_from_object, const SeenScene& scene,
                    const SightingSettings& settings, Sighting& sighting);

Sighting sight(std::span<const SurfacePoint> object, const Similarity3& scene_from_object, const SeenScene& scene,
               const SightingSettings& settings);

}  // namespace dovetail
