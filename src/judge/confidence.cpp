// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/confidence.h"

#include <algorithm>
#include <cmath>

#include "judge/confidence_weights.h"

namespace dovetail {

namespace {

/// Log-odds beyond this are claims that no corpus of some thousands can bear out.
constexpr double most_log_odds = 7;

double number(const Quality& quality, std::string_view name) {
  for (const Evidence& e : quality.evidence) {
    if (e.name == name) return e.value;
  }
  return 0;
}

double probability(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// That an answer is right if no other pose fits as well.
double fit_probability(Calibration calibration, double log_odds, bool searched) {
  const CalibrationWeights weights = weights_of(calibration);
  return searched ? probability(weights.slope * log_odds + weights.offset) : probability(log_odds);
}

}  // namespace

void tell_log_odds(Calibration calibration, Quality& quality) {
  if (quality.evidence.empty()) return;
  const CalibrationWeights weights = weights_of(calibration);
  double sum = weights.constant;
  for (const Weight& w : weights.each) sum += w.weight * shaped(w, number(quality, w.name));
  quality.log_odds = std::clamp(sum, -most_log_odds, most_log_odds);
}

void count_known_start(double squared_sigmas, int motions, Quality& quality) {
  quality.evidence.push_back({start_sigmas, std::sqrt(std::max(0.0, squared_sigmas))});
  const double against = 0.5 * std::max(0.0, squared_sigmas - motions);
  quality.log_odds = std::max(-most_log_odds, quality.log_odds - against);
}

void tell_confidence(Calibration calibration, std::span<Quality> answers, bool searched) {
  const CalibrationWeights weights = weights_of(calibration);
  const auto share_of = [&](std::size_t i) {
    double all = 0;
    for (const Quality& q : answers) {
      const double ahead = q.log_odds - answers[i].log_odds;
      all += std::fabs(ahead) < weights.equal ? 1 : std::exp(weights.rival * ahead);
    }
    return 1 / all;
  };
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double own = fit_probability(calibration, answers[i].log_odds, searched) * share_of(i);
    answers[i].confidence = i == 0 ? own : std::min(own, *answers[0].confidence);
  }
}

}  // namespace dovetail
