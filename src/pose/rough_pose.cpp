// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rough_pose.h"

#include "spatial/parallel.h"

namespace dovetail::pose {

std::vector<ReferenceSample> sample_references(const PoseReferences& part, std::size_t most) {
  std::vector<ReferenceSample> samples(part.references.size());
  const double middle = 0.5 * part.image_size;
  parallel_for(samples.size(), 16, [&](std::size_t r) {
    ReferenceSample& sample = samples[r];
    const std::span<const ReferencePixel> image = part.image(r);
    // A lattice of every n-th pixel along both axes.
    int step = 1;
    while (part.references[r].pixels / static_cast<std::uint32_t>(step * step) > most) ++step;
    for (int y = step / 2; y < part.image_size; y += step) {
      for (int x = step / 2; x < part.image_size; x += step) {
        const ReferencePixel p = image[static_cast<std::size_t>(y * part.image_size + x)];
        if (p.depth == 0) continue;
        sample.pixels.push_back({static_cast<float>(x + 0.5 - middle), static_cast<float>(y + 0.5 - middle),
                                 static_cast<float>(part.depth(p))});
      }
    }
  });
  return samples;
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
