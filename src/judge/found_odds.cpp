// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/found_odds.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace dovetail {

std::vector<Evidence> found_evidence(const Sighting& s, double tolerance, bool viewpoint_known) {
  const double rms = s.explained > 0 ? std::sqrt(s.squares / s.explained) : tolerance;
  return {{"purity", s.purity()},
          {"support", s.asked > 0 ? s.explained / s.asked : 0},
          {"contradiction", s.visible() > 0 ? s.contradicted / s.visible() : 0},
          {"roughness", rms / tolerance},
          {"beneath", s.asked > 0 ? s.beneath / s.asked : 0},
          {"continued", s.slots.empty() ? 0 : s.continued / static_cast<double>(s.slots.size())},
          {"left_over", s.slots.empty() ? 0 : s.left_over / static_cast<double>(s.slots.size())},
          {"viewpoint", viewpoint_known ? 1.0 : 0.0}};
}

namespace {

double number(const std::vector<Evidence>& evidence, std::string_view name) {
  for (const Evidence& e : evidence) {
    if (e.name == name) return e.value;
  }
  return 0;
}

/// The part of a number that edges and noise do not account for.
double beyond(double value, double usual) { return std::max(0.0, value - usual); }

}  // namespace

double found_log_odds(const std::vector<Evidence>& evidence) {
  const auto of = [&](std::string_view name) { return number(evidence, name); };
  // Set by hand on scenes of built-in parts (find_scenes --set clutter_built_in, clutter_built_in_absent): docs/find.md
  // says so. Of right answers nearly nothing is contradicted, beneath a table or left over.
  const double missing = 1 - of("purity") - of("contradiction");
  double odds = 3.5 + 2 * std::log(std::max(of("support"), 1e-4) / 0.1) - 4 * (of("roughness") - 0.3);
  odds -= 60 * beyond(missing, 0.01) + 150 * beyond(of("contradiction"), 0.005) + 60 * beyond(of("beneath"), 0.005) +
          10 * beyond(of("continued"), 0.05) + 12 * beyond(of("left_over"), 0.06);
  return std::clamp(odds, -7.0, 7.0);
}

}  // namespace dovetail
