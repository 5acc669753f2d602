// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/found_part_odds.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "pose/part_weights.h"

namespace dovetail::pose {
namespace {

double share_of(double some, double all) { return all > 0 ? some / all : 0; }

double number(const PartEvidence& evidence, std::string_view name) {
  for (const Evidence& e : evidence.named()) {
    if (e.name == name) return e.value;
  }
  return 0;
}

}  // namespace

std::vector<Evidence> PartEvidence::named() const {
  return {{"purity", purity},       {"visible", visible},   {"closeness", closeness}, {"edges", edges},
          {"continued", continued}, {"seamless", seamless}, {"crossed", crossed},     {"normals", normals},
          {"askew", askew},         {"beneath", beneath},   {"sunk", sunk},           {"log_pixels", log_pixels},
          {"shared", shared},       {"inside", inside}};
}

PartEvidence part_evidence(const drawn::Seen& seen, const drawn::Told& told, std::size_t surface_points,
                           double tolerance, bool outlined) {
  PartEvidence evidence;
  evidence.purity = share_of(seen.explained, seen.explained + seen.impossible);
  evidence.visible = share_of(seen.explained, seen.pixels);
  evidence.closeness = 1 - (seen.explained > 0 ? std::sqrt(seen.squares / seen.explained) : 0) / tolerance;
  evidence.log_pixels = std::log(std::max(1.0, seen.explained));
  constexpr double fairly_met = 0.97, fairly_continued = 0.03;  // the worse quarter of right poses begins there
  evidence.edges = !outlined ? fairly_met : told.steps > 0 ? told.met / told.steps : 1;
  evidence.continued = outlined ? share_of(told.continued, told.outline + told.unmeasured) : fairly_continued;
  evidence.seamless = share_of(told.seamless, told.border);
  evidence.crossed = share_of(told.crossed, told.inner);
  evidence.normals = share_of(told.cosines, told.told);
  evidence.askew = share_of(told.askew, told.told);
  evidence.beneath = share_of(told.beneath, seen.explained);
  evidence.sunk = share_of(told.sunk, static_cast<double>(surface_points));
  return evidence;
}

double part_log_odds(const PartEvidence& evidence) {
  double odds = part_weights.constant;
  for (const Weight& weight : part_weights.each) odds += weight.weight * shaped(weight, number(evidence, weight.name));
  return std::clamp(odds, -7.0, 7.0);
}

double odds_against(double log_odds, const RivalOdds& rival) {
  const double less = part_weights.share * std::log(std::max(rival.share, 1e-3));
  const double exponent = part_weights.rival * (rival.log_odds + less - log_odds) - part_weights.worse * rival.worse;
  return std::exp(std::clamp(exponent, -30.0, 30.0));
}

double part_confidence(double log_odds, std::span<const RivalOdds> rivals) {
  double all = 1;
  for (const RivalOdds& rival : rivals) all += odds_against(log_odds, rival);
  return 1 / (1 + std::exp(-part_weights.slope * log_odds - part_weights.offset)) / all;
}

}  // namespace dovetail::pose
