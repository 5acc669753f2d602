// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/run.h"

// How good estimated poses are, against a data set in the layout of the BOP benchmark whose truth is known.
// docs/pose_evaluation.md tells every score, its conventions, and every key of the JSON. Link dovetail::pose.

namespace dovetail {

/// Where a data set lies. Names that are not absolute are relative to `folder`. Files that have another name than the
/// usual have to be there.
struct PoseDataset {
  std::filesystem::path folder;
  std::string split = "test";  ///< the folder with the scenes
  /// Which objects are to be found in which image, and how many of each (BOP19).
  std::filesystem::path targets = "test_targets_bop19.json";
  /// In which images objects are to be detected (BOP24). Where it is absent: the images of `targets`.
  std::filesystem::path detection_targets = "test_targets_bop24.json";
  /// Its width scales errors in pixels. Where it is absent: the width of the depth images.
  std::filesystem::path camera = "camera.json";
};

struct PoseEvaluationOptions {
  /// Whether to score the visible surface (VSD), for which both poses are rendered. It needs depth images and Embree;
  /// without it there is no BOP19 average.
  bool vsd = true;

  /// How far the model may lie behind the measured surface and still count as visible, in millimetres. BOP takes 15,
  /// and 5 for ITODD.
  double vsd_delta = 15;

  /// Estimates of an image that count in detection scores: those with the best scores. BOP takes 100, and 200 for
  /// XYZ-IBD.
  int estimates_per_image = 100;
};

/// A score at each of several thresholds. VSD has two kinds: its tolerances are gone through for each threshold.
struct ThresholdScores {
  std::vector<double> thresholds;
  std::vector<double> scores;  ///< at each threshold; of VSD at scores[tolerance × thresholds + threshold]
  double mean() const {
    double sum = 0;
    for (const double score : scores) sum += score;
    return scores.empty() ? 0 : sum / static_cast<double>(scores.size());
  }
};

/// Localisation: of the truths that are targets, which were found. Empty where there are no targets.
struct LocalisationScores {
  std::size_t targets = 0;               ///< truths to be found
  std::optional<ThresholdScores> vsd;    ///< recall, errors as a share of the visible surface
  ThresholdScores mssd;                  ///< recall, errors in diameters
  ThresholdScores mspd;                  ///< recall, errors in pixels of an image 640 wide
  double add_recall = 0;                 ///< mean distance of vertices below a tenth of the diameter
  double adi_recall = 0;                 ///< mean distance to the nearest vertex below a tenth of the diameter
  std::optional<double> average_recall;  ///< BOP19's AR: the mean of VSD's, MSSD's and MSPD's; none without VSD

  /// As in the paper on range images: right where the mean distance of corresponding vertices, the smallest over
  /// symmetries, is below a tenth of the bounding box's diagonal. The errors are means over what is right.
  double vertex_recall = 0;
  struct VertexErrors {
    double share_of_diagonal = 0;
    std::array<double, 3> degrees_about{};  ///< absolute angles about the camera's x, y and z
    double degrees = 0;                     ///< of the whole rotation between truth and estimate
  };
  std::optional<VertexErrors> vertex_errors;  ///< none where nothing is right
};

/// Detection: average precision over all images, of one object or as the mean over objects.
struct DetectionScores {
  std::size_t truths = 0;   ///< visible by a tenth at least
  ThresholdScores mssd;     ///< thresholds in diameters
  ThresholdScores mspd;     ///< in pixels of an image 640 wide
  ThresholdScores mssd_mm;  ///< in millimetres
};

/// Parts in bulk: an estimate is right where Brégier's distance to a truth is below a tenth of the diameter of the
/// smallest sphere about the part's centre.
struct BulkScores {
  std::size_t truths = 0;     ///< hidden by less than a half: these have to be found
  std::size_t estimates = 0;  ///< without those that are at truths hidden by more
  std::size_t right = 0;
  std::optional<double> recall, precision, f1, average_precision;  ///< none where there is nothing to divide by
};

struct PoseScores {
  std::optional<LocalisationScores> localisation;
  std::optional<DetectionScores> detection;
  BulkScores bulk;
};

/// What estimates are worth.
struct PoseEvaluation {
  PoseScores all;
  std::map<int, PoseScores> objects;  ///< by their ids
  std::optional<double> bop19, bop24, bop25, bop25_mm;

  std::string results, dataset, split, models;  ///< `models`: the folder that was taken
  std::vector<std::string> notes;               ///< what was not there and what was done instead
  std::size_t images = 0;                       ///< that are targets of either kind
  std::size_t estimates = 0;                    ///< rows of the results
  std::size_t estimates_elsewhere = 0;          ///< of them, those in images that are no targets: they do not count
  std::optional<double> seconds_per_image;      ///< as the results tell; none where one of the images has none
  std::string version, build;
  PoseEvaluationOptions options;
};

/// Whether VSD was built in: it needs Embree.
bool vsd_available();

/// Scores a results CSV of the BOP benchmark. Of `run` only `threads` counts, and scores do not depend on it. Throws
/// FileError for a file that is absent, cannot be read, or does not fit the others, naming it, the place and the
/// reason; InvalidArgument for an option out of range.
PoseEvaluation evaluate_pose_estimates(const std::filesystem::path& results, const PoseDataset& dataset,
                                       const PoseEvaluationOptions& options = {}, const Run& run = {});

/// The whole of it as JSON, schema dovetail.pose_evaluation/1.
std::string to_json(const PoseEvaluation& evaluation, int indent = 2);
/// Writes to_json(evaluation). The file appears whole or not at all. Throws FileError.
void write_pose_evaluation(const std::filesystem::path& file, const PoseEvaluation& evaluation);

}  // namespace dovetail
