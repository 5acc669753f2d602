// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/vsd.h"

#include <cmath>

namespace dovetail::pose {
namespace {

/// From the camera's centre, of a point at some depth. BOP's rays for this go through the corners of pixels, though it
/// renders at their centres.
double distance_of(const Pinhole& camera, int x, int y, float depth) {
  return static_cast<double>(depth) * norm(camera.direction(x, y));
}

/// In float, as BOP has it.
bool is_visible(double model, float measured, double delta) {
  return measured == 0 || static_cast<float>(model) - measured <= static_cast<float>(delta);
}

}  // namespace

std::array<double, vsd_tolerances> steps_of_a_twentieth() {
  std::array<double, vsd_tolerances> steps{};
  for (std::size_t i = 0; i < vsd_tolerances; ++i) steps[i] = 0.05 + static_cast<double>(i) * 0.05;
  return steps;
}

MeasuredDistances measured_distances(const io::DepthPng& depth, double depth_scale, const Pinhole& camera) {
  MeasuredDistances measured{camera, {}};
  measured.distance.reserve(depth.steps.size());
  const auto scale = static_cast<float>(depth_scale);
  std::size_t at = 0;
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x, ++at) {
      const float millimetres = static_cast<float>(depth.steps[at]) * scale;
      measured.distance.push_back(static_cast<float>(distance_of(camera, x, y, millimetres)));
    }
  }
  return measured;
}

std::array<double, vsd_tolerances> vsd(const RenderedDepth& estimate, const RenderedDepth& truth,
                                       const MeasuredDistances& measured, double delta, double diameter) {
  const std::array<double, vsd_tolerances> tolerances = steps_of_a_twentieth();
  const PixelRegion image = whole_image(measured.camera), region = around(estimate.region, truth.region);
  std::size_t in_either = 0, in_one = 0;
  std::array<std::size_t, vsd_tolerances> apart{};
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      const float depth_e = estimate.depth_at(x, y), depth_t = truth.depth_at(x, y);
      if (!(depth_e > 0) && !(depth_t > 0)) continue;
      const float seen = measured.distance[image.offset(x, y)];
      const double e = distance_of(measured.camera, x, y, depth_e), t = distance_of(measured.camera, x, y, depth_t);
      const bool truth_visible = depth_t > 0 && is_visible(t, seen, delta);
      const bool estimate_visible = depth_e > 0 && (truth_visible || is_visible(e, seen, delta));
      in_either += truth_visible || estimate_visible;
      in_one += truth_visible != estimate_visible;
      if (!truth_visible || !estimate_visible) continue;
      const double off = std::fabs(t - e) / diameter;
      for (std::size_t i = 0; i < vsd_tolerances; ++i) apart[i] += off >= tolerances[i];
    }
  }
  std::array<double, vsd_tolerances> errors{};
  for (std::size_t i = 0; i < vsd_tolerances; ++i) {
    errors[i] = in_either == 0 ? 1.0 : static_cast<double>(apart[i] + in_one) / static_cast<double>(in_either);
  }
  return errors;
}

bool may_overlap(const Vec3& estimate, const Vec3& truth, double diameter) {
  if (estimate[2] == 0 || truth[2] == 0) return false;
  const Vec2 apart{estimate[0] / estimate[2] - truth[0] / truth[2], estimate[1] / estimate[2] - truth[1] / truth[2]};
  return norm(apart) < 0.5 * diameter / estimate[2] + 0.5 * diameter / truth[2];
}

}  // namespace dovetail::pose
