// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>

#include "spatial/distance_field.h"

namespace dovetail {

/// Fills level.nearest on all threads. Grid, band (at most 64) and tiles are set; `keys` are Seeds::keys. The squares
/// of the grid's sides together must stay below 2^31.
void build_field_cpu(FieldLevel& level, std::span<const std::uint64_t> keys);

}  // namespace dovetail
