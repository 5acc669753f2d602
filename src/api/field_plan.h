// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/observed.h"
#include "dovetail/distance_field.h"

namespace dovetail {

/// A field with everything but the nearest sites of its cells, and the seeds they are found from.
struct PlannedField {
  FieldData field;
  std::vector<std::vector<std::uint64_t>> keys;  ///< of each level's seeds
};

/// Chooses domain, cells and storage within the memory allowed; samples lines and surfaces at half a cell.
/// Throws InvalidArgument where the options cannot be met and where nothing usable is left of the reference.
PlannedField plan_field(const Reference& reference, const FieldOptions& options, OriginPoints origin_points);

/// A number no other field of the process has.
std::uint64_t next_field_id();

}  // namespace dovetail
