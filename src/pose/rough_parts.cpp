// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rough_parts.h"

#include <algorithm>

namespace dovetail::pose {
namespace {

/// Places of a reference that are tried as the one the search begins at.
constexpr std::size_t seeds = 48;

/// Of each reference, as a share of the largest: its pixels' weights. (7)
std::vector<double> sizes_of(const PoseReferences& part) {
  std::vector<double> sizes;
  for (std::size_t r = 0; r < part.references.size(); ++r) {
    double sum = 0;
    for (const ReferencePixel& p : part.image(r)) sum += p.depth != 0 ? p.confidence : 0;
    sizes.push_back(sum);
  }
  double largest = 1;
  for (const double size : sizes) largest = std::max(largest, size);
  for (double& size : sizes) size /= largest;
  return sizes;
}

}  // namespace

std::vector<RoughPart> rough_parts(Backend& backend, std::span<const PoseReferences> parts, RoughErrors errors) {
  std::vector<RoughPart> made(parts.size());
  backend.on_host([&] {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      made[i].laid = laid_references(parts[i], errors == RoughErrors::paper ? 0 : seeds);
      for (const LaidReference& r : made[i].laid.references) made[i].most_seeds = std::max(made[i].most_seeds, r.seeds);
      made[i].size = sizes_of(parts[i]);
    }
  });
  for (RoughPart& part : made) part.placed = put(backend.memory(), part.laid);
  return made;
}

}  // namespace dovetail::pose
