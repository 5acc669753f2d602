// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/reference.h"
#include "report/packing.h"
#include "report/result_json.h"
#include "report/run_data.h"
#include "report/shown_cloud.h"

namespace dovetail::report {
namespace {

constexpr std::size_t points_an_object = 30'000;  ///< the most that each is drawn by, however often it was found

/// An object as points: those of its surface where it is a mesh.
PointCloud drawn_object(const ObjectToFind& object) {
  const PointCloud& shape = *object.shape;
  if (shape.faces.empty()) return shape;
  const Reference mesh{shape, {}, {}};
  const double spacing = std::sqrt(measure_reference(mesh).area / static_cast<double>(points_an_object));
  return spacing > 0 && std::isfinite(spacing) ? sample_reference(mesh, spacing) : shape;
}

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

}  // namespace

std::string run_data(const ReportedSearch& run, const Budget& budget, std::string& bytes) {
  Json result = parse_result(run.name, run.json, "dovetail.found/1");
  check_objects(run, result);
  Json json;
  json["kind"] = "found";
  json["name"] = run.name;
  json["notes"] = run.notes;
  json["dimension"] = 3;
  json["clouds"] = Json::array();

  std::vector<PointCloud> objects;
  for (const ObjectToFind& object : run.objects) objects.push_back(drawn_object(object));
  std::vector<ShownCloud> shown;
  if (run.scene) shown.push_back(shown_cloud(*run.scene, origin_points_of(result)));
  const std::size_t first_object = shown.size();
  for (const PointCloud& object : objects) shown.push_back(shown_cloud(object, OriginPoints::keep));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    sizes.push_back(i < first_object ? shown[i].drawn.size() : std::min(points_an_object, shown[i].drawn.size()));
  }
  const std::vector<std::size_t> shares = fair_shares(sizes, budget.points == 0 ? SIZE_MAX : budget.points);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Json cloud = pack_cloud(bytes, shown[i], shuffled(shown[i].drawn, shares[i], i), {});
    cloud["role"] = i < first_object ? "scene" : "object";
    cloud["sampled"] = i >= first_object && !run.objects[i - first_object].shape->faces.empty();
    json["clouds"].push_back(std::move(cloud));
  }
  json["result"] = std::move(result);
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
