// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <open3d/geometry/PointCloud.h>
#include <open3d/geometry/TriangleMesh.h>
#include <open3d/io/PointCloudIO.h>
#include <open3d/io/TriangleMeshIO.h>
#include <open3d/utility/Logging.h>

#include "peer_reader.h"

namespace dovetail::test {
namespace {

std::optional<PeerPoints> to_points(const std::vector<Eigen::Vector3d>& vectors) {
  if (vectors.empty()) return std::nullopt;
  PeerPoints points;
  for (const Eigen::Vector3d& v : vectors) points.push_back({v.x(), v.y(), v.z()});
  return points;
}

}  // namespace

std::optional<PeerPoints> read_with_open3d(const std::string& file) {
  open3d::utility::SetVerbosityLevel(open3d::utility::VerbosityLevel::Error);
  const bool mesh =
      file.ends_with(".obj") || file.ends_with(".stl") || file.ends_with(".STL") || file.ends_with(".off");
  if (mesh) {
    open3d::geometry::TriangleMesh read;
    if (!open3d::io::ReadTriangleMesh(file, read)) return std::nullopt;
    return to_points(read.vertices_);
  }
  open3d::io::ReadPointCloudOption options;
  options.format = file.ends_with(".txt") ? "xyz" : "auto";
  options.remove_nan_points = options.remove_infinite_points = false;
  open3d::geometry::PointCloud read;
  if (!open3d::io::ReadPointCloud(file, read, options)) return std::nullopt;
  return to_points(read.points_);
}

}  // namespace dovetail::test
