// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "dovetail/find_parts.h"
#include "pose/laid_images.h"
#include "pose/part_shape.h"

namespace dovetail::pose {

/// A part's references where a machine's passes read them.
struct RoughPart {
  LaidReferences laid;
  Placed<ReferencesView> placed;
  std::uint32_t most_seeds = 0;  ///< of a reference
  std::vector<double> size;      ///< of each reference: how much of the part it shows, 1 the most
};

/// Those of some parts, in a machine's memory.
std::vector<RoughPart> rough_parts(Backend& backend, std::span<const PoseReferences> parts, RoughErrors errors);

/// What machines keep of a database from search to search.
class DatabaseCache {
 public:
  std::shared_ptr<const std::vector<RoughPart>> in(Backend& backend, std::span<const PoseReferences> parts,
                                                   RoughErrors errors) {
    return (errors == RoughErrors::paper ? paper_ : robust_).in(backend.memory(), [&] {
      return rough_parts(backend, parts, errors);
    });
  }

  std::shared_ptr<const std::vector<PartShape>> shapes(std::span<const PoseReferences> parts) {
    const std::lock_guard lock(mutex_);
    if (!shapes_) {
      std::vector<PartShape> made;
      for (const PoseReferences& part : parts) made.push_back(part_shape(part));
      shapes_ = std::make_shared<const std::vector<PartShape>>(std::move(made));
    }
    return shapes_;
  }
  std::shared_ptr<const std::vector<PlacedShape>> shapes_in(Memory& memory, std::span<const PoseReferences> parts) {
    const auto host = shapes(parts);
    return placed_.in(memory, [&] {
      std::vector<PlacedShape> placed;
      for (std::size_t i = 0; i < parts.size(); ++i) placed.push_back(placed_shape(memory, parts[i], (*host)[i]));
      return placed;
    });
  }

 private:
  Resident<std::vector<RoughPart>> robust_, paper_;
  std::mutex mutex_;
  std::shared_ptr<const std::vector<PartShape>> shapes_;
  Resident<std::vector<PlacedShape>> placed_;
};

}  // namespace dovetail::pose
