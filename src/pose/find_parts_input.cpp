// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/find_parts_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "pose/pinhole.h"

namespace dovetail::pose {
namespace {

void check_frame(const Transform& frame) {
  std::string reason = fmt::format("it is a {} transform", to_string(frame.model));
  if (frame.model == Model::rigid3) {
    try {
      Transform::from_matrix(Model::rigid3, frame.matrix);
      return;
    } catch (const InvalidArgument& error) {
      reason = error.what();
    }
  }
  throw InvalidArgument(
      fmt::format("frame_from_camera: {}; allowed: a rotation and a shift in space (rigid3)", reason));
}

}  // namespace

void check_input(const RangeImage& image, const PoseDatabase& database, const FindParts& options) {
  validate(options);
  const DepthCamera& camera = image.camera;
  if (!(camera.fx > 0) || !(camera.fy > 0) || !std::isfinite(camera.fx) || !std::isfinite(camera.fy)) {
    throw InvalidArgument(fmt::format(
        "image: camera: fx {} and fy {} are not allowed; allowed: focal lengths more than 0", camera.fx, camera.fy));
  }
  if (camera.width < 3 || camera.height < 3) {
    throw InvalidArgument(fmt::format("image: camera: {} x {} pixels are not allowed; allowed: 3 and more each",
                                      camera.width, camera.height));
  }
  const std::size_t pixels = static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height);
  if (image.depth.size() != pixels) {
    throw InvalidArgument(fmt::format("image: {} depths for the {} x {} pixels of its camera; one each is needed",
                                      image.depth.size(), camera.width, camera.height));
  }
  if (!options.mask.empty() && options.mask.size() != pixels) {
    throw InvalidArgument(
        fmt::format("mask: {} pixels; the image has {} x {}", options.mask.size(), camera.width, camera.height));
  }
  if (const auto& box = options.region) {
    const PixelRegion inside =
        common({box->left, box->top, box->width, box->height}, {0, 0, camera.width, camera.height});
    if (box->width < 1 || box->height < 1 || inside.empty()) {
      throw InvalidArgument(fmt::format("region: {} x {} pixels from ({}, {}) on; the image has {} x {}", box->width,
                                        box->height, box->left, box->top, camera.width, camera.height));
    }
  }
  for (int a = 0; options.reach && a < 3; ++a) {
    if (options.reach->low[a] < options.reach->high[a]) continue;
    throw InvalidArgument(fmt::format("reach: from {:.6g} to {:.6g} along {}; the second must be larger",
                                      options.reach->low[a], options.reach->high[a], "xyz"[a]));
  }
  if (options.frame_from_camera) check_frame(*options.frame_from_camera);
  if (database.parts().empty()) throw InvalidArgument("database: has no parts");
}

std::vector<std::uint8_t> left_out_of(const RangeImage& image, const FindParts& options) {
  std::vector<std::uint8_t> left_out(image.depth.size(), 0);
  const PixelRegion region = options.region ? PixelRegion{options.region->left, options.region->top,
                                                          options.region->width, options.region->height}
                                            : PixelRegion{0, 0, image.camera.width, image.camera.height};
  std::size_t at = 0;
  for (int y = 0; y < image.camera.height; ++y) {
    for (int x = 0; x < image.camera.width; ++x, ++at) {
      left_out[at] = !region.contains(x, y) || (!options.mask.empty() && !options.mask[at]);
    }
  }
  return left_out;
}

double noise_of(const RangeImage& image, const RangeScene& scene) {
  std::vector<float> off;
  for (std::size_t i = 0; i < image.depth.size(); ++i) {
    if (image.depth[i] > 0 && scene.depth[i] > 0) off.push_back(std::fabs(image.depth[i] - scene.depth[i]));
  }
  if (off.empty()) return 0;
  // Half of the measured pixels are less than two thirds of it from their neighbours' median.
  const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
  std::nth_element(off.begin(), middle, off.end());
  return 1.5 * static_cast<double>(*middle);
}

}  // namespace dovetail::pose
