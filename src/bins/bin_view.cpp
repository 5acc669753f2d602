// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/bin_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "dovetail/error.h"
#include "pose/depth_sensor.h"

namespace dovetail::bins {
namespace {

constexpr std::uint64_t camera_stream = 1;  // stream 0 drops the parts

/// The smallest box about pixels, as the benchmark writes it.
class PixelBox {
 public:
  void add(int x, int y) {
    low_x_ = std::min(low_x_, x), high_x_ = std::max(high_x_, x);
    low_y_ = std::min(low_y_, y), high_y_ = std::max(high_y_, y);
    ++count_;
  }
  long count() const { return count_; }
  std::array<int, 4> box() const {
    if (count_ == 0) return {-1, -1, -1, -1};
    return {low_x_, low_y_, high_x_ - low_x_, high_y_ - low_y_};
  }

 private:
  int low_x_ = INT32_MAX, low_y_ = INT32_MAX, high_x_ = INT32_MIN, high_y_ = INT32_MIN;
  long count_ = 0;
};

/// An image with as much again on every side: what of a part is outside the camera's image counts as hidden.
pose::Pinhole padded(pose::Pinhole camera) {
  camera.cx += camera.width, camera.cy += camera.height;
  camera.width *= 3, camera.height *= 3;
  return camera;
}

/// What a part would show if it were alone.
void add_outline(io::BopSeenTruth& seen, const pose::PosedMesh& posed, const pose::Pinhole& camera,
                 const std::vector<float>& measured) {
  const pose::Pinhole large = padded(camera);
  const pose::RenderedDepth alone = pose::render_depth(std::span(&posed, 1), large, pose::region_of(posed, large));
  const pose::PixelRegion image = pose::whole_image(camera);
  PixelBox box;
  for (int y = alone.region.top; y < alone.region.bottom(); ++y) {
    for (int x = alone.region.left; x < alone.region.right(); ++x) {
      if (alone.part[alone.region.offset(x, y)] < 0) continue;
      const int u = x - camera.width, v = y - camera.height;
      box.add(u, v);
      if (image.contains(u, v) && measured[image.offset(u, v)] > 0) ++seen.measured_pixels;
    }
  }
  seen.box = box.box();
  seen.pixels = box.count();
}

}  // namespace

DepthCamera written_camera(const ViewSettings& settings) {
  const pose::Pinhole& camera = settings.camera;
  const double shift = 0.5 - settings.pixel_center;
  return {camera.width,         camera.height,         camera.fx, camera.fy, camera.cx - shift, camera.cy - shift,
          settings.depth_scale, settings.pixel_center, {}};
}

pose::Pinhole default_camera(const BinImages& images) {
  const double focal = 0.5 * images.columns / std::tan(0.5 * images.field_of_view * std::numbers::pi / 180);
  return {focal, focal, 0.5 * images.columns, 0.5 * images.rows, images.columns, images.rows};
}

Vec3 middle_of(const Bin& bin) { return {0, 0, 0.25 * bin.height}; }

double fitting_distance(const Bin& bin, const pose::Pinhole& camera) {
  // From the image's middle to the nearer edge; a camera that looks past the bin is not helped by going away.
  const auto half = [](double center, int size) {
    const double nearer = std::min(center, size - center);
    return nearer > 0 ? nearer : 0.5 * size;
  };
  const double by_length = camera.fx * (0.5 * bin.length + bin.wall) / half(camera.cx, camera.width);
  const double by_width = camera.fy * (0.5 * bin.width + bin.wall) / half(camera.cy, camera.height);
  return 1.05 * std::max(by_length, by_width) + bin.height - middle_of(bin)[2];
}

Rigid3 camera_from_scene(const Bin& bin, double distance, double tilt, std::uint64_t seed) {
  RandomStream random(seed, camera_stream);
  const double angle = tilt * std::numbers::pi / 180 * random.uniform(), to = 2 * std::numbers::pi * random.uniform();
  const Vec3 away{std::sin(angle) * std::cos(to), std::sin(angle) * std::sin(to), std::cos(angle)};
  const Vec3 z = -away;
  Vec3 x = cross(z, Vec3{0, 1, 0});  // the image's top towards +y; the tilt is below 90 degrees
  x *= 1 / norm(x);
  const Vec3 y = cross(z, x);
  const Mat3 turn{x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]};
  return {turn, -(turn * (middle_of(bin) + distance * away))};
}

BinView view_bin(const Bin& bin, std::span<const pose::RenderMesh> meshes, const ViewSettings& settings,
                 double distance, int image) {
  const pose::Pinhole& camera = settings.camera;
  const Rigid3 from_scene = camera_from_scene(bin, distance, settings.images.tilt, bin.seed);
  BinView view;
  view.seen.image = image;
  const DepthCamera written = written_camera(settings);
  view.seen.camera.k = {written.fx, 0, written.cx, 0, written.fy, written.cy, 0, 0, 1};
  view.seen.camera.pixel_center = written.pixel_center;
  view.seen.camera.depth_scale = settings.depth_scale;
  view.seen.camera_from_world = from_scene;
  // The parts, and last what they lie in.
  const pose::RenderMesh walls(bin_mesh(bin));
  std::vector<pose::PosedMesh> scene;
  for (const RestingPart& part : bin.parts) scene.push_back({&meshes[part.part], from_scene * part.scene_from_part});
  scene.push_back({&walls, from_scene});

  constexpr double usual_baseline = DepthSensor{}.baseline;
  const double baseline = distance * (settings.sensor.baseline > 0 ? settings.sensor.baseline : usual_baseline);
  const Vec3 light = settings.sensor.baseline > 0 ? Vec3{baseline, 0, 0} : Vec3{};
  const pose::RenderedView exact = pose::render_view(scene, camera, light);
  view.depth = settings.images.noise ? pose::measured_depth(exact, camera, settings.sensor, baseline, bin.seed)
                                     : exact.image.depth;
  std::vector<PixelBox> visible(scene.size());
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) {
      const std::size_t at = exact.image.region.offset(x, y);
      if (exact.image.part[at] < 0) continue;
      visible[static_cast<std::size_t>(exact.image.part[at])].add(x, y);
      ++view.surface_pixels;
      view.measured_pixels += view.depth[at] > 0;
    }
  }
  long seen_pixels = 0;
  for (std::size_t i = 0; i < bin.parts.size(); ++i) {
    io::BopSeenTruth seen;
    seen.truth.object = static_cast<int>(bin.parts[i].part) + 1;
    seen.truth.camera_from_object = scene[i].camera_from_mesh;
    add_outline(seen, scene[i], camera, view.depth);
    seen.visible_box = visible[i].box();
    seen.visible_pixels = visible[i].count();
    seen.truth.visible_share =
        seen.pixels > 0 ? static_cast<double>(seen.visible_pixels) / static_cast<double>(seen.pixels) : 0;
    seen_pixels += seen.visible_pixels;
    view.seen.truths.push_back(seen);
  }
  if (seen_pixels == 0) {
    throw InvalidArgument(fmt::format(
        "camera: it sees none of the {} parts of bin {}, from {:.4g} mm above; look at its focal lengths, its centre "
        "and the distance",
        bin.parts.size(), bin.seed, distance));
  }
  return view;
}

}  // namespace dovetail::bins
