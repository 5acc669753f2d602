// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/chamfer_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dovetail {

namespace {

// Measured on road networks and machine parts (docs/methods/chamfer.md).
constexpr double automatic_shift = 0.2;               // of the radius
constexpr int automatic_starts[4] = {0, 0, 256, 64};  // by dimension
constexpr double first_cap = 0.2, last_cap = 0.0125;  // of the radius
constexpr double least_cells = 3;                     // a cap is not smaller than this many cells

}  // namespace

template <int D>
Homogeneous<D> ChamferFrames<D>::to_local(const Transform& t) const {
  Homogeneous<D> m{};
  if constexpr (D == 2) {
    m = t.matrix2();
  } else {
    m = t.matrix;
  }
  for (int i = 0; i <= D; ++i) {  // after p = local / scale + origin
    for (int j = 0; j < D; ++j) m(i, D) += m(i, j) * source_origin[j];
    for (int j = 0; j < D; ++j) m(i, j) /= scale;
  }
  for (int j = 0; j <= D; ++j) {  // before local = (q − origin) scale
    for (int i = 0; i < D; ++i) m(i, j) = scale * (m(i, j) - target_origin[i] * m(D, j));
  }
  return m * (1 / m(D, D));
}

template <int D>
Transform ChamferFrames<D>::from_local(const Homogeneous<D>& t, Model model) const {
  Homogeneous<D> m = t;
  for (int j = 0; j <= D; ++j) {
    for (int i = 0; i < D; ++i) m(i, j) = m(i, j) / scale + target_origin[i] * m(D, j);
  }
  for (int i = 0; i <= D; ++i) {
    for (int j = 0; j < D; ++j) m(i, j) *= scale;
    for (int j = 0; j < D; ++j) m(i, D) -= m(i, j) * source_origin[j];
  }
  return {model, Transform::embedded(m * (1 / m(D, D)))};
}

template <int D>
Ball<D> ball_around(const std::vector<Vector<double, D>>& points) {
  Ball<D> s;
  if (points.empty()) return s;
  std::vector<double> values(points.size());
  const auto median = [&] {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  Vector<double, D> middle{};
  for (int a = 0; a < D; ++a) {
    for (std::size_t i = 0; i < points.size(); ++i) values[i] = points[i][a];
    middle[a] = median();
  }
  for (std::size_t i = 0; i < points.size(); ++i) values[i] = norm(points[i] - middle);
  const double limit = 10 * median();
  double count = 0, squares = 0;
  for (const auto& p : points) {
    if (norm(p - middle) > limit) continue;
    s.centre += p - middle;
    squares += squared_norm(p - middle);
    count += 1;
  }
  s.centre *= 1 / count;
  s.radius = std::sqrt(std::max(0.0, squares / count - squared_norm(s.centre)));
  s.centre += middle;
  return s;
}

template <int D>
ChamferPlan make_chamfer_plan(const Chamfer& options, const FieldData& field, const Ball<D>& moved) {
  ChamferPlan plan;
  const double scale = field.frame.scale;
  plan.starts = options.starts > 0 ? options.starts : automatic_starts[D];
  plan.shift = options.search_shift > 0 ? options.search_shift * scale : automatic_shift * moved.radius;
  plan.rotation = options.search_rotation * std::numbers::pi / 180;
  plan.log_scale = std::log1p(options.search_scale);
  plan.least_cap = least_cells;
  plan.cap_end = options.cap_end * scale;
  const double most = std::max(field.margin, 2 * plan.least_cap);
  plan.cap_start = options.cap_start > 0 ? options.cap_start * scale : std::min(first_cap * moved.radius, most);
  plan.cap_search = std::max({last_cap * moved.radius, plan.least_cap, plan.cap_end});
  plan.cap_start = std::max(plan.cap_start, plan.cap_search);
  return plan;
}

template <int D>
double displacement(const Homogeneous<D>& a, const Homogeneous<D>& b, const Ball<D>& observed) {
  double sum = 0, count = 0;
  for (int axis = 0; axis < D; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      Vector<double, D> p = observed.centre;
      p[axis] += side * observed.radius;
      sum += squared_norm(image<D>(a, p) - image<D>(b, p));
      count += 1;
    }
  }
  return std::sqrt(sum / count);
}

#define DOVETAIL_INSTANTIATE(D)                                                             \
  template struct ChamferFrames<D>;                                                         \
  template Ball<D> ball_around(const std::vector<Vector<double, D>>&);                      \
  template ChamferPlan make_chamfer_plan(const Chamfer&, const FieldData&, const Ball<D>&); \
  template double displacement<D>(const Homogeneous<D>&, const Homogeneous<D>&, const Ball<D>&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
