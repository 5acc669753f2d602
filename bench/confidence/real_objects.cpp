// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "confidence/real_objects.h"

namespace dovetail::bench::confidence {
const std::vector<RealPair>& real_pairs() {
  static const std::vector<RealPair> pairs;
  return pairs;
}
const std::vector<RealCloud>& real_clouds() {
  static const std::vector<RealCloud> clouds;
  return clouds;
}
const std::vector<RealCloud>& planar_clouds() {
  static const std::vector<RealCloud> clouds;
  return clouds;
}
}  // namespace dovetail::bench::confidence
