// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spatial/field_grid.h"

namespace dovetail {

/// Seeds by the rows along x that hold any, and those by planes. Seeds are sorted, so a row's lie side by side, and
/// which of them is nearest to a cell of the row changes half way between two.
struct SeedRows {
  explicit SeedRows(std::span<const std::uint64_t> keys);

  std::vector<std::uint32_t> xy;          ///< of each seed: x | y << 16
  std::vector<std::uint32_t> begins;      ///< of each seed: the first x of its row's cells that are nearest to it
  std::vector<std::uint32_t> y;           ///< of each row that holds seeds
  std::vector<std::uint32_t> first_seed;  ///< of each row; one more at the end
  std::vector<std::uint32_t> plane;       ///< z of each plane that holds seeds
  std::vector<std::uint32_t> first_row;   ///< of each such plane; one more at the end
};

}  // namespace dovetail
