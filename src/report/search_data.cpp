// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <optional>

#include "dovetail/error.h"
#include "report/result_json.h"
#include "report/scene_data.h"
#include "report/shown_cloud.h"

namespace dovetail::report {
namespace {

void check_objects(const ReportedSearch& run, const Json& result) {
  for (const char* list : {"objects", "doubtful"}) {
    const auto found = result.find(list);
    if (found == result.end() || !found->is_array()) throw InvalidArgument(run.name + ": \"" + list + "\" is no list");
    for (const Json& object : *found) {
      if (!object.is_object() || !pose_at(object, "scene_from_object")) {
        throw InvalidArgument(run.name + ": \"" + list + "\" has an object without a matrix \"scene_from_object\"");
      }
    }
  }
}

/// What was found, then what was doubtful.
std::vector<PlacedObject> placed_objects(const Json& result) {
  std::vector<PlacedObject> placed;
  for (const char* list : {"objects", "doubtful"}) {
    for (const Json& object : result[list]) {
      const auto index = object.find("object_index");
      const bool known = index != object.end() && index->is_number_unsigned();
      placed.push_back({known ? index->get<std::size_t>() : SIZE_MAX, *pose_at(object, "scene_from_object")});
    }
  }
  return placed;
}

}  // namespace

std::string run_data(const ReportedSearch& run, const Budget& budget, std::string& bytes) {
  Json result = parse_result(run.name, run.json, "dovetail.found/1");
  check_objects(run, result);
  Json json;
  json["kind"] = "found";
  json["name"] = run.name;
  json["notes"] = run.notes;
  json["dimension"] = 3;
  std::optional<PointCloud> seen;
  if (run.image && !run.scene) seen = points_of(*run.image);
  const PointCloud* const scene = seen ? &*seen : run.scene;
  add_clouds(json, bytes, scene, seen ? OriginPoints::keep : origin_points_of(result), run.objects,
             run.image ? budget.beside_image() : budget);
  if (run.image) add_image(json, bytes, *run.image, run.objects, placed_objects(result), budget);
  json["result"] = std::move(result);
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
