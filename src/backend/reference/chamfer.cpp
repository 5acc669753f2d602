// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/chamfer_pass.h"
#include "backend/host_loop.h"
#include "backend/reference/distance_field.h"
#include "backend/reference/nearest.h"
#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// The obvious way, in double: every residual, its Jacobian, and their products; then the sums a pass is to give.
template <class M>
struct Plain {
  static constexpr int D = M::D;
  using Point = Vector<double, D>;

  const LevelView& level;
  const typename M::State& state;

  bool point(std::uint32_t i, Point& p, double& weight) const {
    const float* const axis[3] = {level.x, level.y, level.z};
    for (int a = 0; a < D; ++a) {
      p[a] = double{axis[a][i]};
      if (!std::isfinite(p[a]) || std::fabs(p[a]) >= 1e30) return false;
    }
    weight = level.weight != nullptr ? double{level.weight[i]} : 1.0;
    return weight > 0;
  }

  /// The moved point and the reference point of the cell it comes to lie in, with its surface; false where there is
  /// none.
  bool look(const Point& p, Point& moved, Point& site, Point& normal, double& slack) const {
    const auto& t = looked_at<M>(state);
    double depth = t(D, D);
    for (int j = 0; j < D; ++j) depth += t(D, j) * p[j];
    if (!(depth > double{chamfer::FloatMap<D, M::projective>::least_depth})) return false;
    std::uint32_t at[3] = {0, 0, 0};
    for (int i = 0; i < D; ++i) {
      moved[i] = t(i, D);
      for (int j = 0; j < D; ++j) moved[i] += t(i, j) * p[j];
      moved[i] /= depth;
      const FieldGrid& grid = level.field.grid;
      const double cell = std::floor((moved[i] - double{grid.origin[i]}) / double{grid.cell});
      if (!(cell >= 0 && cell < grid.cells[i])) return false;
      at[i] = static_cast<std::uint32_t>(cell);
    }
    const std::uint64_t place = level.field.template place<D>(at[0], at[1], at[2]);
    if (place == FieldView::no_cell || level.field.nearest[place] == no_site) return false;
    const Site& q = level.field.sites[level.field.nearest[place]];
    const float coordinate[3] = {q.x, q.y, q.z};
    float n[3];
    if (q.unpack_normal<D>(n)) slack = double{level.field.slack()};
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
void plain_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
                 std::uint32_t block, typename M::Sums& sums, std::uint32_t* histogram, const PointArrays&) {
  constexpr int D = M::D;
  const Plain<M> plain{level, state};
  const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
  for (std::uint32_t i = first; i < last; ++i) {
    Vector<double, D> p{}, moved{}, site{}, n{};
    double weight = 1, slack = 0;
    if (!plain.point(i, p, weight)) continue;
    const bool found = plain.look(p, moved, site, n, slack);
    const Metric<D> metric(moved - site, n, slack);
    const double squared = squared_norm(metric.r);
    if constexpr (is_fit<M>) {
      chamfer::Look<float, D> look{};
      for (int a = 0; a < D; ++a) look.moved[a] = static_cast<float>(metric.r[a]);
      look.found = found ? 1.0f : 0.0f;
      ++histogram[M::add_point(params, look, [&](int k, double value) { as_doubles(sums)[k] += value; })];
    } else {
      double cap = 0;
      if constexpr (is_alignment<M>) {
        cap = params.stage[state.stage].cap;
      } else {
        cap = params.cap;
      }
      const double t = found ? std::min(1.0, squared / (cap * cap)) : 1.0;
      const double k = t < 1 ? weight * (1 - t) * (1 - t) : 0.0;
      const auto j = M::Typed::action_jacobian((1 / state.frame.radius) * (moved - state.frame.centre));
      const auto pull = k * (transpose(j) * metric.r);
      if constexpr (is_alignment<M>) {
        sums.cost += weight * (1 - std::pow(1 - t, 3)) / 3;
        sums.weight += weight;
        if (t < 1) sums.used += weight, sums.squared += weight * squared;
        if (state.wants == chamfer::Wants::cost || !(t < 1)) continue;
        sums.kernel += k;
        sums.gradient += pull;
        sums.hessian += Symmetric<double, M::dof>::from_matrix(k * (transpose(j) * metric.w * j));
      } else if (t < 1) {
        sums.kernel += k;
        sums.slope += weight * (1 - t) * (1 - 5 * t);
        sums.scatter.add_outer(1.0, pull);
      }
    }
  }
}

template <class M>
std::vector<SampleMiss> plain_misses(const LevelView& level, const typename M::Homogeneous& t) {
  typename M::State state;
  state.candidate = t;
  const Plain<M> plain{level, state};
  std::vector<SampleMiss> all(level.count);
  for (std::uint32_t i = 0; i < level.count; ++i) {
    Vector<double, M::D> p{}, moved{}, site{}, n{};
    double weight = 1, slack = 0;
    if (!plain.point(i, p, weight) || !plain.look(p, moved, site, n, slack)) continue;
    const Metric<M::D> metric(moved - site, n, slack);
    for (int a = 0; a < M::D; ++a) {
      all[i].place[a] = static_cast<float>(moved[a]);
      all[i].miss[a] = static_cast<float>(metric.r[a]);
    }
  }
  return all;
}

}  // namespace

#define DOVETAIL_RUN(M)                                                     \
  void ReferenceBackend::run(Batch<M>& batch) {                             \
    run_host_loop(batch, problems_, reference::one_by_one, plain_block<M>); \
  }
DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

void ReferenceBackend::build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool) {
  for (std::size_t i = 0; i < field.levels.size(); ++i) build_field_reference(field.levels[i], keys[i]);
}

void ReferenceBackend::place(const ObservedView& observed, const FieldData& field) {
  problems_ = {observed_.place(observed, field)};
}

std::vector<SampleMiss> ReferenceBackend::misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) {
  return plain_misses<chamfer::Align<Projective2>>(problems_.front().level[level], target_from_source);
}

std::vector<SampleMiss> ReferenceBackend::misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) {
  return plain_misses<chamfer::Align<Affine3>>(problems_.front().level[level], target_from_source);
}

}  // namespace dovetail
