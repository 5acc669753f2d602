// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

#include "bins/bin_view.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/mesh_check.h"
#include "dovetail/options.h"
#include "dovetail/symmetry.h"
#include "io/bop_json.h"
#include "io/depth_png.h"
#include "io/file.h"
#include "spatial/farthest_pair.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
constexpr int scene_id = 1;
constexpr double share_of_simulation = 0.7;  // of the time, about
constexpr double most_steps = 65535;         // of a 16-bit image

/// A folder that appears whole or not at all.
class AtomicFolder {
 public:
  explicit AtomicFolder(fs::path folder) : folder_(fs::absolute(folder).lexically_normal()) {
    if (!folder_.has_filename()) folder_ = folder_.parent_path();
    if (fs::exists(folder_) && !(fs::is_directory(folder_) && fs::is_empty(folder_))) {
      throw FileError(fmt::format("{}: is already there and not an empty folder", folder.string()));
    }
    partial_ = folder_;
    partial_ += ".partial";
    std::error_code error;
    fs::remove_all(partial_, error);
    if (!fs::create_directories(partial_, error)) {
      throw FileError(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
    }
  }
  ~AtomicFolder() {
    std::error_code ignored;
    if (!partial_.empty()) fs::remove_all(partial_, ignored);
  }
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  fs::path make(const fs::path& within) const {
    fs::create_directories(partial_ / within);
    return partial_ / within;
  }
  void commit() {
    std::error_code error;
    fs::remove(folder_, error);  // where it is there, it is empty
    fs::rename(partial_, folder_, error);
    if (error) throw FileError(fmt::format("{}: the folder cannot be made: {}", folder_.string(), error.message()));
    partial_.clear();
  }

 private:
  fs::path folder_, partial_;
};

void write_models(const fs::path& folder, std::span<const BinPart> parts, const BinRun& run) {
  Run how;
  how.threads = run.threads;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int id = static_cast<int>(i) + 1;
    write_points(folder / fmt::format("obj_{:06}.ply", id), *parts[i].mesh);
    add_to_models_info(folder / "models_info.json", id, find_symmetry(*parts[i].mesh, {}, how));
  }
}

/// The smallest power of ten for which the farthest that is seen fits into 16 bits.
double fine_depth_scale(const Bin& bin, double distance) {
  const double reach = bin.wall > 0 ? norm(Vec3{0.5 * bin.length, 0.5 * bin.width, bin.height})
                                    : 1.5 * norm(Vec3{bin.length, bin.width, 0});
  return std::pow(10, std::ceil(std::log10(1.1 * (distance + reach) / most_steps)));
}

/// The largest depth in an image of the bin, about: a camera that is tilted has a corner farther away.
double largest_depth(const Bin& bin, double distance, double tilt) {
  double aside = 0;
  for (const Vec3& p : bin_mesh(bin).positions) aside = std::max(aside, std::hypot(p[0], p[1]));
  return 1.01 * (distance + bins::middle_of(bin)[2] + std::sin(tilt * std::numbers::pi / 180) * aside);
}

/// Refuses steps of depth in which the farthest does not fit into 16 bits, or in which a part has no shape.
void check_depth_scale(double depth_scale, double farthest, std::span<const BinPart> parts) {
  double smallest_part = std::numeric_limits<double>::infinity();
  for (const BinPart& part : parts) smallest_part = std::min(smallest_part, largest_distance(part.mesh->positions));
  const double least = farthest / most_steps, most = 0.1 * smallest_part;
  if (depth_scale >= least && depth_scale <= most) return;
  throw InvalidArgument(
      fmt::format("camera: depth_scale {:.6g} is not allowed; allowed: {:.4g} to {:.4g}, or none, which is automatic: "
                  "depths of up to {:.4g} mm have to fit into 16 bits, and a step may be a tenth of a part's diameter",
                  depth_scale, 1.001 * least, most, farthest));
}

/// The parts as they can be drawn; `mended` holds those that differ from what was given.
std::vector<BinPart> without_broken_faces(std::span<const BinPart> given, std::deque<PointCloud>& mended) {
  std::vector<BinPart> parts(given.begin(), given.end());
  for (BinPart& part : parts) {
    if (part.mesh == nullptr) continue;
    PointCloud mesh = *part.mesh;
    drop_broken_faces(mesh);
    if (mesh.size() == part.mesh->size() && mesh.faces.size() == part.mesh->faces.size()) continue;
    part.mesh = &mended.emplace_back(std::move(mesh));
  }
  return parts;
}

/// The bin as large as it will be, with nothing at rest in it yet.
Bin empty_bin(std::span<const BinPart> parts, const BinOptions& options, std::uint64_t seed, int threads) {
  const std::atomic<bool> at_once = true;
  return simulate_bin(parts, options, seed, {threads, {}, &at_once});
}

io::DepthPng to_png(const bins::BinView& view, const pose::Pinhole& camera, double depth_scale) {
  io::DepthPng png{static_cast<std::uint32_t>(camera.width), static_cast<std::uint32_t>(camera.height), {}};
  for (const float depth : view.depth) {
    const double steps = std::round(depth / depth_scale);
    png.steps.push_back(steps > 0 && steps <= most_steps ? static_cast<std::uint16_t>(steps) : std::uint16_t{0});
  }
  return png;
}

/// What has to be found, and what is told of it all.
std::vector<io::BopTarget> targets_of(const std::vector<bins::BinView>& views, double min_visible, BinDataset& told) {
  std::vector<io::BopTarget> targets;
  long surface = 0, measured = 0;
  for (const bins::BinView& view : views) {
    std::map<int, int> count;
    for (const io::BopSeenTruth& seen : view.seen.truths) {
      ++told.instances;
      told.mean_visible += seen.truth.visible_share;
      if (seen.visible_pixels > 0 && seen.truth.visible_share >= min_visible) ++count[seen.truth.object];
    }
    for (const auto& [object, instances] : count) {
      targets.push_back({{scene_id, view.seen.image}, object, instances});
      told.targets += static_cast<std::size_t>(instances);
    }
    surface += view.surface_pixels;
    measured += view.measured_pixels;
  }
  if (told.instances > 0) told.mean_visible /= static_cast<double>(told.instances);
  if (surface > 0) told.measured_pixels = static_cast<double>(measured) / static_cast<double>(surface);
  return targets;
}

void use(bins::ViewSettings& settings, const DepthCamera& camera) {
  if (camera.width < 1 || camera.height < 1) {
    throw InvalidArgument("camera: has no width and height; allowed: a camera with the size of its images");
  }
  if (camera.distorted()) throw InvalidArgument("camera: has a distortion; images are made for cameras without one");
  // Pixels are rendered about their centres at i + ½.
  const double shift = 0.5 - camera.pixel_center;
  settings.camera = {camera.fx, camera.fy, camera.cx + shift, camera.cy + shift, camera.width, camera.height};
  settings.pixel_center = camera.pixel_center;
}

}  // namespace

BinDataset write_bin_dataset(const std::filesystem::path& folder, std::span<const BinPart> given,
                             const BinImages& images, const BinOptions& options, const DepthSensor& sensor,
                             const std::optional<DepthCamera>& camera, std::uint64_t seed, const BinRun& run) {
  validate(images);
  validate(sensor);
  if (!pose::depth_renderer_available()) {
    throw MachineError("images of bins are not made by this build: that needs Embree 3 (Debian: libembree-dev)");
  }
  std::deque<PointCloud> mended;
  const std::vector<BinPart> parts = without_broken_faces(given, mended);
  AtomicFolder out(folder);
  bins::ViewSettings settings{bins::default_camera(images), 0, images, sensor};
  if (camera) use(settings, *camera);
  const auto distance_to = [&](const Bin& bin) {
    return images.distance > 0 ? images.distance : bins::fitting_distance(bin, settings.camera);
  };
  if (camera && camera->depth_scale > 0) {
    const Bin bin = empty_bin(parts, options, seed, run.threads);
    check_depth_scale(camera->depth_scale, largest_depth(bin, distance_to(bin), images.tilt), parts);
  }
  BinRun first_part = run;
  if (run.on_progress) first_part.on_progress = [&](double share) { run.on_progress(share_of_simulation * share); };
  BinDataset told;
  told.bins = simulate_bins(parts, images.images, options, seed, first_part);
  if (run.cancel && *run.cancel) throw Error("stopped; nothing was written");

  told.distance = distance_to(told.bins[0]);
  settings.depth_scale =
      camera && camera->depth_scale > 0 ? camera->depth_scale : fine_depth_scale(told.bins[0], told.distance);
  told.camera = bins::written_camera(settings);

  write_models(out.make("models"), parts, run);
  std::vector<pose::RenderMesh> meshes;
  for (const BinPart& part : parts) meshes.emplace_back(*part.mesh);
  const fs::path scene = out.make(fmt::format("test/{:06}", scene_id)),
                 depth = out.make(fmt::format("test/{:06}/depth", scene_id));
  std::vector<bins::BinView> views(told.bins.size());
  std::mutex mutex;
  std::size_t done = 0;
  Threads(run.threads).execute([&] {
    parallel_for(views.size(), 1, [&](std::size_t i) {
      views[i] = bins::view_bin(told.bins[i], meshes, settings, told.distance, static_cast<int>(i));
      io::write_depth_png(depth / fmt::format("{:06}.png", i), to_png(views[i], settings.camera, settings.depth_scale));
      views[i].depth = {};
      const std::lock_guard lock(mutex);
      ++done;
      if (run.on_progress) {
        run.on_progress(share_of_simulation +
                        (1 - share_of_simulation) * static_cast<double>(done) / static_cast<double>(views.size()));
      }
    });
  });
  std::vector<io::BopSeenImage> seen;
  for (const bins::BinView& view : views) seen.push_back(view.seen);
  io::write_bop_scene(scene, seen);
  io::write_bop_camera(out.make("") / "camera.json", seen[0].camera, {settings.camera.width, settings.camera.height});
  io::write_bop_targets(out.make("") / "test_targets_bop19.json", targets_of(views, images.min_visible, told));
  out.commit();
  return told;
}

}  // namespace dovetail
