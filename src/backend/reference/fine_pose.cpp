// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/fine_pose.h"

#include <cmath>

#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// Point by point, in double: where it is seen, what was measured there, and what follows.
void fine_pose_block(const Block<fine::FinePose>& b) {
  const SceneView& scene = b.data.scene;
  const fine::State& s = b.state;
  const Vec3 center = s.camera_from_part * s.middle;
  for (std::uint32_t item = b.first; item < b.last; ++item) {
    const std::uint32_t i = s.first + item;
    const Vec3 point{double{b.data.points.x[i]}, double{b.data.points.y[i]}, double{b.data.points.z[i]}};
    const Vec3 here = s.camera_from_part * (s.middle + point);
    if (!(here[2] > 0)) continue;
    const double column = std::floor(scene.fx * here[0] / here[2] + scene.cx + 0.5);
    const double row = std::floor(scene.fy * here[1] / here[2] + scene.cy + 0.5);
    if (column < 0 || row < 0 || column >= scene.width || row >= scene.height) continue;
    const int x = static_cast<int>(column), y = static_cast<int>(row);
    const ScenePixel& pixel = scene.pixels[scene.at(x, y)];
    const double depth = double{pixel.depth};
    if (depth == 0) continue;
    if (s.phase == fine::Phase::judge) {
      const double behind = depth - here[2];
      (std::fabs(behind) <= s.tolerance ? b.sums.explained : behind > 0 ? b.sums.impossible : b.sums.hidden) += 1;
      continue;
    }
    const Vec3 normal{double{pixel.normal[0]}, double{pixel.normal[1]}, double{pixel.normal[2]}};
    if (squared_norm(normal) == 0) continue;
    const Vec3 off = here - depth * scene.direction(x, y);
    const double residual = dot(normal, off);
    if (!(std::fabs(residual) < s.gate) || squared_norm(off) > 9 * s.gate * s.gate) continue;
    const double share = residual / s.gate, weight = (1 - share * share) * (1 - share * share);
    const Vec3 lever = cross(here - center, normal);
    b.sums.fit.add(weight, {lever[0], lever[1], lever[2], normal[0], normal[1], normal[2]}, residual);
  }
}

}  // namespace

void ReferenceBackend::add_fine_pose() { add_pass<fine_pose_block>(List<fine::FinePose>{}); }

}  // namespace dovetail
