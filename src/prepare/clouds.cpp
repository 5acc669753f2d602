// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/clouds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "dovetail/error.h"
#include "spatial/morton.h"
#include "spatial/parallel.h"
#include "spatial/point_reader.h"
#include "spatial/scale.h"
#include "spatial/selection.h"

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
  const std::vector<float>* const axis[3] = {&cloud.x, &cloud.y, &cloud.z};
  Vec3 middle{};
  parallel_for(3, 1, [&](std::size_t a) { middle[static_cast<int>(a)] = double{median_of(*axis[a])}; });
  std::vector<float> distances(cloud.size());
  parallel_for(cloud.size(), 1 << 14,
               [&](std::size_t i) { distances[i] = static_cast<float>(norm(point_of(cloud, i) - middle)); });
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

/// How thick a cloud is across the plane through it, in the root mean square, and which way that is; strays left out.
struct Thickness {
  double length = 0;
  Vec3 across{};
};
Thickness thickness_of(const PreparedCloud& cloud) {
  constexpr std::size_t enough = 4096;
  const std::size_t every = std::max<std::size_t>(1, cloud.points.size() / enough);
  Symmetric<double, 3> scatter{};
  double count = 0;
  for (std::size_t i = 0; i < cloud.points.size(); i += every) {
    const Vec3 d = point_of(cloud.points, i) - cloud.centroid;
    if (squared_norm(d) > 9 * cloud.radius * cloud.radius) continue;
    scatter.add_outer(1, d);
    count += 1;
  }
  const auto axes = eigen_symmetric(scatter);
  return {std::sqrt(std::max(0.0, axes.values[0]) / std::max(1.0, count)), axes.vector(0)};
}

/// Sets which of two clouds in space is a slice through a surface that the other one shows: flat, where that is not.
void tell_slices(PreparedCloud& a, PreparedCloud& b) {
  constexpr double flat = 0.5, solid = 3;  // of the spacing
  const Thickness thickness[2] = {thickness_of(a), thickness_of(b)};
  PreparedCloud* const cloud[2] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    const int other = 1 - i;
    const bool is_flat = thickness[i].length < flat * cloud[i]->scale.spacing;
    const double least = solid * std::max(cloud[other]->scale.spacing, thickness[i].length);
    if (!is_flat || thickness[other].length < least) continue;
    cloud[i]->tells_surface = false;
    cloud[i]->across = thickness[i].across;
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
  return {global.rotation, scale * (global * source->origin - target->origin), global.scale};
}

Transform Prepared::from_local(const Similarity3& local, Model model) const {
  Mat4 m = Mat4::identity();
  const Mat3 linear = local.scale * local.rotation;
  const Vec3 translation = (1 / scale) * local.translation + target->origin - linear * source->origin;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = linear(i, j);
    m(i, 3) = translation[i];
  }
  return {model, m};
}

void check_view(const PointsView& points, const char* name) {
  if (points.dimension != 2 && points.dimension != 3) {
    throw InvalidArgument(fmt::format("{}: dimension is {}; allowed: 2, 3", name, points.dimension));
  }
  if (points.count == 0) throw InvalidArgument(fmt::format("{}: there are no points", name));
  if (points.data == nullptr) {
    throw InvalidArgument(
        fmt::format("{}: {} points are said to be there, and their pointer is null", name, points.count));
  }
  if (points.stride != 0 && points.stride < static_cast<std::size_t>(points.dimension)) {
    throw InvalidArgument(fmt::format("{}: a stride of {} numbers is less than the {} of a point", name, points.stride,
                                      points.dimension));
  }
  if (points.count > 0x7fffffffu) throw InvalidArgument(fmt::format("{}: more than 2^31 points", name));
  constexpr std::size_t most_stride = std::size_t{1} << 28;  // with the count above, bytes that a size_t can hold
  if (points.stride > most_stride) {
    throw InvalidArgument(fmt::format(
        "{}: a stride of {} numbers is more than memory has; negative ones are not allowed", name, points.stride));
  }
}

HostPoints::HostPoints(const PointsView& points, const char* name, Backend& backend) : view_(points) {
  check_view(points, name);
  if (!points.on_device) return;
  if (backend.memory().is_host()) {
    throw InvalidArgument(fmt::format("{}: the points are in a GPU's memory; run on machine cuda", name));
  }
  data_ = backend.memory().get(static_cast<const std::byte*>(points.data), points.size_bytes());
  view_.data = data_.data();
  if (points.normals != nullptr) {
    normals_ = backend.memory().get(points.normals, 3 * points.count);
    view_.normals = normals_.data();
  }
  view_.on_device = false;
}

PointCloud cloud_of(const PointsView& points) {
  PointCloud cloud;
  cloud.dimension = points.dimension;
  cloud.precision = points.precision;
  cloud.positions.resize(points.count);
  with_reader(points, [&](const auto& reader) {
    for (std::size_t i = 0; i < points.count; ++i) cloud.positions[i] = reader[i];
  });
  if (points.normals != nullptr) {
    cloud.normals.resize(points.count);
    for (std::size_t i = 0; i < points.count; ++i) cloud.normals[i] = points.normal(i);
  }
  if (points.faces != nullptr) cloud.faces = *points.faces;
  return cloud;
}

namespace {

PreparedCloud prepared_cloud(const PointsView& points, const Selection& usable, const Bounds& box, double scale,
                             const std::vector<double>& weights) {
  PreparedCloud p;
  p.usable = usable.kept.size();
  p.dropped_non_finite = usable.dropped_non_finite;
  p.dropped_at_origin = usable.dropped_at_origin;
  p.origin = box.center();
  LocalCloud local = make_local_cloud(points, usable.kept, local_frame(box, scale));
  if (!weights.empty()) {
    std::vector<double> kept;
    for (const std::uint32_t i : local.index) kept.push_back(weights[i]);
    const double unit = weight_unit(kept);
    for (const double w : kept) local.weight.push_back(static_cast<float>(w * unit));
  }
  p.points = along_curve(local);
  p.tree = KdTree(p.points.x, p.points.y, p.points.z, p.points.index);
  p.scale = measure_scale(p.tree, p.points);
  const Ball ball = ball_of(p.points);
  p.centroid = ball.centroid;
  p.radius = ball.radius;
  return p;
}

}  // namespace

PreparedCloud prepare_cloud(const PointsView& points, double scale, OriginPoints at_origin,
                            const std::vector<double>& weights) {
  const Selection usable = select_usable(points, at_origin);
  return prepared_cloud(points, usable, main_bounds(points, usable.kept), scale, weights);
}

std::shared_ptr<const RangeMap> view_from_origin(const PreparedCloud& cloud, double scale) {
  std::vector<Vec3> points;
  points.reserve(cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); ++i) points.push_back(point_of(cloud.points, i));
  auto view = std::make_shared<const RangeMap>(points, -scale * cloud.origin, cloud.scale.spacing);
  return view->plausible() ? view : nullptr;
}

Prepared prepare_clouds(const PointsView& source, const PointsView& target, const Run& run) {
  check_view(source, "source");
  check_view(target, "target");
  if (source.dimension != target.dimension) {
    throw InvalidArgument(fmt::format("source has {} dimensions and target {}; both must have the same",
                                      source.dimension, target.dimension));
  }
  check_weights(run.weights, source.count);
  Selection from_source, from_target;
  Bounds source_box, target_box;
  const auto select = [&](const PointsView& points, Selection& usable, Bounds& box) {
    usable = select_usable(points, run.origin_points);
    box = main_bounds(points, usable.kept);
  };
  parallel_both([&] { select(source, from_source, source_box); }, [&] { select(target, from_target, target_box); });
  Prepared p;
  p.dimension = source.dimension;
  p.scale = local_scale(std::max(source_box.diagonal(), target_box.diagonal()));
  const auto prepare = [&](const PointsView& points, const Selection& usable, const Bounds& box, const auto& weights) {
    return std::make_shared<PreparedCloud>(prepared_cloud(points, usable, box, p.scale, weights));
  };
  std::shared_ptr<PreparedCloud> from, onto;
  parallel_both([&] { from = prepare(source, from_source, source_box, run.weights); },
                [&] { onto = prepare(target, from_target, target_box, std::vector<double>{}); });
  if (p.dimension == 3) tell_slices(*from, *onto);
  p.source = from, p.target = onto;
  return p;
}

}  // namespace dovetail
