// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/dataset_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/bop_scene.h"
#include "io/file.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

fs::path scene_folder(const fs::path& folder, const std::string& split, int scene) {
  return folder / split / fmt::format("{:06}", scene);
}

template <class Reader, class... More>
auto read_with(Reader&& reader, const fs::path& file, More&... more) {
  const io::FileBytes bytes(file);
  return reader(file.string(), bytes.view(), more...);
}

/// The numbers of the scenes, in order.
std::vector<int> scenes_of(const fs::path& split) {
  std::vector<int> scenes;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(split, error)) {
    const std::string name = entry.path().filename().string();
    const bool number =
        name.size() == 6 && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && is_there(entry.path() / "scene_gt.json")) scenes.push_back(std::stoi(name));
  }
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

}  // namespace

bool is_dataset(const fs::path& folder, const std::string& split) { return !scenes_of(folder / split).empty(); }

std::vector<DatasetImageId> dataset_images(const fs::path& folder, const std::string& split) {
  const std::vector<int> scenes = scenes_of(folder / split);
  if (scenes.empty()) {
    throw FileError(fmt::format("{}: has no scene: a folder 000001 with scene_gt.json", (folder / split).string()));
  }
  std::vector<DatasetImageId> images;
  for (const int scene : scenes) {
    const auto truths = read_with(io::read_bop_truths, scene_folder(folder, split, scene) / "scene_gt.json");
    for (const auto& [image, of_image] : truths) images.push_back({scene, image});
  }
  return images;
}

DatasetImage read_dataset_image(const fs::path& folder, DatasetImageId id, const std::string& split) {
  const fs::path scene = scene_folder(folder, split, id.scene);
  const fs::path camera_file = scene / "scene_camera.json";
  const auto cameras = read_with(io::read_bop_cameras, camera_file);
  const auto camera = cameras.find(id.image);
  if (camera == cameras.end()) {
    throw FileError(fmt::format("{}: image {} is missing", camera_file.string(), id.image));
  }
  auto truths = read_with(io::read_bop_truths, scene / "scene_gt.json");
  if (const fs::path info = scene / "scene_gt_info.json"; is_there(info)) {
    read_with(io::add_bop_visibility, info, truths);
  }
  const Mat3& k = camera->second.k;
  DepthCamera own;
  own.fx = k(0, 0), own.fy = k(1, 1), own.cx = k(0, 2), own.cy = k(1, 2);
  own.depth_scale = camera->second.depth_scale;
  own.pixel_center = camera->second.pixel_center;
  DatasetImage read;
  read.id = id;
  read.range = read_range_image(scene / "depth" / fmt::format("{:06}.png", id.image), own);
  for (const io::BopTruth& truth : truths[id.image]) {
    read.poses.push_back({truth.object, truth.camera_from_object, truth.visible_share});
  }
  return read;
}

PointCloud read_dataset_model(const fs::path& folder, int object) {
  return read_points(folder / "models" / fmt::format("obj_{:06}.ply", object));
}

}  // namespace dovetail
