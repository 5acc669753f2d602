// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/eigen_symmetric.h"
#include "dovetail/registration.h"
#include "dovetail/rotation.h"
#include "find/parts.h"
#include "scenes/spoil.h"
#include "scenes/views.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"

namespace dovetail::bench::find {
namespace {

/// Mirror images of points about their centroid: whatever maps a shape onto its mirror image maps its principal axes
/// onto themselves, so one of these, followed by a turn about an axis where two moments are alike, is it.
std::vector<Mat3> mirrors(const PointCloud& points, const Vec3& center) {
  constexpr int turns = 36;
  Symmetric<double, 3> scatter{};
  for (const Vec3& p : points.positions) scatter.add_outer(1, p - center);
  const auto axes = eigen_symmetric(scatter);
  std::vector<Mat3> result;
  for (int kind = 0; kind < 4; ++kind) {  // across each axis, and through the centre
    Mat3 mirror{};
    for (int k = 0; k < 3; ++k) {
      const double sign = kind == k || kind == 3 ? -1 : 1;
      const Vec3 axis = axes.vector(k);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) mirror(i, j) += sign * axis[i] * axis[j];
      }
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < turns; ++i) {
        result.push_back(exp_so3((2 * std::numbers::pi * i / turns) * axes.vector(k)) * mirror);
      }
    }
  }
  return result;
}

double distance_from(const KdTree& tree, const PointCloud& points, std::size_t every = 1) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); i += every, ++count) {
    const Vec3f q = points.positions[i].cast<float>();
    sum += static_cast<double>(nearest(tree.view(), q[0], q[1], q[2], 1e30f).squared_distance);
  }
  return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

double mirror_difference(const SoughtObject& object) {
  RandomStream random(2, 0);
  const PointCloud dense = spread_over(object.mesh, 60000, random).cloud, few = thinned(dense, 4000, random);
  const PointCloud source = spread_over(object.mesh, 2000, random).cloud;
  std::vector<Vec3f> points;
  for (const Vec3& p : dense.positions) points.push_back(p.cast<float>());
  const KdTree tree(points);
  const Vec3 center = centroid_of(dense);

  std::vector<std::pair<double, PointCloud>> images;
  for (const Mat3& mirror : mirrors(dense, center)) {
    PointCloud image = source;
    for (Vec3& p : image.positions) p = center + mirror * (p - center);
    const double distance = distance_from(tree, image, 20);
    images.emplace_back(distance, std::move(image));
  }
  constexpr std::size_t best = 4;
  std::partial_sort(images.begin(), images.begin() + best, images.end(),
                    [](const auto& a, const auto& b) { return a.first < b.first; });
  double least = images[0].first;
  for (std::size_t i = 0; i < best; ++i) {
    Icp options;
    options.starts = 1;
    Run run;
    run.machine = Machine::cpu, run.threads = 1, run.trace = false;
    const PointCloud& image = images[i].second;
    const Transform moved = register_points(image, few, options, run).target_from_source;
    least = std::min({least, distance_from(tree, image), distance_from(tree, moved * image)});
  }
  return least / object.diameter;
}

}  // namespace dovetail::bench::find
