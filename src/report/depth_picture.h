// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "dovetail/range_image.h"
#include "io/json_parts.h"
#include "report/silhouette.h"

namespace dovetail::report {

using io::json::Json;

/// The image in so few pixels that a report may hold it: every k-th of each row and column.
RangeImage reduced(const RangeImage& image, std::size_t most_bytes);

/// Appends an image's depths, 16 bits each, 0 where nothing was measured; returns what the page has to know of them.
Json pack_depth(std::string& bytes, const RangeImage& image);

/// Appends a silhouette: three numbers of 16 bits a span.
Json pack_spans(std::string& bytes, const std::vector<PixelSpan>& spans);

/// What was measured, as points in the camera's frame.
PointCloud points_of(const RangeImage& image);

}  // namespace dovetail::report
