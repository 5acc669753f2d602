// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <exception>

#include "dovetail/machines.h"
#include "dovetail/options.h"
#include "dovetail/pose_evaluation.h"
#include "pose/depth_renderer.h"
#include "pose/scores.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace pose;

/// Of every image, side by side. What goes wrong is told for the first image that it goes wrong with.
std::vector<std::vector<ObjectErrors>> errors_of_images(const std::vector<ScoredImage>& images, bool with_vsd,
                                                        double vsd_delta, int threads) {
  std::vector<std::vector<ObjectErrors>> errors(images.size());
  std::vector<std::exception_ptr> failures(images.size());
  Threads(threads).execute([&] {
    parallel_for(images.size(), 1, [&](std::size_t i) {
      try {
        errors[i] = errors_of(images[i], with_vsd, vsd_delta);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return errors;
}

void add_scores(const ScoredImages& scored, const std::vector<std::vector<ObjectErrors>>& errors, bool with_vsd,
                PoseEvaluation& result) {
  std::vector<ScoredObject> all;
  std::map<int, std::vector<ScoredObject>> by_kind;
  for (std::size_t i = 0; i < scored.images.size(); ++i) {
    const ScoredImage& image = scored.images[i];
    for (std::size_t k = 0; k < image.objects.size(); ++k) {
      all.push_back({&image.objects[k], &errors[i][k], image.detect});
      by_kind[image.objects[k].object].push_back(all.back());
    }
  }
  std::vector<DetectionScores> detection;
  std::vector<BulkScores> bulk;
  for (const auto& [id, objects] : by_kind) {
    PoseScores& scores = result.objects[id];
    const LocalisationScores localisation = localisation_scores(objects, with_vsd);
    if (localisation.targets > 0) scores.localisation = localisation;
    const DetectionScores detected = detection_scores(objects);
    if (detected.truths > 0) scores.detection = detection.emplace_back(detected);
    scores.bulk = bulk.emplace_back(bulk_scores(objects));
  }
  const LocalisationScores localisation = localisation_scores(all, with_vsd);
  if (localisation.targets > 0) result.all.localisation = localisation;
  if (!detection.empty()) result.all.detection = mean_of(detection);
  result.all.bulk = total_of(bulk);
}

}  // namespace

bool vsd_available() { return depth_renderer_available(); }

PoseEvaluation evaluate_pose_estimates(const std::filesystem::path& results, const PoseDataset& dataset,
                                       const PoseEvaluationOptions& options, const Run& run) {
  validate(options);
  validate(run);
  const bool with_vsd = options.vsd && vsd_available();
  ScoredImages scored = read_scored_images(results, dataset, options, with_vsd);
  if (scored.localise && !options.vsd) scored.notes.push_back("VSD was not asked for: there is no average for BOP19");
  if (scored.localise && options.vsd && !with_vsd) {
    scored.notes.push_back(
        "VSD is not in this build, it needs Embree 3 (Debian: libembree-dev): there is no average for BOP19");
  }
  PoseEvaluation result;
  const auto errors = errors_of_images(scored.images, with_vsd, options.vsd_delta, run.threads);
  add_scores(scored, errors, with_vsd, result);
  if (result.all.localisation) result.bop19 = result.all.localisation->average_recall;
  if (const auto& detection = result.all.detection) {
    result.bop24 = 0.5 * (detection->mssd.mean() + detection->mspd.mean());
    result.bop25 = detection->mssd.mean();
    result.bop25_mm = detection->mssd_mm.mean();
  }
  result.results = results.string();
  result.dataset = dataset.folder.string();
  result.split = dataset.split;
  result.models = scored.models_folder;
  result.notes = std::move(scored.notes);
  result.images = scored.images.size();
  result.estimates = scored.estimates;
  result.estimates_elsewhere = scored.estimates_elsewhere;
  result.seconds_per_image = scored.seconds_per_image;
  const BuildInfo build = build_info();
  result.version = build.version;
  result.build = build.compiler;
  result.options = options;
  return result;
}

}  // namespace dovetail
