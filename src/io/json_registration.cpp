// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <iterator>

#include "dovetail/registration.h"
#include "io/json_parts.h"

namespace dovetail {
namespace {

using namespace io::json;

Json weak_directions_of(const Registration& r) {
  Json list = Json::array();
  for (const WeakDirection& d : r.weak_directions) {
    list.push_back({{"rotation", vector_of(d.rotation)}, {"translation", vector_of(d.translation)}});
  }
  return list;
}

Json options_of(const Registration& r) {
  Json json = Json::object();
  if (r.method != "evaluate") {  // an evaluation has no method to set
    std::visit([&](const auto& options) { add_options(json, options); }, r.options);
    if (const Chamfer* chamfer = std::get_if<Chamfer>(&r.options)) add_options(json, chamfer->field);
  }
  add_options(json, r.run);
  json["start"] = r.run.start ? matrix_of(*r.run.start) : Json();
  Json more = Json::array();
  for (const Transform& pose : r.run.starts) more.push_back(matrix_of(pose));
  json["more_starts"] = std::move(more);
  json["start_covariance"] = covariance_of(r.run.start_covariance);
  json["start_covariance_center"] = r.run.start_covariance_center ? vector_of(*r.run.start_covariance_center) : Json();
  return json;
}

Json json_of(const std::optional<GeoFrame>& frame) {
  if (!frame) return nullptr;
  return {{"projection", "transverse_mercator"},
          {"ellipsoid", "WGS 84"},
          {"longitude", frame->longitude},
          {"latitude", frame->latitude},
          {"proj", to_proj_string(*frame)}};
}

Json trace_of(const Registration& r) {
  Json rows = Json::array();
  for (const Iteration& i : r.trace) {
    Json row = {{"iteration", i.iteration}, {"level", i.level}, {"rmse", i.rmse}, {"used_ratio", i.used_ratio}};
    if (i.sigma > 0) {
      row["sigma"] = i.sigma;
      row["objective"] = i.objective;
    } else {
      row["max_distance"] = i.max_distance;
    }
    row["target_from_source"] = matrix_of(i.target_from_source);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// What `r` and its alternatives say alike. `whole` is the result that tells of the run: its machine, points and times.
Json answer_of(const Registration& r, const Registration& whole) {
  Json json;
  json["schema"] = "dovetail.registration/1";
  json["method"] = r.method;
  json["machine"] = whole.machine;
  json["build"] = whole.build;
  json["version"] = whole.version;
  json["source_file"] = whole.source_file.empty() ? Json() : Json(whole.source_file);
  json["target_file"] = whole.target_file.empty() ? Json() : Json(whole.target_file);
  json["model"] = std::string(to_string(r.target_from_source.model));
  json["target_from_source"] = matrix_of(r.target_from_source);
  json["target_frame"] = json_of(r.target_frame);
  json["source_frame"] = json_of(r.source_frame);
  json["usable"] = r.usable();
  json["confidence"] = r.confidence ? Json(*r.confidence) : Json();
  json["evidence"] = evidence_of(r);
  json["termination"] = to_string(r.termination);
  json["message"] = r.message;
  json["warnings"] = r.warnings;
  json["iterations"] = r.iterations;
  json["finished_by"] = r.finished_by.empty() ? Json() : Json(r.finished_by);
  json["rmse"] = r.rmse;
  json["inlier_distance"] = r.inlier_distance;
  json["inlier_ratio"] = r.inlier_ratio;
  json["overlap"] = r.overlap;
  json["score"] = r.score;
  json["log_odds"] = r.log_odds;
  json["covariance"] = covariance_of(r.covariance);
  json["covariance_center"] = vector_of(r.covariance_center);
  json["expected_error"] = r.expected_error ? Json(*r.expected_error) : Json();
  json["weak_directions"] = weak_directions_of(r);
  json["margin"] = r.margin ? Json(*r.margin) : Json();
  Json others = Json::array();
  for (const Registration& other : r.alternatives) others.push_back(answer_of(other, whole));
  json["alternatives"] = std::move(others);
  json["points"] = {{"source", whole.points.source},
                    {"target", whole.points.target},
                    {"dropped_non_finite", whole.points.dropped_non_finite},
                    {"dropped_at_origin", whole.points.dropped_at_origin}};
  json["time_ms"] = {{"read", whole.time_ms.read},
                     {"prepare", whole.time_ms.prepare},
                     {"loop", whole.time_ms.loop},
                     {"total", whole.time_ms.total}};
  return json;
}

}  // namespace

std::string to_string(Termination termination) {
  constexpr const char* names[] = {"converged",          "schedule_finished", "max_iterations",      "time_limit",
                                   "no_correspondences", "degenerate",        "stopped_by_callback", "not_run"};
  static_assert(std::size(names) == static_cast<std::size_t>(Termination::not_run) + 1);
  return names[static_cast<std::size_t>(termination)];
}

std::string to_json(const Registration& result, int indent) {
  Json json = answer_of(result, result);
  json["options"] = options_of(result);
  json["trace"] = trace_of(result);
  // A file's name in a message may hold bytes that are no UTF-8: replaced, not refused.
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail
