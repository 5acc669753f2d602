// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dovetail/reference.h"
#include "io/vertex_merger.h"

namespace dovetail::io {

/// Collects the points and lines of a file of the plane. Vertices with equal coordinates become one, so that lines that
/// meet share it.
class ReferenceBuilder {
 public:
  /// `file` is its name, for messages.
  explicit ReferenceBuilder(std::string_view file) : file_(file) {}

  void add_point(double x, double y) { index_of(x, y); }

  /// One line: a call for each of its vertices, then end_line().
  void add_line_vertex(double x, double y) { lines_.index.push_back(index_of(x, y)); }
  void end_line() { lines_.start.push_back(static_cast<std::uint32_t>(lines_.index.size())); }

  /// What was collected, with coordinates as they came. Refuses a file without lines or points.
  Reference take_planar();

  /// The same where coordinates came as longitude and latitude in degrees: projected into `frame`, else into one about
  /// their middle. Refuses what is too far from the frame's origin.
  Reference take_projected(const std::optional<GeoFrame>& frame);

 private:
  std::uint32_t index_of(double x, double y);

  std::string file_;
  VertexMerger merger_;
  Faces lines_;
};

/// A cloud whose x and y are longitudes and latitudes, brought into the plane as take_projected() does. Heights become
/// an attribute.
Reference project_degrees(std::string_view file, PointCloud cloud, const std::optional<GeoFrame>& frame);

}  // namespace dovetail::io
