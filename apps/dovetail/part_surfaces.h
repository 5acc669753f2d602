// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <deque>
#include <span>
#include <vector>

#include "dovetail/find.h"
#include "dovetail/pose_database.h"

namespace dovetail::app {

/// The parts of a pose database as meshes, to be drawn.
class PartSurfaces {
 public:
  explicit PartSurfaces(const PoseDatabase& database) {
    for (const PoseReferences& part : database.parts()) {
      surfaces_.push_back(part_surface(part));
      objects_.push_back({part.name, &surfaces_.back()});
    }
  }
  std::span<const ObjectToFind> objects() const { return objects_; }

 private:
  std::deque<PointCloud> surfaces_;
  std::vector<ObjectToFind> objects_;
};

}  // namespace dovetail::app
