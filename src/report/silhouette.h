// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/find.h"
#include "dovetail/range_image.h"

namespace dovetail::report {

/// Pixels of one row, from `begin` to before `end`.
struct PixelSpan {
  std::uint16_t row, begin, end;
  friend bool operator==(const PixelSpan&, const PixelSpan&) = default;
};

/// The pixels in which a camera would see a part that nothing hides, row by row; of a part without faces those about
/// its points. What lies behind the camera, or reaches behind it, is left out.
std::vector<PixelSpan> silhouette(const PointCloud& part, const Transform& camera_from_part, const DepthCamera& camera);

}  // namespace dovetail::report
