// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/surfels.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/rotation_group.h"
#include "dovetail/error.h"
#include "dovetail/prepare.h"
#include "spatial/bounds.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"
#include "spatial/neighbours.h"

namespace dovetail::pose {
namespace {

/// The points that have a normal.
struct Oriented {
  std::vector<Vec3> point, normal;  // of unit length
};

Oriented oriented(const PointCloud& cloud) {
  Oriented kept;
  if (cloud.normals.size() != cloud.size()) return kept;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3& p = cloud.positions[i];
    const Vec3 normal = cloud.normals[i].cast<double>();
    const double length = norm(normal);
    if (!std::isfinite(norm(p)) || !(length > 0.5) || !std::isfinite(length)) continue;
    kept.point.push_back(p);
    kept.normal.push_back((1 / length) * normal);
  }
  return kept;
}

/// With normals, and no denser than a view of the part can show: what is drawn thousands of times should be light.
PointCloud fit_to_draw(const PointCloud& cloud, std::size_t fewest) {
  PointCloud fit = cloud;
  if (fit.normals.empty() && fit.size() >= fewest) estimate_normals(fit);
  Bounds box;
  for (const Vec3& p : fit.positions) {
    if (std::isfinite(norm(p))) box.add(p);
  }
  constexpr double finest = 0.01;  // of the part's size, less than the pixel of a reference
  const double voxel = finest * norm(box.high - box.low);
  return fit.size() >= fewest && voxel > 0 && std::isfinite(voxel) ? downsample(fit, voxel) : fit;
}

}  // namespace

PointCloud surfels(const PointCloud& cloud) {
  constexpr int corners = 6, neighbours = 7;  // the point itself is one of them
  const Oriented from = oriented(fit_to_draw(cloud, neighbours));
  if (from.point.size() < neighbours) {
    throw InvalidArgument(
        fmt::format("surface: {} points with a normal and no faces; allowed: a mesh, or a cloud of at least {} points",
                    from.point.size(), neighbours));
  }
  Bounds box;
  for (const Vec3& p : from.point) box.add(p);
  std::vector<Vec3f> local;
  for (const Vec3& p : from.point) local.push_back((p - box.center()).cast<float>());
  const KdTree tree(local);
  PointCloud mesh;
  for (std::size_t i = 0; i < from.point.size(); ++i) {
    KNearest<neighbours> near(neighbours, std::numeric_limits<float>::max());
    search(tree.view(), local[i][0], local[i][1], local[i][2], near);
    // As far as the sixth: of points that lie at random one in 400 places is farther from every point than that.
    const double radius = norm(from.point[near[near.size() - 1].index] - from.point[i]);
    if (!(radius > 0)) continue;
    const Mat3 frame = frame_along(from.normal[i]);
    const auto first = static_cast<std::uint32_t>(mesh.size());
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * std::numbers::pi * k / corners;
      mesh.positions.push_back(from.point[i] + frame * Vec3{radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    mesh.faces.add({first, first + 1, first + 2, first + 3, first + 4, first + 5});
  }
  if (mesh.empty()) throw InvalidArgument("surface: all of its points are in one place");
  return mesh;
}

}  // namespace dovetail::pose
