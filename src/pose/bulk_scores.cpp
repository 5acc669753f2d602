// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/average_precision.h"
#include "pose/scores.h"
#include "pose/thresholds.h"

namespace dovetail::pose {
namespace {

void set_ratios(BulkScores& scores) {
  const auto right = static_cast<double>(scores.right), truths = static_cast<double>(scores.truths),
             estimates = static_cast<double>(scores.estimates);
  if (truths > 0) scores.recall = right / truths;
  if (estimates > 0) scores.precision = right / estimates;
  if (truths + estimates > 0) scores.f1 = 2 * right / (truths + estimates);
}

}  // namespace

BulkScores bulk_scores(std::span<const ScoredObject> objects) {
  BulkScores scores;
  std::vector<Judged> judged;
  for (const ScoredObject& scored : objects) {
    if (!scored.detect) continue;
    const ObjectInImage& object = *scored.in_image;
    const auto has_to_be_found = [](const io::BopTruth& truth) { return truth.visible_share > least_visible_in_bulk; };
    for (const io::BopTruth& truth : object.truths) scores.truths += has_to_be_found(truth);
    const std::vector<std::uint8_t> every_truth(object.truths.size(), 1);
    const std::vector<std::size_t> taken = match_greedily(scored.errors->bulk, first_of(object.estimates.size()),
                                                          every_truth, a_tenth * object.model->bulk.diameter);
    for (std::size_t e = 0; e < taken.size(); ++e) {
      const bool right = taken[e] != no_truth;
      if (right && !has_to_be_found(object.truths[taken[e]])) continue;
      judged.push_back({object.estimates[e].score, right});
      scores.right += right;
    }
  }
  scores.estimates = judged.size();
  set_ratios(scores);
  if (scores.truths > 0) scores.average_precision = area_below_precision(std::move(judged), scores.truths);
  return scores;
}

BulkScores total_of(std::span<const BulkScores> of_objects) {
  BulkScores total;
  double sum = 0, kinds = 0;
  for (const BulkScores& object : of_objects) {
    total.truths += object.truths;
    total.estimates += object.estimates;
    total.right += object.right;
    if (object.average_precision) sum += *object.average_precision, kinds += 1;
  }
  set_ratios(total);
  if (kinds > 0) total.average_precision = sum / kinds;
  return total;
}

}  // namespace dovetail::pose
