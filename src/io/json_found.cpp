// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find.h"
#include "dovetail/rotation.h"
#include "io/json_parts.h"

namespace dovetail {
namespace {

using namespace io::json;

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json quaternion_of(const Transform& pose) {
  const auto q = quaternion_from_matrix(Similarity3::from_matrix(pose.matrix).rotation);
  return Json::array({q[0], q[1], q[2], q[3]});
}

Json object_of(const FoundObject& o) {
  Json json;
  json["object"] = o.object;
  json["object_index"] = o.index;
  json["scene_from_object"] = matrix_of(o.scene_from_object);
  json["quaternion_wxyz"] = quaternion_of(o.scene_from_object);
  if (o.frame_from_object) {
    json["frame_from_object"] = matrix_of(*o.frame_from_object);
    json["frame_quaternion_wxyz"] = quaternion_of(*o.frame_from_object);
  }
  json["confidence"] = json_or_null(o.confidence);
  json["evidence"] = evidence_of(o);
  json["score"] = o.score;
  json["log_odds"] = o.log_odds;
  json["visible_ratio"] = o.visible_ratio;
  json["support"] = o.support;
  json["rmse"] = o.rmse;
  json["inlier_distance"] = o.inlier_distance;
  json["inlier_ratio"] = o.inlier_ratio;
  json["margin"] = json_or_null(o.margin);
  json["covariance"] = covariance_of(o.covariance);
  json["covariance_center"] = vector_of(o.covariance_center);
  json["expected_error"] = json_or_null(o.expected_error);
  return json;
}

Json list_of(const std::vector<FoundObject>& objects) {
  Json list = Json::array();
  for (const FoundObject& o : objects) list.push_back(object_of(o));
  return list;
}

}  // namespace

std::string to_json(const Found& found, int indent) {
  Json json;
  json["schema"] = "dovetail.found/1";
  json["machine"] = found.machine;
  json["build"] = found.build;
  json["version"] = found.version;
  json["scene_file"] = found.scene_file.empty() ? Json() : Json(found.scene_file);
  json["object_files"] = found.object_files;
  if (found.camera) {
    const DepthCamera& c = *found.camera;
    json["camera"] = {{"width", c.width},
                      {"height", c.height},
                      {"fx", c.fx},
                      {"fy", c.fy},
                      {"cx", c.cx},
                      {"cy", c.cy},
                      {"depth_scale", c.depth_scale},
                      {"pixel_center", c.pixel_center}};
    json["depth_unit"] = found.depth_unit;
  }
  json["message"] = found.message;
  json["warnings"] = found.warnings;
  json["stopped"] = found.stopped;
  json["objects"] = list_of(found.objects);
  json["doubtful"] = list_of(found.doubtful);
  if (found.frame_from_scene) json["frame_from_scene"] = matrix_of(*found.frame_from_scene);
  json["scene_points"] = found.scene_points;
  json["time_ms"] = {{"read", found.time_ms.read},
                     {"prepare", found.time_ms.prepare},
                     {"search", found.time_ms.search},
                     {"total", found.time_ms.total}};
  Json options = Json::object();
  add_options(options, found.options);
  add_options(options, found.run);
  const auto& region = found.options.region;
  options["region"] = region ? Json::array({vector_of(region->low), vector_of(region->high)}) : Json();
  options["viewpoint"] = found.options.viewpoint ? vector_of(*found.options.viewpoint) : Json();
  json["options"] = std::move(options);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail
