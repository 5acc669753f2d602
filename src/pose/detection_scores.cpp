// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <functional>

#include "pose/average_precision.h"
#include "pose/scores.h"
#include "pose/thresholds.h"

namespace dovetail::pose {
namespace {

using TableOf = std::function<ErrorTable(const ScoredObject&)>;

/// Whether an image says anything of the object: estimates of what is not there cost nothing.
bool counts(const ScoredObject& object) { return object.detect && !object.in_image->truths.empty(); }

bool is_ignored(const io::BopTruth& truth) { return truth.visible_share < least_visible; }

/// The estimates that count, right or wrong; those at ignored truths do not.
std::vector<Judged> judged(std::span<const ScoredObject> objects, const std::vector<ErrorTable>& tables,
                           double threshold) {
  std::vector<Judged> all;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const ObjectInImage& object = *objects[i].in_image;
    if (!counts(objects[i])) continue;
    std::vector<std::size_t> kept;
    for (std::size_t e = 0; e < object.estimates.size(); ++e) {
      if (object.kept[e] != 0) kept.push_back(e);
    }
    const std::vector<std::uint8_t> every_truth(object.truths.size(), 1);
    const std::vector<std::size_t> taken = match_greedily(tables[i], kept, every_truth, threshold);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const bool right = taken[k] != no_truth;
      if (right && is_ignored(object.truths[taken[k]])) continue;
      all.push_back({object.estimates[kept[k]].score, right});
    }
  }
  return all;
}

ThresholdScores precisions(std::span<const ScoredObject> objects, std::size_t truths, const TableOf& table_of,
                           std::vector<double> thresholds) {
  std::vector<ErrorTable> tables;
  for (const ScoredObject& object : objects) tables.push_back(table_of(object));
  std::vector<double> scores;
  for (const double threshold : thresholds) {
    scores.push_back(precision_at_101_recalls(judged(objects, tables, threshold), truths));
  }
  return {std::move(thresholds), std::move(scores)};
}

}  // namespace

DetectionScores detection_scores(std::span<const ScoredObject> objects) {
  DetectionScores scores;
  for (const ScoredObject& object : objects) {
    if (!counts(object)) continue;
    for (const io::BopTruth& truth : object.in_image->truths) scores.truths += !is_ignored(truth);
  }
  const auto millimetres = [](const ScoredObject& o) { return o.errors->mssd; };
  const auto diameters = [](const ScoredObject& o) {
    return o.errors->mssd.divided_by(o.in_image->model->info.diameter);
  };
  const auto pixels = [](const ScoredObject& o) { return o.errors->mspd; };
  scores.mssd = precisions(objects, scores.truths, diameters, share_thresholds());
  scores.mspd = precisions(objects, scores.truths, pixels, pixel_thresholds());
  scores.mssd_mm = precisions(objects, scores.truths, millimetres, millimetre_thresholds());
  return scores;
}

DetectionScores mean_of(std::span<const DetectionScores> of_objects) {
  DetectionScores mean;
  const auto average = [&](ThresholdScores DetectionScores::*kind) {
    ThresholdScores scores{(of_objects.front().*kind).thresholds, {}};
    for (std::size_t i = 0; i < scores.thresholds.size(); ++i) {
      double sum = 0;
      for (const DetectionScores& object : of_objects) sum += (object.*kind).scores[i];
      scores.scores.push_back(sum / static_cast<double>(of_objects.size()));
    }
    return scores;
  };
  for (const DetectionScores& object : of_objects) mean.truths += object.truths;
  mean.mssd = average(&DetectionScores::mssd);
  mean.mspd = average(&DetectionScores::mspd);
  mean.mssd_mm = average(&DetectionScores::mssd_mm);
  return mean;
}

}  // namespace dovetail::pose
