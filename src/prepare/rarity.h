// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

/// How telling it is that a point agrees with the other cloud: −ln of the share of poses, of all that a search came to,
/// at which it does. A wall lies on a wall at most of them, a chair on a chair at few.
inline std::vector<double> rarity_of(std::span<const std::uint32_t> agreed, std::size_t poses) {
  std::vector<double> rarity;
  for (const std::uint32_t n : agreed) rarity.push_back(-std::log((n + 1.0) / (static_cast<double>(poses) + 2)));
  return rarity;
}

/// Of some points of both clouds, and what the pose has that is most distinct by it (judge/distinction.h).
struct Rarity {
  std::vector<double> source, target;
  double most_distinct = 0;
};

}  // namespace dovetail
