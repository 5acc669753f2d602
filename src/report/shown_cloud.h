// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "io/json_parts.h"
#include "spatial/bounds.h"

namespace dovetail::report {

using io::json::Json;

/// A cloud, and what of it can be drawn.
struct ShownCloud {
  const PointCloud* cloud = nullptr;
  std::vector<std::uint32_t> usable;  ///< without points that are not finite and no-return marks
  std::vector<std::uint32_t> drawn;   ///< of these, the ones in the box
  Bounds box;  ///< of nearly all: a few points far out would leave the others too few of the 16 bits
};

ShownCloud shown_cloud(const PointCloud& cloud, OriginPoints at_origin);

/// Appends the points `sample` of a cloud; returns what the page has to know of them. `residuals` is empty or one a
/// point, as residual_byte() has them.
Json pack_cloud(std::string& bytes, const ShownCloud& shown, std::span<const std::uint32_t> sample,
                std::span<const std::uint8_t> residuals);

/// Appends lines over a cloud's points, two ends a piece, in the cloud's box.
Json pack_lines(std::string& bytes, const ShownCloud& shown, const Faces& lines);

/// How many ends pack_lines() appends at most.
std::size_t line_ends(const Faces& lines);

/// The origin's policy as options write it; automatic where it is none.
OriginPoints origin_points_of(const Json& result);

}  // namespace dovetail::report
