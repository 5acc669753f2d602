// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_scene.h"

#include <fmt/format.h>

#include "io/bop_json.h"
#include "io/bop_objects.h"

namespace dovetail::io {
namespace {

BopCamera camera_of(const JsonPlace& place) {
  BopCamera camera;
  const JsonPlace k = place.at("cam_K");
  camera.k = k.matrix<3, 3>();
  if (!(camera.k(0, 0) > 0) || !(camera.k(1, 1) > 0)) k.fail("the focal lengths have to be more than 0");
  if (camera.k(1, 0) != 0 || camera.k(2, 0) != 0 || camera.k(2, 1) != 0 || camera.k(2, 2) != 1) {
    k.fail("is no camera's matrix: below the diagonal 0 and in the corner 1 were expected");
  }
  if (place.has("depth_scale")) {
    camera.depth_scale = place.at("depth_scale").number();
    if (!(camera.depth_scale > 0)) place.at("depth_scale").fail("has to be more than 0");
  }
  if (place.has("pixel_center")) camera.pixel_center = place.at("pixel_center").number();
  return camera;
}

BopTruth truth_of(const JsonPlace& place) {
  BopTruth truth;
  truth.object = place.at("obj_id").whole_number(0);
  const JsonPlace rotation = place.at("cam_R_m2c");
  truth.camera_from_object = {rotation.matrix<3, 3>(), place.at("cam_t_m2c").vector()};
  if (const auto reason = why_no_rotation(truth.camera_from_object.rotation); !reason.empty()) rotation.fail(reason);
  return truth;
}

}  // namespace

std::map<int, BopCamera> read_bop_cameras(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  std::map<int, BopCamera> cameras;
  for (const auto& [image, place] : JsonPlace(file, json).by_id()) cameras.emplace(image, camera_of(place));
  return cameras;
}

std::map<int, std::vector<BopTruth>> read_bop_truths(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  std::map<int, std::vector<BopTruth>> truths;
  for (const auto& [image, place] : JsonPlace(file, json).by_id()) {
    std::vector<BopTruth>& of_image = truths[image];
    for (const JsonPlace& truth : place.elements()) of_image.push_back(truth_of(truth));
  }
  return truths;
}

void add_bop_visibility(std::string_view file, std::string_view bytes, std::map<int, std::vector<BopTruth>>& truths) {
  const Json json = parse_json(file, bytes);
  const JsonPlace root(file, json);
  std::map<int, JsonPlace> infos;
  for (const auto& [image, place] : root.by_id()) infos.emplace(image, place);
  for (auto& [image, of_image] : truths) {
    const auto info = infos.find(image);
    if (info == infos.end()) root.fail(fmt::format("image {} is missing, which scene_gt.json has", image));
    const std::vector<JsonPlace> entries = info->second.elements();
    if (entries.size() != of_image.size()) {
      info->second.fail(fmt::format("{} entries, and {} in scene_gt.json", entries.size(), of_image.size()));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const JsonPlace share = entries[i].at("visib_fract");
      of_image[i].visible_share = share.number();
      if (of_image[i].visible_share < 0 || of_image[i].visible_share > 1) {
        share.fail(fmt::format("{} is not allowed; allowed: 0 to 1", of_image[i].visible_share));
      }
    }
  }
}

BopImageSize read_bop_image_size(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  const JsonPlace root(file, json);
  return {root.at("width").whole_number(1), root.at("height").whole_number(1)};
}

}  // namespace dovetail::io
