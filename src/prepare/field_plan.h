// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/distance_field.h"
#include "prepare/field_data.h"

namespace dovetail {

/// A field with everything but the nearest sites of its cells, and the seeds they are found from.
struct PlannedField {
  FieldData field;
  std::vector<std::vector<std::uint64_t>> keys;  ///< of each level's seeds
};

/// Chooses domain, cells and storage within the memory allowed; samples lines and surfaces at half a cell.
/// Throws InvalidArgument where the options cannot be met and where nothing usable is left of the reference.
PlannedField plan_field(const Reference& reference, const FieldOptions& options, OriginPoints origin_points);

/// Fills in what its cells are nearest to, on a machine, where the field then lies; on the host too where that is
/// asked for.
void build_field(PlannedField& plan, bool on_host, Backend& backend);

}  // namespace dovetail
