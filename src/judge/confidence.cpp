// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/confidence.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

namespace {

double number(const Quality& quality, const char* name) {
  for (const Evidence& e : quality.evidence) {
    if (e.name == name) return e.value;
  }
  return 0;
}

double probability(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

}  // namespace

double log_odds(const Quality& q) {
  if (q.evidence.empty()) return -20;
  if (number(q, "facing_there") + number(q, "facing_back") == 0) return -20;
  const double k = std::min(number(q, "k_there"), number(q, "k_back"));
  const double e = std::log(0.5 * (number(q, "e80_there") + number(q, "e80_back")) + 1e-3);
  const double held = std::min(number(q, "held_there"), number(q, "held_back"));
  return std::clamp(0.5 * k - 3 * (e + 0.5) + 0.7 * (held + 5), -20.0, 20.0);
}

void tell_confidence(Registration& result) {
  const double own = log_odds(result);
  double rivals = 0;
  for (const Registration& other : result.alternatives) rivals += std::exp(log_odds(other) - own);
  result.confidence = probability(own) / (1 + rivals);
  for (Registration& other : result.alternatives) {
    other.confidence = std::min(*result.confidence, probability(log_odds(other)));
  }
}

}  // namespace dovetail
