// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "dovetail/geo_frame.h"

namespace dovetail {

/// A reference ready to be looked up.
struct FieldData {
  LocalFrame frame;                ///< local coordinates count cells of the finest level
  std::vector<FieldLevel> levels;  ///< coarse to fine; built where passes have a memory of their own, `nearest` may be
                                   ///< there alone
  LineMap lines;                   ///< where the reference is lines in the plane
  std::size_t points = 0;          ///< of the reference, sampled
  std::size_t dropped_non_finite = 0, dropped_at_origin = 0;  ///< of the reference; not kept in files
  double margin = 0;                                          ///< of the domain beyond the reference, local
  std::optional<GeoFrame> geo;                                ///< where the reference was given in degrees
  std::string source;                                         ///< the file it was made from

  int dimension() const { return levels.front().grid.dimension; }

  /// The levels in a memory.
  using PlacedLevels = std::vector<Placed<FieldView>>;
  std::shared_ptr<const PlacedLevels> in(Memory& memory) const {
    return resident->in(memory, [&] {
      PlacedLevels placed;
      for (const FieldLevel& level : levels) placed.push_back(put(memory, level));
      return placed;
    });
  }
  std::shared_ptr<Resident<PlacedLevels>> resident = std::make_shared<Resident<PlacedLevels>>();
};

}  // namespace dovetail
