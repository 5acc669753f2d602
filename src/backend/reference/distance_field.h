// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>

#include "spatial/distance_field.h"

namespace dovetail {

/// Fills level.nearest by plain loops. Grid, band and tiles are set; `keys` are Seeds::keys.
void build_field_reference(FieldLevel& level, std::span<const std::uint64_t> keys);

}  // namespace dovetail
