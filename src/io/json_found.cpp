// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find.h"
#include "dovetail/find_parts.h"
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

Json rivals_of(const std::vector<FoundRival>& rivals) {
  Json list = Json::array();
  for (const FoundRival& r : rivals) {
    Json json;
    json["object"] = r.object;
    json["object_index"] = r.index;
    json["scene_from_object"] = matrix_of(r.scene_from_object);
    json["log_odds"] = r.log_odds;
    json["share"] = r.share;
    json["worse"] = r.worse;
    json["evidence"] = Json::object();
    for (const Evidence& e : r.evidence) json["evidence"][e.name] = e.value;
    list.push_back(std::move(json));
  }
  return list;
}

/// What is told of parts in images alone.
void add_image(Json& json, const FoundObject& o) {
  const SeenInImage& image = *o.image;
  json["pixels"] = {{"all", image.pixels},
                    {"explained", image.explained},
                    {"hidden", image.hidden},
                    {"contradicted", image.contradicted},
                    {"unknown", image.unknown}};
  json["on_top"] = image.on_top;
  json["covered_by"] = image.covered_by;
  json["equivalents"] = Json::array();
  for (const Transform& pose : image.equivalents) json["equivalents"].push_back(matrix_of(pose));
  const auto& line = image.turns_about;
  json["turns_about"] =
      line ? Json{{"through", vector_of(line->through)}, {"direction", vector_of(line->direction)}} : Json();
  json["rivals"] = rivals_of(o.rivals);
}

Json options_of(const Find& find, const Run& run) {
  Json options = Json::object();
  add_options(options, find);
  add_options(options, run);
  options["region"] = find.region ? Json::array({vector_of(find.region->low), vector_of(find.region->high)}) : Json();
  options["viewpoint"] = find.viewpoint ? vector_of(*find.viewpoint) : Json();
  return options;
}

Json options_of(const FindParts& parts) {
  Json options = Json::object();
  add_options(options, parts);
  const auto& box = parts.region;
  options["region"] = box ? Json::array({box->left, box->top, box->width, box->height}) : Json();
  options["masked"] = !parts.mask.empty();
  options["start"] = Json::array();
  for (const PartStart& start : parts.start) {
    options["start"].push_back({{"object", start.part}, {"scene_from_object", matrix_of(start.camera_from_part)}});
  }
  options["reach"] = parts.reach ? Json::array({vector_of(parts.reach->low), vector_of(parts.reach->high)}) : Json();
  options["prefer"] = parts.prefer ? vector_of(*parts.prefer) : Json();
  return options;
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
  if (o.image) add_image(json, o);
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
  json["options"] = found.part_options ? options_of(*found.part_options) : options_of(found.options, found.run);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail
