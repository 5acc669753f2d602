// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_plan.h"

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

/// Numbers of the additive recurrence that fills d dimensions most evenly: powers of 1/φ with φ^(d+1) = φ + 1.
std::vector<double> even_steps(int dimensions) {
  double phi = 2;
  for (int i = 0; i < 60; ++i) phi = std::pow(1 + phi, 1.0 / (dimensions + 1));
  std::vector<double> steps;
  for (int d = 1; d <= dimensions; ++d) steps.push_back(std::pow(phi, -d));
  return steps;
}

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
std::vector<Homogeneous<D>> starts_about(const ChamferPlan& plan, const Homogeneous<D>& start, const Ball<D>& observed,
                                         bool with_scale) {
  std::vector<Homogeneous<D>> starts{start};
  constexpr int turns = D == 2 ? 1 : 3;
  const std::vector<double> steps = even_steps(D + turns + (with_scale ? 1 : 0));
  chamfer::StepFrame<D> frame;
  frame.centre = image<D>(start, observed.centre);
  for (int i = 1; i < plan.starts; ++i) {
    typename Similarity<D>::Tangent step{};
    const auto next = [&](std::size_t d) {
      const double u = 0.5 + steps[d] * i;
      return 2 * (u - std::floor(u)) - 1;
    };
    for (int d = 0; d < D; ++d) step[turns + d] = plan.shift * next(static_cast<std::size_t>(d));
    for (int d = 0; d < turns; ++d) step[d] = plan.rotation * next(static_cast<std::size_t>(D + d));
    if (with_scale) step[turns + D] = plan.log_scale * next(steps.size() - 1);
    starts.push_back(chamfer::stepped<Similarity<D>>(frame, step, start));
  }
  return starts;
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

#define DOVETAIL_INSTANTIATE(D)                                                                                       \
  template struct ChamferFrames<D>;                                                                                   \
  template Ball<D> ball_around(const std::vector<Vector<double, D>>&);                                                \
  template ChamferPlan make_chamfer_plan(const Chamfer&, const FieldData&, const Ball<D>&);                           \
  template std::vector<Homogeneous<D>> starts_about(const ChamferPlan&, const Homogeneous<D>&, const Ball<D>&, bool); \
  template double displacement<D>(const Homogeneous<D>&, const Homogeneous<D>&, const Ball<D>&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
