// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_tables.h"

#include <fmt/format.h>

#include "summary.h"

namespace dovetail::app {
namespace {

std::string percent(const std::optional<double>& share) { return share ? fmt::format("{:.2f}", 100 * *share) : "-"; }

std::optional<double> mean_of(const std::optional<ThresholdScores>& scores) {
  return scores ? std::optional(scores->mean()) : std::nullopt;
}

void print_localisation(const LocalisationScores& scores) {
  print_line("BOP19", fmt::format("AR {}   VSD {}   MSSD {}   MSPD {}   of {} targets", percent(scores.average_recall),
                                  percent(mean_of(scores.vsd)), percent(scores.mssd.mean()),
                                  percent(scores.mspd.mean()), scores.targets));
  print_line("ADD", fmt::format("recall {}   ADD-S {}   below a tenth of the diameter", percent(scores.add_recall),
                                percent(scores.adi_recall)));
  print_line("vertices", fmt::format("recall {}   below a tenth of the box's diagonal", percent(scores.vertex_recall)));
  if (const auto& errors = scores.vertex_errors) {
    print_line("",
               fmt::format("of these: mean {:.3f}% of the diagonal, {:.3f} {:.3f} {:.3f} degrees about x y z, {:.3f} "
                           "in all",
                           100 * errors->share_of_diagonal, errors->degrees_about[0], errors->degrees_about[1],
                           errors->degrees_about[2], errors->degrees));
  }
}

void print_detection(const PoseEvaluation& evaluation, const DetectionScores& scores) {
  print_line("BOP24", fmt::format("mAP {}   MSSD {}   MSPD {}   of {} visible truths", percent(evaluation.bop24),
                                  percent(scores.mssd.mean()), percent(scores.mspd.mean()), scores.truths));
  print_line("BOP25",
             fmt::format("mAP {}   in millimetres {}", percent(evaluation.bop25), percent(evaluation.bop25_mm)));
}

void print_objects(const PoseEvaluation& evaluation) {
  fmt::print("\n  {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "object", "AR",
             "VSD", "MSSD", "MSPD", "ADD", "ADD-S", "AP-MSSD", "AP-MSPD", "AP-mm", "recall", "prec.", "AP");
  for (const auto& [id, scores] : evaluation.objects) {
    const auto& l = scores.localisation;
    const auto& d = scores.detection;
    const auto of = [](const auto& group, auto value) { return group ? percent(value(*group)) : "-"; };
    using L = LocalisationScores;
    using D = DetectionScores;
    fmt::print("  {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", id,
               of(l, [](const L& s) { return s.average_recall; }), of(l, [](const L& s) { return mean_of(s.vsd); }),
               of(l, [](const L& s) { return s.mssd.mean(); }), of(l, [](const L& s) { return s.mspd.mean(); }),
               of(l, [](const L& s) { return s.add_recall; }), of(l, [](const L& s) { return s.adi_recall; }),
               of(d, [](const D& s) { return s.mssd.mean(); }), of(d, [](const D& s) { return s.mspd.mean(); }),
               of(d, [](const D& s) { return s.mssd_mm.mean(); }), percent(scores.bulk.recall),
               percent(scores.bulk.precision), percent(scores.bulk.average_precision));
  }
}

}  // namespace

void print_pose_evaluation(const PoseEvaluation& evaluation) {
  fmt::print("{} on {}/{}, in percent\n", evaluation.results, evaluation.dataset, evaluation.split);
  if (evaluation.all.localisation) print_localisation(*evaluation.all.localisation);
  if (evaluation.all.detection) print_detection(evaluation, *evaluation.all.detection);
  const BulkScores& bulk = evaluation.all.bulk;
  print_line("in bulk", fmt::format("recall {}   precision {}   F1 {}   AP {}   of {} truths, {} estimates",
                                    percent(bulk.recall), percent(bulk.precision), percent(bulk.f1),
                                    percent(bulk.average_precision), bulk.truths, bulk.estimates));
  print_line("time", evaluation.seconds_per_image
                         ? fmt::format("{:.3f} s an image, as the results say", *evaluation.seconds_per_image)
                         : "the results do not say");
  print_line("counted", fmt::format("{} images, {} of {} estimates in them", evaluation.images,
                                    evaluation.estimates - evaluation.estimates_elsewhere, evaluation.estimates));
  for (const std::string& note : evaluation.notes) print_line("note", note);
  if (!evaluation.objects.empty()) print_objects(evaluation);
}

}  // namespace dovetail::app
