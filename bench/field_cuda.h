// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>

#include "spatial/field_grid.h"

namespace dovetail::bench {

/// Milliseconds in which the GPU builds a dense field from seeds that are there already: the median of `repeats` runs.
double time_dense_field_cuda(const FieldGrid& grid, std::span<const std::uint64_t> keys, int repeats);

/// The same for a banded field; its tiles are there already too.
double time_banded_field_cuda(const FieldGrid& grid, std::span<const std::uint64_t> keys, std::uint32_t band,
                              int repeats);

}  // namespace dovetail::bench
