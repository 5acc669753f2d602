// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/scene_data.h"

#include <algorithm>
#include <cmath>

#include "dovetail/reference.h"
#include "report/packing.h"
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

}  // namespace

void add_clouds(Json& json, std::string& bytes, const PointCloud* scene, OriginPoints at_origin,
                std::span<const ObjectToFind> objects, const Budget& budget) {
  json["clouds"] = Json::array();
  std::vector<PointCloud> drawn;
  for (const ObjectToFind& object : objects) drawn.push_back(drawn_object(object));
  std::vector<ShownCloud> shown;
  if (scene) shown.push_back(shown_cloud(*scene, at_origin));
  const std::size_t first_object = shown.size();
  for (const PointCloud& object : drawn) shown.push_back(shown_cloud(object, OriginPoints::keep));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    sizes.push_back(i < first_object ? shown[i].drawn.size() : std::min(points_an_object, shown[i].drawn.size()));
  }
  const std::vector<std::size_t> shares = fair_shares(sizes, budget.points == 0 ? SIZE_MAX : budget.points);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Json cloud = pack_cloud(bytes, shown[i], shuffled(shown[i].drawn, shares[i], i), {});
    cloud["role"] = i < first_object ? "scene" : "object";
    cloud["sampled"] = i >= first_object && !objects[i - first_object].shape->faces.empty();
    json["clouds"].push_back(std::move(cloud));
  }
}

void add_image(Json& json, std::string& bytes, const RangeImage& image, std::span<const ObjectToFind> objects,
               std::span<const PlacedObject> placed, const Budget& budget) {
  const RangeImage shown = reduced(image, budget.image_bytes);
  json["image"] = pack_depth(bytes, shown);
  json["image"]["of_width"] = image.camera.width;
  json["image"]["of_height"] = image.camera.height;
  json["outlines"] = Json::array();
  for (const PlacedObject& one : placed) {
    const bool known = one.object < objects.size() && !objects[one.object].shape->empty();
    json["outlines"].push_back(
        known ? pack_spans(bytes, silhouette(*objects[one.object].shape, one.scene_from_object, shown.camera))
              : Json());
  }
}

}  // namespace dovetail::report
