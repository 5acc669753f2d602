// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/matching.h"

#include <numeric>

namespace dovetail::pose {

std::vector<std::size_t> match_greedily(const ErrorTable& errors, std::span<const std::size_t> estimates,
                                        std::span<const std::uint8_t> allowed, double threshold) {
  std::vector<std::uint8_t> free(allowed.begin(), allowed.end());
  std::vector<std::size_t> taken;
  for (const std::size_t estimate : estimates) {
    std::size_t nearest = no_truth;
    double least = threshold;
    for (std::size_t truth = 0; truth < errors.truths(); ++truth) {
      if (free[truth] == 0 || !(errors(estimate, truth) < least)) continue;
      least = errors(estimate, truth);
      nearest = truth;
    }
    if (nearest != no_truth) free[nearest] = 0;
    taken.push_back(nearest);
  }
  return taken;
}

std::vector<std::size_t> first_of(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace dovetail::pose
