// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>

#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// Pixel by pixel, in double: where it comes to lie, what is there, and what it says.
void rough_pose_block(const Block<rough::RoughPose>& b) {
  const WindowView& window = b.data.window;
  const ReferencesView& part = b.data.part;
  const LaidReference& reference = part.references[b.state.reference];
  const LaidShift shift = rough::RoughPose::shift_of(part, b.state, b.hypothesis);
  const double room = window.size - part.size, tolerance = b.params.tolerance, reach = b.params.reach;
  const auto shifted = [&](double steps) {
    return std::clamp(std::floor(room / 2) + std::round(steps / depth_steps), 0.0, room);
  };
  for (std::uint32_t item = b.first; item < b.last; ++item) {
    const std::uint32_t group = reference.first + item / group_pixels, corner = part.corner[group];
    const LaidPixel& pixel = part.pixels[std::size_t{group} * group_pixels + item % group_pixels];
    const double column = (corner & 0xffffu) + item % group_pixels + shifted(shift.x);
    const double row = (corner >> 16) + shifted(shift.y);
    const double weight = pixel.weight;
    // A row's last group may go past the reference, and so past the window.
    if (column >= window.size || row >= window.size) {
      b.sums.unknown += weight;
      continue;
    }
    const LaidPixel& seen = window.pixels[static_cast<std::size_t>(row * window.stride + column)];
    const double off = 1.0 * seen.depth - pixel.depth - shift.z, apart = 1.0 * seen.distance - pixel.distance;
    if (seen.weight == 0) {
      b.sums.unknown += weight;
    } else if (off > tolerance) {
      b.sums.impossible += weight;
    } else if (off < -tolerance) {
      b.sums.hidden += weight;
    } else if (weight > 0) {
      b.sums.agreed += weight;
      b.sums.range += weight * std::fabs(off);
      b.sums.pixels += 1;
      b.sums.cover += std::min(std::fabs(apart), reach);
    }
  }
}

}  // namespace

void ReferenceBackend::add_rough_pose() { add_pass<rough_pose_block>(List<rough::RoughPose>{}); }

}  // namespace dovetail
