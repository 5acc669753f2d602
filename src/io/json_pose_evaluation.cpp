// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_evaluation.h"
#include "io/file.h"
#include "io/json_parts.h"

namespace dovetail {
namespace {

using namespace io::json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json scores_of(const ThresholdScores& scores) {
  return {{"mean", scores.mean()}, {"thresholds", scores.thresholds}, {"scores", scores.scores}};
}

/// The scores at each tolerance are a row of their own.
Json vsd_of(const ThresholdScores& scores) {
  Json json = {{"mean", scores.mean()}, {"thresholds", scores.thresholds}, {"tolerances", scores.thresholds}};
  Json rows = Json::array();
  const std::size_t width = scores.thresholds.size();
  for (std::size_t first = 0; first < scores.scores.size(); first += width) {
    const auto begin = scores.scores.begin() + static_cast<std::ptrdiff_t>(first);
    rows.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width)));
  }
  json["scores"] = std::move(rows);
  return json;
}

Json localisation_of(const std::optional<LocalisationScores>& scores) {
  if (!scores) return nullptr;
  Json json;
  json["targets"] = scores->targets;
  json["ar"] = or_null(scores->average_recall);
  json["vsd"] = scores->vsd ? vsd_of(*scores->vsd) : Json();
  json["mssd"] = scores_of(scores->mssd);
  json["mspd"] = scores_of(scores->mspd);
  json["add_recall"] = scores->add_recall;
  json["adi_recall"] = scores->adi_recall;
  Json vertex = {{"recall", scores->vertex_recall}};
  const auto& errors = scores->vertex_errors;
  vertex["error"] = errors ? Json(errors->share_of_diagonal) : Json();
  vertex["degrees_about_xyz"] = errors ? Json(errors->degrees_about) : Json();
  vertex["degrees"] = errors ? Json(errors->degrees) : Json();
  json["vertex"] = std::move(vertex);
  return json;
}

Json detection_of(const std::optional<DetectionScores>& scores) {
  if (!scores) return nullptr;
  return {{"truths", scores->truths},
          {"ap_mssd", scores_of(scores->mssd)},
          {"ap_mspd", scores_of(scores->mspd)},
          {"ap_mssd_mm", scores_of(scores->mssd_mm)}};
}

Json bulk_of(const BulkScores& scores) {
  return {{"truths", scores.truths},
          {"estimates", scores.estimates},
          {"right", scores.right},
          {"recall", or_null(scores.recall)},
          {"precision", or_null(scores.precision)},
          {"f1", or_null(scores.f1)},
          {"average_precision", or_null(scores.average_precision)}};
}

void add_scores(Json& json, const PoseScores& scores) {
  json["localisation"] = localisation_of(scores.localisation);
  json["detection"] = detection_of(scores.detection);
  json["bulk"] = bulk_of(scores.bulk);
}

}  // namespace

std::string to_json(const PoseEvaluation& evaluation, int indent) {
  Json json;
  json["schema"] = "dovetail.pose_evaluation/1";
  json["version"] = evaluation.version;
  json["build"] = evaluation.build;
  json["results"] = evaluation.results;
  json["dataset"] = evaluation.dataset;
  json["split"] = evaluation.split;
  json["models"] = evaluation.models;
  json["notes"] = evaluation.notes;
  json["images"] = evaluation.images;
  json["estimates"] = evaluation.estimates;
  json["estimates_elsewhere"] = evaluation.estimates_elsewhere;
  json["seconds_per_image"] = or_null(evaluation.seconds_per_image);
  json["bop19"] = or_null(evaluation.bop19);
  json["bop24"] = or_null(evaluation.bop24);
  json["bop25"] = or_null(evaluation.bop25);
  json["bop25_mm"] = or_null(evaluation.bop25_mm);
  add_scores(json, evaluation.all);
  Json objects = Json::array();
  for (const auto& [id, scores] : evaluation.objects) {
    Json object = {{"id", id}};
    add_scores(object, scores);
    objects.push_back(std::move(object));
  }
  json["objects"] = std::move(objects);
  Json options = Json::object();
  add_options(options, evaluation.options);
  json["options"] = std::move(options);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void write_pose_evaluation(const std::filesystem::path& file, const PoseEvaluation& evaluation) {
  io::AtomicFile out(file);
  out.write(to_json(evaluation) + '\n');
  out.commit();
}

}  // namespace dovetail
