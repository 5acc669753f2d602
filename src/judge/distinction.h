// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "prepare/levels.h"

namespace dovetail {

/// How much sets poses apart from what fits anyhow: points of both clouds that agree, each by its rarity, as a share of
/// all; less those that contradict, and those that lie where a sensor looked through. docs/methods/gpicp.md (6).
std::vector<double> distinctions(const Prepared& prepared, const Rarity& rarity, const Level& full,
                                 std::span<const Similarity3> poses, Backend& backend);

/// The rarity of points among the poses that a search came to, and how distinct each of these is by it.
struct RarityAmong {
  std::shared_ptr<const Rarity> rarity;
  std::vector<double> distinctions;
};
RarityAmong rarity_among(const Prepared& prepared, const Level& full, std::span<const Similarity3> poses,
                         Backend& backend);

}  // namespace dovetail
