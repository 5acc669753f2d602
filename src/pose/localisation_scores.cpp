// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <functional>
#include <numbers>

#include "pose/scores.h"
#include "pose/thresholds.h"

namespace dovetail::pose {
namespace {

/// Which truth each of the estimates that count takes.
std::vector<std::size_t> matches(const ScoredObject& object, const ErrorTable& errors, double threshold) {
  return match_greedily(errors, first_of(object.errors->localised), object.errors->is_target, threshold);
}

/// A table of errors for each object, in the unit of the thresholds.
using TableOf = std::function<ErrorTable(const ScoredObject&)>;

/// The recalls at several thresholds.
std::vector<double> recalls(std::span<const ScoredObject> objects, std::size_t targets, const TableOf& table_of,
                            const std::vector<double>& thresholds) {
  std::vector<std::size_t> found(thresholds.size(), 0);
  for (const ScoredObject& object : objects) {
    const ErrorTable table = table_of(object);
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      for (const std::size_t truth : matches(object, table, thresholds[i])) found[i] += truth != no_truth;
    }
  }
  std::vector<double> shares;
  for (const std::size_t count : found) {
    shares.push_back(targets == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(targets));
  }
  return shares;
}

double diameter(const ScoredObject& object) { return object.in_image->model->info.diameter; }

void add_vertex_scores(std::span<const ScoredObject> objects, LocalisationScores& scores) {
  LocalisationScores::VertexErrors sum;
  double right = 0;
  constexpr double to_degrees = 180 / std::numbers::pi;
  for (const ScoredObject& object : objects) {
    const ErrorTable& table = object.errors->vertex;
    const std::vector<std::size_t> taken = matches(object, table, a_tenth);
    for (std::size_t e = 0; e < taken.size(); ++e) {
      if (taken[e] == no_truth) continue;
      const VertexError& error = object.errors->vertex_errors[e * table.truths() + taken[e]];
      right += 1;
      sum.share_of_diagonal += table(e, taken[e]);
      for (std::size_t k = 0; k < 3; ++k) sum.degrees_about[k] += to_degrees * std::fabs(error.angles[k]);
      sum.degrees += to_degrees * error.angle;
    }
  }
  if (right == 0) return;
  scores.vertex_recall = right / static_cast<double>(scores.targets);
  for (double* value :
       {&sum.share_of_diagonal, &sum.degrees, &sum.degrees_about[0], &sum.degrees_about[1], &sum.degrees_about[2]}) {
    *value /= right;
  }
  scores.vertex_errors = sum;
}

}  // namespace

LocalisationScores localisation_scores(std::span<const ScoredObject> objects, bool with_vsd) {
  LocalisationScores scores;
  for (const ScoredObject& object : objects) {
    for (const std::uint8_t is_target : object.errors->is_target) scores.targets += is_target;
  }
  const auto of = [&](const TableOf& table_of, std::vector<double> thresholds) {
    std::vector<double> shares = recalls(objects, scores.targets, table_of, thresholds);
    return ThresholdScores{std::move(thresholds), std::move(shares)};
  };
  scores.mssd = of([](const ScoredObject& o) { return o.errors->mssd.divided_by(diameter(o)); }, share_thresholds());
  scores.mspd = of([](const ScoredObject& o) { return o.errors->mspd; }, pixel_thresholds());
  scores.add_recall =
      of([](const ScoredObject& o) { return o.errors->add.divided_by(diameter(o)); }, {a_tenth}).scores[0];
  scores.adi_recall =
      of([](const ScoredObject& o) { return o.errors->adi.divided_by(diameter(o)); }, {a_tenth}).scores[0];
  add_vertex_scores(objects, scores);
  if (!with_vsd) return scores;
  scores.vsd = ThresholdScores{share_thresholds(), {}};
  for (std::size_t tolerance = 0; tolerance < vsd_tolerances; ++tolerance) {
    const ThresholdScores at = of([&](const ScoredObject& o) { return o.errors->vsd[tolerance]; }, share_thresholds());
    scores.vsd->scores.insert(scores.vsd->scores.end(), at.scores.begin(), at.scores.end());
  }
  scores.average_recall = (scores.vsd->mean() + scores.mssd.mean() + scores.mspd.mean()) / 3;
  return scores;
}

}  // namespace dovetail::pose
