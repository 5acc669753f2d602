// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_write.h"

#include <nlohmann/json.hpp>

#include "io/file.h"

namespace dovetail::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <int R, int C>
OrderedJson numbers_of(const Matrix<double, R, C>& m) {
  return std::vector<double>(m.data, m.data + R * C);
}

/// An entry a line, as the benchmark's own files have it.
void write_by_id(const std::filesystem::path& file, const std::vector<std::pair<int, OrderedJson>>& entries) {
  std::string text = "{\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    text += "  \"" + std::to_string(entries[i].first) + "\": " + entries[i].second.dump();
    text += i + 1 < entries.size() ? ",\n" : "\n";
  }
  AtomicFile out(file);
  out.write(text + "}\n");
  out.commit();
}

OrderedJson camera_of(const BopSeenImage& image) {
  return {{"cam_K", numbers_of(image.camera.k)},
          {"depth_scale", image.camera.depth_scale},
          {"pixel_center", image.camera.pixel_center},
          {"cam_R_w2c", numbers_of(image.camera_from_world.rotation)},
          {"cam_t_w2c", numbers_of(image.camera_from_world.translation)}};
}

OrderedJson truth_of(const BopSeenTruth& seen) {
  return {{"cam_R_m2c", numbers_of(seen.truth.camera_from_object.rotation)},
          {"cam_t_m2c", numbers_of(seen.truth.camera_from_object.translation)},
          {"obj_id", seen.truth.object}};
}

OrderedJson info_of(const BopSeenTruth& seen) {
  return {{"bbox_obj", seen.box},
          {"bbox_visib", seen.visible_box},
          {"px_count_all", seen.pixels},
          {"px_count_valid", seen.measured_pixels},
          {"px_count_visib", seen.visible_pixels},
          {"visib_fract", seen.truth.visible_share}};
}

}  // namespace

void write_bop_scene(const std::filesystem::path& folder, const std::vector<BopSeenImage>& images) {
  std::vector<std::pair<int, OrderedJson>> cameras, truths, infos;
  for (const BopSeenImage& image : images) {
    OrderedJson of_image = OrderedJson::array(), info = OrderedJson::array();
    for (const BopSeenTruth& seen : image.truths) {
      of_image.push_back(truth_of(seen));
      info.push_back(info_of(seen));
    }
    cameras.emplace_back(image.image, camera_of(image));
    truths.emplace_back(image.image, std::move(of_image));
    infos.emplace_back(image.image, std::move(info));
  }
  write_by_id(folder / "scene_camera.json", cameras);
  write_by_id(folder / "scene_gt.json", truths);
  write_by_id(folder / "scene_gt_info.json", infos);
}

void write_bop_camera(const std::filesystem::path& file, const BopCamera& camera, const BopImageSize& size) {
  const OrderedJson json = {
      {"cx", camera.k(0, 2)}, {"cy", camera.k(1, 2)},  {"depth_scale", camera.depth_scale},   {"fx", camera.k(0, 0)},
      {"fy", camera.k(1, 1)}, {"height", size.height}, {"pixel_center", camera.pixel_center}, {"width", size.width}};
  AtomicFile out(file);
  out.write(json.dump(2) + '\n');
  out.commit();
}

void write_bop_targets(const std::filesystem::path& file, const std::vector<BopTarget>& targets) {
  std::string text = "[\n";
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const OrderedJson target = {{"im_id", targets[i].image.image},
                                {"inst_count", targets[i].count},
                                {"obj_id", targets[i].object},
                                {"scene_id", targets[i].image.scene}};
    text += "  " + target.dump() + (i + 1 < targets.size() ? ",\n" : "\n");
  }
  AtomicFile out(file);
  out.write(text + "]\n");
  out.commit();
}

}  // namespace dovetail::io
