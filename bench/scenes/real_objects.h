// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "dovetail/transform.h"
#include "scenes/objects.h"

// What the folder of real data holds (bench::data_folder(); its own README tells of each).

namespace dovetail::bench::scenes {

/// Machine parts as meshes about their middle, with the rotations that map each onto itself.
const std::vector<Object>& cad_objects();

/// Two scans of one object and where they belong together. Clouds without truth serve as strangers to others.
struct RealPair {
  std::string object;  ///< what was scanned: the same name in whatever folder the scan lies
  std::string name;    ///< of the pair
  PointCloud source, target;
  Transform target_from_source;
};

/// Scans with ground truth: the bunny's of three folders, partial views, the lidar pair, the carton in its scene.
const std::vector<RealPair>& real_pairs();
/// Of these, the partial views of a bust, in the order of their folders' names, and the carton.
const std::vector<RealPair>& partial_view_pairs();
const RealPair& milk_in_its_scene();

/// Single clouds, in 3D and in 2D. Two samples of one make a pair with identity as the truth.
struct RealCloud {
  std::string object, name;
  PointCloud cloud;
};
const std::vector<RealCloud>& real_clouds();
const std::vector<RealCloud>& planar_clouds();

}  // namespace dovetail::bench::scenes
