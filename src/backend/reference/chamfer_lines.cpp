// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <numbers>
#include <span>

#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

/// One segment at a point, the obvious way, in double.
struct PlainSegment {
  double value = 0, across = 0;  ///< the density of its points, and how far off the point is
  Vector<double, 2> slope{};

  PlainSegment(const PeopledSegment& s, const Vector<double, 2>& y, double spread) {
    const auto bell = [&](double d) {
      return std::exp(-0.5 * d * d / (spread * spread)) / (spread * std::sqrt(2 * std::numbers::pi));
    };
    const auto below = [&](double d) { return 0.5 * std::erfc(-d / (spread * std::numbers::sqrt2)); };
    const Vector<double, 2> u{double{s.along_x}, double{s.along_y}}, n{-u[1], u[0]};
    const Vector<double, 2> from = y - Vector<double, 2>{double{s.x}, double{s.y}};
    const double along = dot(u, from), length = double{s.length};
    const double reach = double{chamfer::line_reach} * spread;
    across = dot(n, from);
    if (std::fabs(across) >= reach || along <= -reach || length - along <= -reach) return;
    const double inside = below(along) - below(along - length), rate = double{s.rate};
    const double lowered = bell(across) - bell(reach);
    value = rate * lowered * inside;
    slope = (rate * lowered * (bell(along) - bell(along - length))) * u;
    slope += (-across / (spread * spread) * rate * bell(across) * inside) * n;
  }
};

/// Those near a point.
std::span<const PeopledSegment> segments_about(const LinesView& lines, const Vector<double, 2>& y) {
  const float at[2] = {static_cast<float>(y[0]), static_cast<float>(y[1])};
  std::uint32_t first, last;
  lines.near(at, first, last);
  return {lines.segments + first, last - first};
}

/// All of them together.
struct Density {
  double value = 0, squared = 0;
  Vector<double, 2> slope{};

  Density(const LinesView& lines, const Vector<double, 2>& y, double spread) {
    for (const PeopledSegment& segment : segments_about(lines, y)) {
      const PlainSegment s(segment, y, spread);
      value += s.value;
      squared += s.value * s.across * s.across;
      slope += s.slope;
    }
  }
};

/// An observed point and its image; false where it is not there, or goes to infinity.
struct Moved {
  double weight = 0, depth = 0;
  Vector<double, 2> y{};
  bool seen = false;

  Moved(const CloudView& points, std::uint32_t i, const Matrix<double, 3, 3>& t) {
    const double given = double{chamfer::weight_of(points, i)};
    const Vector<double, 2> p{double{points.x[i]}, double{points.y[i]}};
    if (!(given > 0) || !(std::fabs(p[0]) < 1e30 && std::fabs(p[1]) < 1e30)) return;
    weight = given;
    depth = t(2, 0) * p[0] + t(2, 1) * p[1] + t(2, 2);
    seen = depth > double{chamfer::FloatMap<2, true>::least_depth};
    for (int a = 0; a < 2 && seen; ++a) y[a] = (t(a, 0) * p[0] + t(a, 1) * p[1] + t(a, 2)) / depth;
  }
};

template <class M>
void plain_block(const Block<M>& b) {
  const chamfer::Stage& stage = b.params.stage[b.state.stage];
  const auto& state = b.state;
  auto& sums = b.sums;
  const auto& t = state.candidate;
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    const Moved moved(b.data.points, i, t);
    const double weight = moved.weight, depth = moved.depth;
    const Vector<double, 2>& y = moved.y;
    sums.weight += weight;
    if (!moved.seen) continue;
    const Density density(b.data.lines, y, stage.spread);
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
    sums.hessian.add_outer(weight * std::pow(stage.widened, 1.5), pull);
  }
}

void count_block(const Block<LineCount>& b) {
  const auto& t = b.state.target_from_source;
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    const Moved moved(b.data.points, i, t);
    const double weight = moved.weight * b.params.weight_unit;
    const double density = moved.seen ? Density(b.data.lines, moved.y, b.params.spread).value : 0.0;
    if (!(density > 1e-30)) {
      b.sums.strays += weight;
      continue;
    }
    const double enlarged = determinant(t) / (moved.depth * moved.depth * moved.depth);
    const double all = density * enlarged + b.params.strays;
    b.sums.strays += weight * b.params.strays / all;
    for (const PeopledSegment& segment : segments_about(b.data.lines, moved.y)) {
      const PlainSegment s(segment, moved.y, b.params.spread);
      const double share = weight * enlarged * s.value / all;
      b.bins[segment.stretch] += static_cast<std::uint64_t>(share * double{LineCount::unit});
      b.sums.squared += share * s.across * s.across;
    }
  }
}

}  // namespace

void ReferenceBackend::add_chamfer_lines() {
  add_pass<[](const auto& block) { plain_block(block); }>(LineMethods{});
  add_pass<count_block>(List<LineCount>{});
}

}  // namespace dovetail
