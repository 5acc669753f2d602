// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "find/cases.h"

// One maker for every set of cases. docs/benchmarks.md tells what is in each.

namespace dovetail::bench::find {

Case clutter(std::uint64_t index, std::uint64_t seed);
Case clutter_absent(std::uint64_t index, std::uint64_t seed);
Case clutter_built_in(std::uint64_t index, std::uint64_t seed);
Case clutter_built_in_absent(std::uint64_t index, std::uint64_t seed);
Case laid_table(std::uint64_t index, std::uint64_t seed);
Case rooms(std::uint64_t index, std::uint64_t seed);
Case rooms_as_scanned(std::uint64_t index, std::uint64_t seed);
Case views(std::uint64_t index, std::uint64_t seed);
Case milk_with_start(std::uint64_t index, std::uint64_t seed);
Case milk_anywhere(std::uint64_t index, std::uint64_t seed);

}  // namespace dovetail::bench::find
