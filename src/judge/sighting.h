// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

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
};

/// A scene as it is asked, on the host. Local lengths.
struct SeenScene {
  KdTreeView tree;
  std::vector<Vec3> normals;      ///< by slot
  const RangeMap* map = nullptr;  ///< null: nobody knows where the sensor stood
  std::vector<int> owner;         ///< by slot: the object that explains the point, or -1
};

struct SightingSettings {
  double tolerance = 0;   ///< off the surface
  double near = 0;        ///< along it
  double self_depth = 0;  ///< how far behind its own surface a point of the object is hidden by it
  bool normals_point_out = false;
};

/// Numbers of the object's points.
struct Sighting {
  double asked = 0;                  ///< all
  double hidden = 0;                 ///< turned away, behind the object itself, or behind what the sensor saw
  double explained = 0;              ///< a scene point is there, and faces as it should
  double taken = 0;                  ///< explained by a point that another object explains already
  double contradicted = 0;           ///< the sensor saw farther
  double missing = 0;                ///< the sensor saw nothing there, or something that faces another way
  double squares = 0;                ///< of the distances of the explained from the scene's surface
  std::vector<std::uint32_t> slots;  ///< of the scene points that explain, each once

  double visible() const { return explained + contradicted + missing; }
  /// Share of what should be seen that is.
  double purity() const { return visible() > 0 ? explained / visible() : 0; }
};

Sighting sight(std::span<const SurfacePoint> object, const Similarity3& scene_from_object, const SeenScene& scene,
               const SightingSettings& settings);

}  // namespace dovetail
