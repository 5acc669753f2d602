// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/found_odds.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

std::vector<Evidence> found_evidence(const Sighting& s, double tolerance, bool viewpoint_known) {
  const double rms = s.explained > 0 ? std::sqrt(s.squares / s.explained) : tolerance;
  return {{"purity", s.purity()},
          {"support", s.asked > 0 ? s.explained / s.asked : 0},
          {"contradiction", s.visible() > 0 ? s.contradicted / s.visible() : 0},
          {"roughness", rms / tolerance},
          {"beneath", s.asked > 0 ? s.beneath / s.asked : 0},
          {"continued", s.slots.empty() ? 0 : s.continued / static_cast<double>(s.slots.size())},
          {"viewpoint", viewpoint_known ? 1.0 : 0.0}};
}

double found_log_odds(const std::vector<Evidence>& evidence) {
  double purity = 0, support = 0, roughness = 1, continued = 0, beneath = 0;
  for (const Evidence& e : evidence) {
    if (e.name == "purity") purity = e.value;
    if (e.name == "support") support = e.value;
    if (e.name == "roughness") roughness = e.value;
    if (e.name == "beneath") beneath = e.value;
    if (e.name == "continued") continued = e.value;
  }
  const double sum = 12 * (purity - 0.75) + 2 * std::log(std::max(support, 1e-4) / 0.1) - 3 * (roughness - 0.4) -
                     10 * std::max(0.0, continued - 0.05) - 20 * std::max(0.0, beneath - 0.02);
  return std::clamp(sum, -7.0, 7.0);
}

}  // namespace dovetail
