// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/field_memory.h"

#include <algorithm>
#include <bit>
#include <new>

namespace dovetail {

FieldRule::FieldRule(const FieldLevel& level) {
  std::uint64_t most = 0;
  std::uint32_t longest = 0;
  for (const std::uint32_t cells : level.grid.cells) {
    most += std::uint64_t{cells - 1} * (cells - 1);
    longest = std::max(longest, cells - 1);
  }
  rule_.dense = level.band == 0;
  rule_.reach = rule_.dense ? longest : level.band;
  rule_.most = rule_.dense ? static_cast<std::uint32_t>(most) : level.band * level.band;
  rule_.most_across = rule_.dense ? rule_.most : rule_.most + 1;
  const std::uint32_t largest = rule_.dense ? rule_.most : rule_.most_across + rule_.most;
  rule_.bits = std::min(16u, 32u - static_cast<std::uint32_t>(std::bit_width(largest)));
  squares_.resize(std::size_t{2} * rule_.reach + 1);
  for (std::uint32_t i = 0; i <= rule_.reach; ++i) {
    squares_[rule_.reach + i] = squares_[rule_.reach - i] = i * i << rule_.bits;
  }
  rule_.squares = squares_.data() + rule_.reach;
}

LineMemory::LineMemory(std::size_t candidates, std::size_t coordinates)
    : numbers(hwy::AllocateAligned<std::uint32_t>((2 * field_lanes + 1) * candidates + coordinates + 1)) {
  if (numbers == nullptr) throw std::bad_alloc();
  value = numbers.get();
  seed = value + field_lanes * candidates;
  at = seed + field_lanes * candidates;
  below = at + candidates;
}

}  // namespace dovetail
