// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/pose_database.h"
#include "pose/scene_window.h"

// Parts and heaps of them for the benchmark of rough poses: T-pieces of round rods, of which the depth is worked out
// without a renderer.

namespace dovetail::bench {

/// References of a T-piece at random orientations.
class TeeReferences {
 public:
  TeeReferences(int references, int image_size, std::uint64_t seed);
  TeeReferences(TeeReferences&&) = default;  // the arrays stay where they are

  const PoseReferences& part() const { return part_; }

 private:
  std::vector<PoseReference> references_;
  std::vector<ReferencePixel> pixels_;
  PoseReferences part_;
};

/// A heap of T-pieces as seen from above, at the scale of references of this size; one lies on top, in the middle.
pose::SceneWindow heap_window(const PoseReferences& part, std::uint64_t seed);

}  // namespace dovetail::bench
