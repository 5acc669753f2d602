// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dataset_report.h"

#include <fmt/format.h>

#include <map>

#include "dovetail/error.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

/// A page holds so many of 640 x 480 pixels without leaving any out.
constexpr std::size_t most_images = 5;

std::string folder_name(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

}  // namespace

DatasetReport::DatasetReport(const std::string& folder) : folder_(folder) {
  const std::vector<DatasetImageId> all = dataset_images(folder);
  images_ = all.size();
  const std::size_t shown = std::min(images_, most_images);
  for (std::size_t i = 0; i < shown; ++i) shown_.push_back(all[i * images_ / shown]);
}

void DatasetReport::add_to(Report& report) const {
  std::map<int, PointCloud> models;
  std::vector<std::string> notes;
  if (shown_.size() < images_) notes.push_back(fmt::format("{} of {} images are shown.", shown_.size(), images_));
  for (const DatasetImageId& id : shown_) {
    const DatasetImage read = read_dataset_image(folder_, id);
    for (const DatasetPose& pose : read.poses) {
      if (models.contains(pose.object)) continue;
      PointCloud& model = models[pose.object];
      try {
        model = read_dataset_model(folder_, pose.object);
      } catch (const Error& error) {
        notes.push_back(fmt::format("Not drawn: {}.", error.what()));
      }
    }
    std::vector<ObjectToFind> objects;
    std::map<int, std::size_t> index;
    for (const auto& [object, model] : models) {
      index[object] = objects.size();
      objects.push_back({fmt::format("obj_{:06}", object), &model});
    }
    std::vector<KnownPose> poses;
    for (const DatasetPose& pose : read.poses) {
      poses.push_back({index.at(pose.object), pose.camera_from_object, pose.visible_ratio});
    }
    const std::string message = fmt::format("{} part{}, each with the pose that the data set tells", poses.size(),
                                            poses.size() == 1 ? "" : "s");
    report.add(ReportedImage{fmt::format("{}: scene {}, image {}", folder_name(folder_), id.scene, id.image), message,
                             &read.range, objects, poses, notes});
  }
}

}  // namespace dovetail::app
