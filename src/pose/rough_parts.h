// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "dovetail/find_parts.h"
#include "pose/laid_images.h"

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

 private:
  Resident<std::vector<RoughPart>> robust_, paper_;
};

}  // namespace dovetail::pose
