// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <numbers>

#include "backend/chamfer_pass.h"
#include "backend/host_loop.h"
#include "backend/reference/nearest.h"
#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// The obvious way, in double: the density of every segment near a point, and the derivatives of its logarithm.
struct Density {
  double value = 0, squared = 0;
  Vector<double, 2> slope{};

  Density(const LinesView& lines, const Vector<double, 2>& y, double spread) {
    const float at[2] = {static_cast<float>(y[0]), static_cast<float>(y[1])};
    std::uint32_t first, last;
    lines.near(at, first, last);
    const auto bell = [&](double d) {
      return std::exp(-0.5 * d * d / (spread * spread)) / (spread * std::sqrt(2 * std::numbers::pi));
    };
    const auto below = [&](double d) { return 0.5 * std::erfc(-d / (spread * std::numbers::sqrt2)); };
    for (std::uint32_t k = first; k < last; ++k) {
      const PeopledSegment& s = lines.segments[k];
      const Vector<double, 2> u{double{s.along_x}, double{s.along_y}}, n{-u[1], u[0]};
      const Vector<double, 2> from = y - Vector<double, 2>{double{s.x}, double{s.y}};
      const double along = dot(u, from), across = dot(n, from), length = double{s.length};
      const double reach = double{chamfer::line_reach} * spread;
      if (std::fabs(across) >= reach || along <= -reach || length - along <= -reach) continue;
      const double inside = below(along) - below(along - length), rate = double{s.rate};
      const double lowered = bell(across) - bell(reach);
      value += rate * lowered * inside;
      squared += rate * lowered * inside * across * across;
      slope += (rate * lowered * (bell(along) - bell(along - length))) * u;
      slope += (-across / (spread * spread) * rate * bell(across) * inside) * n;
    }
  }
};

template <class M>
void plain_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
                 std::uint32_t block, typename M::Sums& sums, std::uint32_t*, const PointArrays&) {
  const chamfer::Stage& stage = params.stage[state.stage];
  const auto& t = state.candidate;
  const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
  for (std::uint32_t i = first; i < last; ++i) {
    const double weight = level.weight != nullptr ? double{level.weight[i]} : 1.0;
    const Vector<double, 2> p{double{level.x[i]}, double{level.y[i]}};
    if (!(weight > 0) || !(std::fabs(p[0]) < 1e30 && std::fabs(p[1]) < 1e30)) continue;
    sums.weight += weight;
    const double depth = t(2, 0) * p[0] + t(2, 1) * p[1] + t(2, 2);
    if (!(depth > double{chamfer::FloatMap<2, M::projective>::least_depth})) continue;
    Vector<double, 2> y{};
    for (int a = 0; a < 2; ++a) y[a] = (t(a, 0) * p[0] + t(a, 1) * p[1] + t(a, 2)) / depth;
    const Density density(level.lines, y, stage.spread);
    if (!(density.value > 1e-30)) continue;
    const double enlarged = determinant(t) / (depth * depth * depth);
    const double all = density.value * enlarged + stage.strays, share = density.value * enlarged / all;
    sums.cost -= weight * std::log1p(density.value * enlarged / stage.strays);
    sums.used += weight * share;
    sums.squared += weight * share * density.squared / density.value;
    if (state.wants == chamfer::Wants::cost) continue;
    sums.kernel += weight * share / (stage.spread * stage.spread);
    const Vector<double, 2> u = (1 / state.frame.radius) * (y - state.frame.centre);
    const auto j = M::Typed::action_jacobian(u);
    auto pull = transpose(j) * ((-enlarged / all) * density.slope);
    for (int a = 0; a < M::dof; ++a) {  // how the motion spreads points, by differences: they are exact
      double divergence = 0;
      for (int k = 0; k < 2; ++k) {
        Vector<double, 2> before = u, after = u;
        before[k] -= 0.5;
        after[k] += 0.5;
        divergence += M::Typed::action_jacobian(after)(k, a) - M::Typed::action_jacobian(before)(k, a);
      }
      pull[a] -= share * divergence / state.frame.radius;
    }
    sums.gradient += weight * pull;
    sums.hessian.add_outer(weight, pull);
  }
}

}  // namespace

#define DOVETAIL_RUN(M)                                                     \
  void ReferenceBackend::run(Batch<M>& batch) {                             \
    run_host_loop(batch, problems_, reference::one_by_one, plain_block<M>); \
  }
DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

void ReferenceBackend::place(const LineIndex& lines) { show_lines(lines.view(), problems_); }

}  // namespace dovetail
