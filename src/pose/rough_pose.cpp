// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rough_pose.h"

#include <algorithm>
#include <cmath>

#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

// What a pixel of a reference costs. To be behind measured surface is possible, to be in front of it is not.
constexpr float unknown_cost = 0.35f, hidden_cost = 0.5f, impossible_cost = 1.0f, edge_cost = 0.25f, edge_reach = 4.0f;

struct Trial {
  float error = 1, z = 0;
};

/// The error at a shift, and the depth that suits it best: the mean of what is near to `z`.
Trial error_at(const SceneWindow& window, const ReferenceSample& sample, float x, float y, float z, float tolerance) {
  const float middle = 0.5f * static_cast<float>(window.size);
  const auto index = [&](const ReferenceSample::Pixel& p) -> std::ptrdiff_t {
    const int u = static_cast<int>(p.x + x + middle), v = static_cast<int>(p.y + y + middle);
    if (static_cast<unsigned>(u) >= static_cast<unsigned>(window.size)) return -1;
    if (static_cast<unsigned>(v) >= static_cast<unsigned>(window.size)) return -1;
    return static_cast<std::ptrdiff_t>(v) * window.size + u;
  };
  for (int pass = 0; pass < 2; ++pass) {
    const float gate = pass == 0 ? 2 * tolerance : tolerance;
    float sum = 0, weight = 0;
    for (const ReferenceSample::Pixel& p : sample.pixels) {
      const std::ptrdiff_t at = index(p);
      if (at < 0) continue;
      const float off = window.depth[static_cast<std::size_t>(at)] - p.depth - z;
      const float counts = std::fabs(off) < gate ? p.weight : 0.0f;
      sum += counts * (counts > 0 ? off : 0.0f);
      weight += counts;
    }
    if (weight > 0) z += sum / weight;
  }
  float cost = 0;
  const float scale = 1 / tolerance;
  for (const ReferenceSample::Pixel& p : sample.pixels) {
    const std::ptrdiff_t at = index(p);
    float of_pixel = unknown_cost;
    if (at >= 0) {
      const float there = window.depth[static_cast<std::size_t>(at)];
      const float off = (there - p.depth - z) * scale;
      if (there == SceneWindow::nothing) {
        of_pixel = unknown_cost;
      } else if (off >= 1) {
        of_pixel = impossible_cost;
      } else if (off <= -1) {
        of_pixel = hidden_cost;
      } else {
        const float apart = std::fabs(std::fabs(window.distance[static_cast<std::size_t>(at)]) - p.distance);
        of_pixel = (1 - edge_cost) * 0.5f * off * off + edge_cost * std::min(1.0f, apart / edge_reach);
      }
    }
    cost += p.weight * of_pixel;
  }
  return {cost / sample.weight, z};
}

RoughPose best_place(const SceneWindow& window, const ReferenceSample& sample, std::size_t reference,
                     const RoughSettings& settings) {
  const auto tolerance = static_cast<float>(settings.tolerance);
  struct {
    float x, y;
    Trial trial;
  } best{0, 0, {2, 0}};
  const auto attempt = [&](float x, float y, float z) {
    const Trial trial = error_at(window, sample, x, y, z, tolerance);
    if (trial.error < best.trial.error) best = {x, y, trial};
  };
  // The part's inner pixel on the place, or its middle; and places around.
  constexpr float step = 4;
  const float z = -sample.inner_depth;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i)
      attempt(step * static_cast<float>(i) - sample.inner_x, step * static_cast<float>(j) - sample.inner_y, z);
  }
  attempt(-sample.middle_x, -sample.middle_y, z);
  for (float width = step / 2; width >= 1; width /= 2) {
    for (int round = 0; round < 3; ++round) {
      const auto from = best;
      for (int k = 0; k < 8; ++k) {
        constexpr int dx[] = {1, -1, 0, 0, 1, 1, -1, -1}, dy[] = {0, 0, 1, -1, 1, -1, 1, -1};
        attempt(from.x + width * static_cast<float>(dx[k]), from.y + width * static_cast<float>(dy[k]), from.trial.z);
      }
      if (best.trial.error >= from.trial.error) break;
    }
  }
  RoughPose rough;
  rough.reference = reference;
  rough.x = static_cast<double>(best.x), rough.y = static_cast<double>(best.y);
  rough.z = static_cast<double>(best.trial.z);
  rough.error = static_cast<double>(best.trial.error);
  return rough;
}

}  // namespace

std::vector<ReferenceSample> sample_references(const PoseReferences& part, std::size_t most) {
  std::vector<ReferenceSample> samples(part.references.size());
  const double middle = 0.5 * part.image_size;
  parallel_for(samples.size(), 16, [&](std::size_t r) {
    ReferenceSample& sample = samples[r];
    const std::span<const ReferencePixel> image = part.image(r);
    // A lattice of every n-th pixel along both axes.
    int step = 1;
    while (part.references[r].pixels / static_cast<std::uint32_t>(step * step) > most) ++step;
    int inner = -1, count = 0;
    for (int y = 0; y < part.image_size; ++y) {
      for (int x = 0; x < part.image_size; ++x) {
        const ReferencePixel p = image[static_cast<std::size_t>(y * part.image_size + x)];
        if (p.depth == 0) continue;
        const auto px = static_cast<float>(x + 0.5 - middle), py = static_cast<float>(y + 0.5 - middle);
        const auto depth = static_cast<float>(part.depth(p));
        sample.middle_x += px, sample.middle_y += py, ++count;
        if (p.distance > inner) {
          inner = p.distance;
          sample.inner_x = px, sample.inner_y = py, sample.inner_depth = depth;
        }
        sample.area += static_cast<float>(p.confidence) / 255;
        if (x % step != step / 2 || y % step != step / 2) continue;
        const auto distance = static_cast<float>(p.distance * part.distance_step);
        const float weight = static_cast<float>(p.confidence) / 255;
        sample.pixels.push_back({px, py, depth, distance, weight});
        sample.weight += weight;
      }
    }
    if (count > 0) sample.middle_x /= static_cast<float>(count), sample.middle_y /= static_cast<float>(count);
  });
  return samples;
}

std::vector<RoughPose> rough_poses(const SceneWindow& window, const std::vector<ReferenceSample>& samples,
                                   const RoughSettings& settings) {
  std::vector<RoughPose> poses(samples.size());
  float largest = 0;
  for (const ReferenceSample& sample : samples) largest = std::max(largest, sample.area);
  parallel_for(samples.size(), 16, [&](std::size_t r) {
    poses[r].reference = r;
    if (samples[r].pixels.empty()) return;
    poses[r] = best_place(window, samples[r], r, settings);
    // What shows much of itself and fits is worth more than a little that fits.
    const double size = static_cast<double>(samples[r].area / largest);
    poses[r].worth = (0.5 - poses[r].error) * std::sqrt(size);
  });
  std::stable_sort(poses.begin(), poses.end(),
                   [](const RoughPose& a, const RoughPose& b) { return a.worth > b.worth; });
  return poses;
}

Rigid3 pose_of(const RoughPose& rough, const SceneWindow& window, const PoseReferences& part) {
  const PoseReference& reference = part.references[rough.reference];
  const Quaternion<double> q{reference.orientation[0], reference.orientation[1], reference.orientation[2],
                             reference.orientation[3]};
  const Mat3 rotation = window.camera_from_window * matrix_from_quaternion(q);
  const Vec3 center =
      window.origin + window.camera_from_window * Vec3{window.pixel * rough.x, window.pixel * rough.y, rough.z};
  return {rotation, center - rotation * part.center};
}

}  // namespace dovetail::pose
