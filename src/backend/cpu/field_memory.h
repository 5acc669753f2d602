// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwy/aligned_allocator.h"
#include "spatial/distance_field.h"

namespace dovetail {

/// Cells side by side along x that are worked on together.
inline constexpr std::uint32_t field_lanes = 16, field_lane_bits = 4;

/// What all lines of a field have in common.
struct LineRule {
  bool dense = true;
  std::uint32_t reach = 0;                 ///< farther along the line no candidate counts
  std::uint32_t most = 0;                  ///< the largest squared distance that counts
  std::uint32_t most_across = 0;           ///< squared distances across the line are cut off here
  std::uint32_t bits = 1;                  ///< low bits left free by squared distances, for the number of a candidate
  const std::uint32_t* squares = nullptr;  ///< of each step along a line from -reach to reach, shifted by `bits`
};

/// The rule of a field, with the table it points to.
class FieldRule {
 public:
  explicit FieldRule(const FieldLevel& level);
  const LineRule& rule() const { return rule_; }

 private:
  LineRule rule_;
  std::vector<std::uint32_t> squares_;
};

/// Room for the candidates of sixteen lines; kept from lines to lines.
struct LineMemory {
  LineMemory(std::size_t candidates, std::size_t coordinates);

  hwy::AlignedFreeUniquePtr<std::uint32_t[]> numbers;
  std::uint32_t* value;  ///< of each candidate and line: squared distance across, and the candidate's low bits
  std::uint32_t* seed;   ///< of each candidate and line
  std::uint32_t* at;     ///< coordinate of each candidate
  std::uint32_t* below;  ///< how many candidates there are before each coordinate
};

}  // namespace dovetail
