// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <array>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/find.h"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

/// Distinct for the first dozen, then again from the first.
constexpr std::array<std::array<std::uint8_t, 3>, 12> palette{{{230, 75, 60},
                                                               {65, 140, 220},
                                                               {80, 180, 90},
                                                               {240, 170, 50},
                                                               {150, 100, 200},
                                                               {60, 190, 190},
                                                               {220, 110, 170},
                                                               {150, 120, 70},
                                                               {120, 200, 60},
                                                               {90, 100, 230},
                                                               {200, 200, 60},
                                                               {240, 130, 100}}};
constexpr std::uint8_t grey = 150;

}  // namespace

void set_frame(Found& found, const Transform& frame_from_scene) {
  if (frame_from_scene.model != Model::rigid3) {
    throw InvalidArgument("frame_from_scene: it is a " + std::string(to_string(frame_from_scene.model)) +
                          " transform; allowed: a rotation and a shift in space (rigid3)");
  }
  found.frame_from_scene = frame_from_scene;
  for (auto* list : {&found.objects, &found.doubtful}) {
    for (FoundObject& o : *list) o.frame_from_object = frame_from_scene * o.scene_from_object;
  }
}

PointCloud coloured_scene(const Found& found, const PointCloud& scene, std::span<const ObjectToFind> objects) {
  PointCloud coloured = scene;
  coloured.colors.assign(scene.size(), {grey, grey, grey, 255});
  coloured.has_alpha = false;
  std::vector<std::int32_t> numbers(scene.size(), -1);
  for (std::size_t k = 0; k < found.objects.size(); ++k) {
    const FoundObject& o = found.objects[k];
    const PointCloud surface = sample_object(objects[o.index]);
    std::vector<Vec3f> moved;
    for (const Vec3& p : surface.positions) moved.push_back((o.scene_from_object * p).cast<float>());
    const KdTree tree(moved);
    const auto reach = static_cast<float>(o.inlier_distance * o.inlier_distance);
    const auto& colour = palette[k % palette.size()];
    for (std::size_t i = 0; i < scene.size(); ++i) {
      const Vec3f p = scene.positions[i].cast<float>();
      if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) || numbers[i] >= 0) continue;
      if (!nearest(tree.view(), p[0], p[1], p[2], reach).found()) continue;
      numbers[i] = static_cast<std::int32_t>(k);
      coloured.colors[i] = {colour[0], colour[1], colour[2], 255};
    }
  }
  std::erase_if(coloured.attributes, [](const Attribute& a) { return a.name == "object"; });
  coloured.attributes.push_back({"object", 1, numbers});
  return coloured;
}

}  // namespace dovetail
