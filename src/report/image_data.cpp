// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "report/result_json.h"
#include "report/scene_data.h"

namespace dovetail::report {
namespace {

Json object_of(const ReportedImage& run, const KnownPose& pose) {
  Json json;
  json["object"] = run.objects[pose.object].name;
  json["object_index"] = pose.object;
  json["scene_from_object"] = io::json::matrix_of(pose.camera_from_object);
  json["visible_ratio"] = pose.visible_ratio ? Json(*pose.visible_ratio) : Json();
  return json;
}

}  // namespace

std::string run_data(const ReportedImage& run, const Budget& budget, std::string& bytes) {
  if (!run.image) throw InvalidArgument(run.name + ": there is no image to show");
  std::vector<PlacedObject> placed;
  Json objects = Json::array();
  for (const KnownPose& pose : run.poses) {
    if (pose.object >= run.objects.size()) {
      throw InvalidArgument(run.name + ": a pose is of an object that is not among those given");
    }
    objects.push_back(object_of(run, pose));
    placed.push_back({pose.object, pose.camera_from_object});
  }
  Json json;
  json["kind"] = "image";
  json["name"] = run.name;
  json["notes"] = run.notes;
  json["dimension"] = 3;
  const PointCloud seen = points_of(*run.image);
  add_clouds(json, bytes, &seen, OriginPoints::keep, run.objects, budget.beside_image());
  add_image(json, bytes, *run.image, run.objects, placed, budget);
  json["result"] = {{"message", run.message}, {"objects", std::move(objects)}, {"doubtful", Json::array()}};
  json["result"]["scene_points"] = seen.size();
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
