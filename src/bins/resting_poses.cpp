// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "dovetail/bins.h"
#include "dovetail/error.h"

namespace dovetail {

RestingPoses resting_poses(std::span<const BinPart> parts, std::span<const std::string> names,
                           std::span<const Bin> bins, const std::string& unit) {
  if (names.size() != parts.size()) {
    throw InvalidArgument(fmt::format("names: {} for {} parts; allowed: one for each", names.size(), parts.size()));
  }
  RestingPoses poses;
  poses.unit = unit;
  for (std::size_t i = 0; i < parts.size(); ++i) poses.parts.push_back(resting_kind(names[i], *parts[i].mesh));
  for (const Bin& bin : bins) poses.bins.push_back({bin.seed, bin.length, bin.width, bin.height, bin.parts});
  return poses;
}

}  // namespace dovetail
