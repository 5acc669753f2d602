// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/chamfer_shape.h"

#include <algorithm>
#include <cmath>

#include "spatial/flat_normal.h"

namespace dovetail {

namespace {

constexpr int neighbours = 16;
/// Variance of the neighbours across a surface, as a part of the least one along it.
constexpr double flat = 0.15;
/// Residuals along a surface that are less than this part of the way to the next reference point are no chance: each
/// point has its own reference point, which holds it in every direction.
constexpr double own_point = 0.3;

/// The squared distance to the nearest neighbour that is elsewhere.
double next_squared(const KNearest<neighbours>& near) {
  double least = 0;
  for (int i = 0; i < near.size(); ++i) {
    const double d = double{near[i].squared_distance};
    if (d > 0 && (!(least > 0) || d < least)) least = d;
  }
  return least;
}

Vec3f position(const Site& s) { return {s.x, s.y, s.z}; }

}  // namespace

bool stands_alone(const FieldData& field) {
  const std::vector<Site>& sites = field.levels.back().sites;
  const auto alone = std::count_if(sites.begin(), sites.end(), [](const Site& s) { return s.normal == 0; });
  return 2 * static_cast<std::size_t>(alone) > sites.size();
}

template <class Typed>
PointShape<Typed::degrees_of_freedom> shape_about(const ChamferContext<Typed::dimension>& context,
                                                  const Homogeneous<Typed::dimension>& t, double cap,
                                                  std::span<const Vector<double, Typed::dimension>> points) {
  constexpr int D = Typed::dimension, L = Typed::degrees_of_freedom;
  const std::vector<Site>& sites = context.field.levels.back().sites;
  std::vector<Vec3f> positions(sites.size());
  std::transform(sites.begin(), sites.end(), positions.begin(), position);
  const KdTree tree(positions);
  const KdTreeView view = tree.view();
  PointShape<L> by_surface{}, by_points{};
  double along = 0, apart = 0;
  for (const Vector<double, D>& p : points) {
    by_surface.points += 1;
    const Vector<double, D> y = image<D>(t, p);
    float at[3] = {0, 0, 0};
    for (int a = 0; a < D; ++a) at[a] = static_cast<float>(y[a]);
    const auto reach = static_cast<float>(cap * cap);
    const Neighbour found = nearest(view, at[0], at[1], at[2], reach);
    if (!found.found()) continue;
    const TreePoint& q = view.points[found.slot];
    const float site[3] = {q.x, q.y, q.z};
    Vector<double, D> r{};
    for (int a = 0; a < D; ++a) r[a] = y[a] - double{site[a]};
    const double ratio = squared_norm(r) / (cap * cap), left = 1 - ratio;
    if (!(left > 0)) continue;
    const Vector<double, D> u = (1 / context.frame.radius) * (y - context.frame.centre);
    const auto j = Typed::action_jacobian(u);
    const double kernel = left * left, slope = left * (1 - 5 * ratio);
    by_surface.scatter.add_outer(kernel * kernel, transpose(j) * r);
    const auto hold = [&](PointShape<L>& shape, const Vector<double, D>& direction) {
      const Vector<double, L> moved = transpose(j) * direction;
      shape.hessian.add_outer(kernel, moved);
      shape.curvature.add_outer(slope, moved);
    };
    const auto hold_everywhere = [&](PointShape<L>& shape) {
      for (int a = 0; a < D; ++a) {
        Vector<double, D> axis{};
        axis[a] = 1;
        hold(shape, axis);
      }
    };
    hold_everywhere(by_points);
    KNearest<neighbours> near(neighbours, 1e30f);
    search(view, q.x, q.y, q.z, near);
    Vector<double, D> normal{};
    if (flat_normal<D>(view, near, flat, normal)) {
      hold(by_surface, normal);
      along += squared_norm(r) - std::pow(dot(normal, r), 2);
      apart += next_squared(near);
    } else {
      hold_everywhere(by_surface);
    }
  }
  by_points.scatter = by_surface.scatter;
  by_points.points = by_surface.points;
  return along < own_point * own_point * apart ? by_points : by_surface;
}

#define DOVETAIL_INSTANTIATE(Typed)                                                          \
  template PointShape<Typed::degrees_of_freedom> shape_about<Typed>(                         \
      const ChamferContext<Typed::dimension>&, const Homogeneous<Typed::dimension>&, double, \
      std::span<const Vector<double, Typed::dimension>>);
DOVETAIL_INSTANTIATE(Rigid2)
DOVETAIL_INSTANTIATE(Similarity2)
DOVETAIL_INSTANTIATE(Affine2)
DOVETAIL_INSTANTIATE(Projective2)
DOVETAIL_INSTANTIATE(Rigid3)
DOVETAIL_INSTANTIATE(Similarity3)
DOVETAIL_INSTANTIATE(Affine3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
