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

std::vector<Evidence> found_evidence(const Sighting& sighting, const SurfaceMisfit& misfit, double noise,
                                     double tolerance, bool viewpoint_known) {
  std::vector<Evidence> evidence = found_evidence(sighting, tolerance, viewpoint_known);
  evidence.push_back({"misfit", misfit.rms / tolerance});
  evidence.push_back({"off_surface", misfit.off});
  evidence.push_back({"noise", noise / tolerance});
  return evidence;
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

/// ln(x + at), times the weight.
struct FoundWeight {
  std::string_view name;
  double at, weight;
};

// Fitted by tools/fit_found; docs/find.md has the command and the data.
constexpr double constant = -19.877;
constexpr FoundWeight weights[] = {
    {"missing", 0.01, -0.399},   {"contradiction", 0.003, -1.151}, {"beneath", 0.003, -1.151},
    {"left_over", 0.05, -0.607}, {"off_surface", 0.01, -1.632},
};
/// So small a part of the surface is hardly ever all that is seen of an object, and what else there is tells little
/// then.
constexpr double little_support = 0.025, little_weight = 2;

double missing_of(const std::vector<Evidence>& evidence) {
  return std::max(0.0, 1 - number(evidence, "purity") - number(evidence, "contradiction"));
}

}  // namespace

double sighting_score(const std::vector<Evidence>& evidence) {
  const auto of = [&](std::string_view name) { return number(evidence, name); };
  const double score = 2 * std::log(std::max(of("support"), 1e-4) / 0.1) - 4 * of("roughness");
  return score - 60 * beyond(missing_of(evidence), 0.01) - 150 * beyond(of("contradiction"), 0.005) -
         60 * beyond(of("beneath"), 0.005) - 10 * beyond(of("continued"), 0.05) - 12 * beyond(of("left_over"), 0.06);
}

double found_log_odds(const std::vector<Evidence>& evidence) {
  double odds = constant;
  for (const FoundWeight& w : weights) {
    const double value = w.name == "missing" ? missing_of(evidence) : number(evidence, w.name);
    odds += w.weight * std::log(value + w.at);
  }
  odds += little_weight * std::min(0.0, std::log(std::max(number(evidence, "support"), 1e-4) / little_support));
  return std::clamp(odds, -7.0, 7.0);
}

}  // namespace dovetail
