// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// The obvious way, in double: every residual, its Jacobian, and their products; then the sums a pass is to give.
template <class M>
struct Plain {
  static constexpr int D = M::D;
  using Point = Vector<double, D>;

  const chamfer::Data& data;
  const typename M::State& state;

  bool point(std::uint32_t i, Point& p, double& weight) const {
    const float* const axis[3] = {data.points.x, data.points.y, data.points.z};
    for (int a = 0; a < D; ++a) {
      p[a] = double{axis[a][i]};
      if (!std::isfinite(p[a]) || std::fabs(p[a]) >= 1e30) return false;
    }
    weight = double{chamfer::weight_of(data.points, i)};
    return weight > 0;
  }

  /// The moved point and the reference point of the cell it comes to lie in, with its surface; false where there is
  /// none.
  bool look(const Point& p, Point& moved, Point& site, Point& normal, double& slack) const {
    const auto& t = chamfer::looked_at<M>(state);
    double depth = t(D, D);
    for (int j = 0; j < D; ++j) depth += t(D, j) * p[j];
    if (!(depth > double{chamfer::FloatMap<D, D == 2>::least_depth})) return false;
    std::uint32_t at[3] = {0, 0, 0};
    for (int i = 0; i < D; ++i) {
      moved[i] = t(i, D);
      for (int j = 0; j < D; ++j) moved[i] += t(i, j) * p[j];
      moved[i] /= depth;
      const FieldGrid& grid = data.field.grid;
      const double cell = std::floor((moved[i] - double{grid.origin[i]}) / double{grid.cell});
      if (!(cell >= 0 && cell < grid.cells[i])) return false;
      at[i] = static_cast<std::uint32_t>(cell);
    }
    const std::uint64_t cell = data.field.template stored_at<D>(at[0], at[1], at[2]);
    if (cell == FieldView::no_cell || data.field.nearest[cell] == no_site) return false;
    const Site& q = data.field.sites[data.field.nearest[cell]];
    const float coordinate[3] = {q.x, q.y, q.z};
    float n[3];
    if (q.unpack_normal<D>(n)) slack = double{data.field.slack()};
    for (int i = 0; i < D; ++i) {
      site[i] = double{coordinate[i]};
      normal[i] = double{n[i]};
    }
    return true;
  }
};

/// The metric a residual is measured in, (1 − χ) n nᵀ + χ, and the residual itself.
template <int D>
struct Metric {
  Vector<double, D> r{};
  Matrix<double, D, D> w{};

  Metric(const Vector<double, D>& difference, const Vector<double, D>& n, double slack) {
    const double across = dot(n, difference);
    const Vector<double, D> tangent = difference - across * n;
    const double length = norm(tangent);
    const double along = slack > 0 ? (length > slack ? 1 - slack / length : 0.0) : 1.0;
    r = across * n + along * tangent;
    w = (1 - along) * (n * transpose(n)) + along * Matrix<double, D, D>::identity();
  }
};

template <class M>
void plain_block(const Block<M>& b) {
  constexpr int D = M::D;
  const Plain<M> plain{b.data, b.state};
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    Vector<double, D> p{}, moved{}, site{}, n{};
    double weight = 1, slack = 0;
    if (!plain.point(i, p, weight)) continue;
    const bool found = plain.look(p, moved, site, n, slack);
    const Metric<D> metric(moved - site, n, slack);
    const double squared = squared_norm(metric.r);
    if constexpr (std::is_same_v<M, chamfer::Fit<D>>) {
      chamfer::Look<float, D> look{};
      for (int a = 0; a < D; ++a) look.moved[a] = static_cast<float>(metric.r[a]);
      look.found = found ? 1.0f : 0.0f;
      ++b.bins[M::add_point(b.params, look, [&](int k, double value) { as_doubles(b.sums)[k] += value; })];
    } else {
      double cap = 0;
      if constexpr (chamfer::is_alignment<M>) {
        cap = b.params.stage[b.state.stage].cap;
      } else {
        cap = b.params.cap;
      }
      const double t = found ? std::min(1.0, squared / (cap * cap)) : 1.0;
      const double k = t < 1 ? weight * (1 - t) * (1 - t) : 0.0;
      const auto j = M::Typed::action_jacobian((1 / b.state.frame.radius) * (moved - b.state.frame.centre));
      const auto pull = k * (transpose(j) * metric.r);
      if constexpr (chamfer::is_alignment<M>) {
        b.sums.cost += weight * (1 - std::pow(1 - t, 3)) / 3;
        b.sums.weight += weight;
        if (t < 1) b.sums.used += weight, b.sums.squared += weight * squared;
        if (b.state.wants == chamfer::Wants::cost || !(t < 1)) continue;
        b.sums.kernel += k;
        b.sums.gradient += pull;
        b.sums.hessian += Symmetric<double, M::dof>::from_matrix(k * (transpose(j) * metric.w * j));
      } else if (t < 1) {
        b.sums.kernel += k;
        b.sums.slope += weight * (1 - t) * (1 - 5 * t);
        b.sums.scatter.add_outer(1.0, pull);
      }
    }
  }
}

template <class M>
void misses_block(const Block<M>& b) {
  const Plain<M> plain{b.data.looked_up, b.state};
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    chamfer::Miss& row = b.data.rows[i] = {};
    Vector<double, M::D> p{}, moved{}, site{}, n{};
    double weight = 1, slack = 0;
    if (!plain.point(i, p, weight) || !plain.look(p, moved, site, n, slack)) continue;
    const Metric<M::D> metric(moved - site, n, slack);
    for (int a = 0; a < M::D; ++a) {
      row.place[a] = static_cast<float>(moved[a]);
      row.miss[a] = static_cast<float>(metric.r[a]);
    }
    b.sums.found += 1;
  }
}

}  // namespace

void ReferenceBackend::add_chamfer() {
  add_pass<[](const auto& block) { plain_block(block); }>(FieldMethods{});
  add_pass<[](const auto& block) { misses_block(block); }>(List<chamfer::Misses<2>, chamfer::Misses<3>>{});
}

}  // namespace dovetail
