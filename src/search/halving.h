// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dovetail {

/// Some iterations of all starts that are left, and how many of them, the best, go on.
struct HalvingRound {
  int iterations = 0;
  std::size_t kept = 0;
};

/// How starts are dropped early: after every seventh of the schedule two in three of those that are left, down to
/// `least`; what is left of the schedule is theirs. A thousand starts cost little more than three times their first
/// seventh. Where there are no more than `least`, all run all of it.
inline std::vector<HalvingRound> halving_rounds(std::size_t starts, int iterations, std::size_t least) {
  constexpr double part = 0.15;
  constexpr std::size_t cut = 3;
  const int each = std::max(2, static_cast<int>(part * iterations));
  std::vector<HalvingRound> rounds;
  while (starts > least && iterations > each) {
    starts = std::max(least, starts / cut);
    rounds.push_back({each, starts});
    iterations -= each;
  }
  rounds.push_back({iterations, starts});
  return rounds;
}

}  // namespace dovetail
