// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <map>
#include <optional>

#include "dovetail/error.h"
#include "dovetail/find_parts.h"
#include "dovetail/workspace.h"
#include "io/bop_results.h"
#include "io/bop_scene.h"
#include "io/file.h"
#include "pose/dataset_objects.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

std::vector<io::BopImageId> images_of(const PoseDataset& dataset) {
  const fs::path detection = dataset.folder / dataset.detection_targets;
  const fs::path file = fs::exists(detection) ? detection : dataset.folder / dataset.targets;
  const io::FileBytes bytes(file);
  return io::read_bop_target_images(file.string(), bytes.view());
}

/// The whole of a text as a number from 0 on.
std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || number < 0) return std::nullopt;
  return number;
}

/// `ids`: the object that each part is.
void add_estimates(std::vector<io::BopEstimate>& estimates, const io::BopImageId& image, const std::vector<int>& ids,
                   const Found& found, double seconds) {
  for (const FoundObject& o : found.objects) {
    estimates.push_back({image, ids[o.index], *o.confidence, o.scene_from_object.as<Rigid3>(), seconds, 0});
  }
}

DepthCamera camera_of(const io::BopCamera& camera) {
  DepthCamera own;
  own.fx = camera.k(0, 0), own.fy = camera.k(1, 1), own.cx = camera.k(0, 2), own.cy = camera.k(1, 2);
  own.depth_scale = camera.depth_scale;
  own.pixel_center = camera.pixel_center;
  return own;
}

}  // namespace

DatasetParts find_parts_in_dataset(const PoseDataset& dataset, const PoseDatabase& database,
                                   const std::filesystem::path& results, const FindParts& options, const Work& work) {
  const std::vector<io::BopImageId> images = images_of(dataset);
  std::map<int, std::map<int, io::BopCamera>> cameras;
  std::vector<io::BopEstimate> estimates;
  DatasetParts told;
  pose::DatasetObjects objects = pose::dataset_objects(dataset, database);
  told.warnings = std::move(objects.warnings);
  std::optional<Workspace> own;
  FindParts kept = options;
  if (options.workspace == nullptr) kept.workspace = &own.emplace(options.machine, options.device, work.threads);
  for (const io::BopImageId& id : images) {
    const auto began = std::chrono::steady_clock::now();
    const fs::path scene = dataset.folder / dataset.split / fmt::format("{:06}", id.scene);
    const fs::path camera_file = scene / "scene_camera.json";
    if (!cameras.contains(id.scene)) {
      const io::FileBytes bytes(camera_file);
      cameras[id.scene] = io::read_bop_cameras(camera_file.string(), bytes.view());
    }
    const auto camera = cameras[id.scene].find(id.image);
    if (camera == cameras[id.scene].end()) {
      throw FileError(fmt::format("{}: image {} is missing", camera_file.string(), id.image));
    }
    const RangeImage image =
        read_range_image(scene / "depth" / fmt::format("{:06}.png", id.image), camera_of(camera->second));
    Work of_image = work;
    if (work.on_progress) {
      of_image.on_progress = [&](double share) {
        work.on_progress((static_cast<double>(told.images) + share) / static_cast<double>(images.size()));
      };
    }
    const Found found = find_parts(image, database, kept, of_image);
    if (found.stopped) throw Cancelled("the search was stopped; nothing was written");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    add_estimates(estimates, id, objects.ids, found, seconds);
    ++told.images;
    told.parts += found.objects.size();
    told.mean_seconds += seconds / static_cast<double>(images.size());
  }
  io::write_bop_results(results, estimates);
  return told;
}

void write_found_results(const std::filesystem::path& file, const std::filesystem::path& image,
                         const PoseDatabase& database, const Found& found) {
  const std::optional<int> scene = number_in(image.parent_path().parent_path().filename().string());
  std::vector<int> ids;
  for (std::size_t i = 0; i < database.parts().size(); ++i) ids.push_back(pose::object_of(database.parts()[i], i));
  std::vector<io::BopEstimate> estimates;
  add_estimates(estimates, {scene.value_or(1), number_in(image.stem().string()).value_or(0)}, ids, found,
                found.time_ms.total / 1000);
  io::write_bop_results(file, estimates);
}

}  // namespace dovetail
