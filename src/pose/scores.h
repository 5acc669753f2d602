// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/pose_evaluation.h"
#include "pose/image_errors.h"

// Errors turned into scores. Each takes objects in images, in the order of the images: those of one kind, or all.

namespace dovetail::pose {

struct ScoredObject {
  const ObjectInImage* in_image = nullptr;
  const ObjectErrors* errors = nullptr;
  bool detect = false;  ///< whether its image is a target of detection
};

/// BOP19's recalls, ADD, ADI, and the vertex errors of the paper on range images.
LocalisationScores localisation_scores(std::span<const ScoredObject> objects, bool with_vsd);

/// BOP24's and BOP25's average precision of one kind of object.
DetectionScores detection_scores(std::span<const ScoredObject> objects);
/// The mean over the kinds of objects, which have a truth each; `truths` is the sum.
DetectionScores mean_of(std::span<const DetectionScores> of_objects);

/// Recall, precision and average precision by Brégier's distance, of one kind of object.
BulkScores bulk_scores(std::span<const ScoredObject> objects);
/// Of all kinds together: counts are added up, average precision is the mean over those that have one.
BulkScores total_of(std::span<const BulkScores> of_objects);

}  // namespace dovetail::pose
