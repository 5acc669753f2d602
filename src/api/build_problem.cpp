// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/build_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "spatial/morton.h"
#include "spatial/scale.h"
#include "spatial/selection.h"
#include "spatial/voxel_grid.h"

namespace dovetail {

namespace {

Vec3 point_of(const LocalCloud& cloud, std::size_t i) {
  return {double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}};
}

float median_of(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Ball {
  Vec3 centroid{};
  double radius = 0;
};

/// Mean and root mean square distance from it, of the points that are no strays: within ten times the median distance
/// from the middle.
Ball ball_of(const LocalCloud& cloud) {
  if (cloud.empty()) return {};
  const Vec3 middle{double{median_of(cloud.x)}, double{median_of(cloud.y)}, double{median_of(cloud.z)}};
  std::vector<float> distances(cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    distances[i] = static_cast<float>(norm(point_of(cloud, i) - middle));
  }
  const float limit = 10 * median_of(distances);
  Ball ball;
  double count = 0, squares = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (distances[i] > limit) continue;
    ball.centroid += point_of(cloud, i) - middle;
    squares += double{distances[i]} * double{distances[i]};
    count += 1;
  }
  ball.centroid *= 1 / count;
  ball.radius = std::sqrt(std::max(0.0, squares / count - squared_norm(ball.centroid)));
  ball.centroid += middle;
  return ball;
}

/// Every per-point array a cloud has must be as long as its positions.
void check_arrays(const PointCloud& cloud, const char* name) {
  for (const auto& [size, what] : {std::pair{cloud.normals.size(), "normals"}, {cloud.colors.size(), "colors"}}) {
    if (size != 0 && size != cloud.size()) {
      throw InvalidArgument(fmt::format("{}: {} {} for {} points; one each is needed", name, size, what, cloud.size()));
    }
  }
}

/// The points along the Morton curve, each place once: the first of several points there stands for all.
LocalCloud along_curve(const LocalCloud& cloud) {
  std::vector<std::uint32_t> order = morton_order(cloud.x, cloud.y, cloud.z, cloud.index);
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return cloud.x[a] == cloud.x[b] && cloud.y[a] == cloud.y[b] && cloud.z[a] == cloud.z[b];
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  return gather(cloud, order);
}

}  // namespace

void check_weights(const std::vector<double>& weights, std::size_t points) {
  if (weights.empty()) return;
  if (weights.size() != points) {
    throw InvalidArgument(
        fmt::format("weights: {} given for {} source points; one each is needed", weights.size(), points));
  }
  const bool fine = std::all_of(weights.begin(), weights.end(), [](double w) { return std::isfinite(w) && w >= 0; });
  if (!fine) throw InvalidArgument("weights: a weight is negative or not a number; 0 or more is allowed");
  if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; })) {
    throw InvalidArgument("weights: all are 0; at least one must be positive");
  }
}

Similarity3 Prepared::to_local(const Transform& t) const {
  // q_local = scale (T p − o_t) with p = p_local / scale + o_s.
  const Similarity3 global = t.model == Model::rigid2 || t.model == Model::similarity2
                                 ? Similarity3::from_matrix(t.matrix)
                                 : t.as<Similarity3>();
  return {global.rotation, scale * (global * source_origin - target_origin), global.scale};
}

Transform Prepared::from_local(const Similarity3& local, Model model) const {
  Mat4 m = Mat4::identity();
  const Mat3 linear = local.scale * local.rotation;
  const Vec3 translation = (1 / scale) * local.translation + target_origin - linear * source_origin;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = linear(i, j);
    m(i, 3) = translation[i];
  }
  return {model, m};
}

Prepared prepare_clouds(const PointCloud& source, const PointCloud& target, const Run& run) {
  if (source.empty()) throw InvalidArgument("source: the cloud has no points");
  if (target.empty()) throw InvalidArgument("target: the cloud has no points");
  if (source.dimension != target.dimension) {
    throw InvalidArgument(fmt::format("source has {} dimensions and target {}; both must have the same",
                                      source.dimension, target.dimension));
  }
  check_arrays(source, "source");
  check_arrays(target, "target");
  check_weights(run.weights, source.size());

  const Selection from_source = select_usable(source, run.origin_points);
  const Selection from_target = select_usable(target, run.origin_points);
  Prepared p;
  p.dimension = source.dimension;
  p.source_points = from_source.kept.size();
  p.target_points = from_target.kept.size();
  p.dropped_non_finite = from_source.dropped_non_finite + from_target.dropped_non_finite;
  p.dropped_at_origin = from_source.dropped_at_origin + from_target.dropped_at_origin;
  const Bounds source_box = main_bounds(source.positions, from_source.kept);
  const Bounds target_box = main_bounds(target.positions, from_target.kept);
  p.scale = local_scale(std::max(source_box.diagonal(), target_box.diagonal()));
  p.source_origin = source_box.center();
  p.target_origin = target_box.center();

  LocalCloud local = make_local_cloud(source, from_source.kept, local_frame(source_box, p.scale));
  if (!run.weights.empty()) {
    std::vector<double> kept;
    for (const std::uint32_t i : local.index) kept.push_back(run.weights[i]);
    const double unit = weight_unit(kept);
    for (const double w : kept) local.weight.push_back(static_cast<float>(w * unit));
  }
  p.source = along_curve(local);
  p.target = along_curve(make_local_cloud(target, from_target.kept, local_frame(target_box, p.scale)));
  p.source_tree = KdTree(p.source.x, p.source.y, p.source.z, p.source.index);
  p.target_tree = KdTree(p.target.x, p.target.y, p.target.z, p.target.index);
  p.source_scale = measure_scale(p.source_tree);
  p.target_scale = measure_scale(p.target_tree);
  const Ball ball = ball_of(p.source);
  p.source_centroid = ball.centroid;
  p.source_radius = ball.radius;
  p.target_centroid = ball_of(p.target).centroid;
  return p;
}

namespace {

/// Estimates the normals of a cloud that has none.
void ensure_normals(LocalCloud& cloud, const KdTree& tree, int neighbours, int dimension, Backend& backend) {
  if (cloud.has_normals()) return;
  for (auto* n : {&cloud.nx, &cloud.ny, &cloud.nz}) n->resize(cloud.size());
  NormalSettings settings;
  settings.neighbours = neighbours;
  settings.dimension = dimension;
  backend.estimate_normals(tree, settings, {cloud.nx, cloud.ny, cloud.nz});
}

std::vector<float> by_slot(const std::vector<float>& values, const KdTree& tree) {
  std::vector<float> sorted(values.size());
  for (std::size_t slot = 0; slot < values.size(); ++slot) sorted[slot] = values[tree.order()[slot]];
  return sorted;
}

}  // namespace

Problem build_problem(const Prepared& prepared, std::span<const double> voxels, const NormalsNeeded& normals,
                      Backend& backend, Clusters clusters) {
  Problem problem;
  problem.source_origin = prepared.source_origin;
  problem.target_origin = prepared.target_origin;
  problem.scale = prepared.scale;
  problem.dimension = prepared.dimension;
  for (const double voxel : voxels) {
    Level& level = problem.levels.emplace_back();
    LocalCloud target;
    if (voxel > 0) {
      level.source = voxel_downsample(prepared.source, voxel);
      target = voxel_downsample(prepared.target, voxel);
      level.target = KdTree(target.x, target.y, target.z, target.index);
    } else {
      level.source = prepared.source;
      target = prepared.target;
      level.target = prepared.target_tree;
    }
    if (normals.target) {
      ensure_normals(target, level.target, normals.neighbours, prepared.dimension, backend);
      level.target_nx = by_slot(target.nx, level.target);
      level.target_ny = by_slot(target.ny, level.target);
      level.target_nz = by_slot(target.nz, level.target);
    }
    KdTree tree;
    if (normals.source || clusters != Clusters::none) {
      tree =
          voxel > 0 ? KdTree(level.source.x, level.source.y, level.source.z, level.source.index) : prepared.source_tree;
    }
    if (normals.source) ensure_normals(level.source, tree, normals.neighbours, prepared.dimension, backend);
    if (clusters == Clusters::none) continue;
    level.source = gather(level.source, tree.order());
    level.target_clusters = ClusterTree(level.target, clusters == Clusters::target);
    if (clusters == Clusters::both) {
      level.source_clusters = ClusterTree(tree, false);
      level.source_tree = std::move(tree);
    }
  }
  return problem;
}

}  // namespace dovetail
