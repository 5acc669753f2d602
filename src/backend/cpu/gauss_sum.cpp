// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/gauss_sum.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "spatial/cluster_bounds.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/gauss_sum.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/gauss_bound.h"
#include "backend/cpu/gauss_tile.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// A vector as a number for cluster_sum; a product waits for what is added to it.
struct Real {
  RowVector value;
  HWY_INLINE Real() = default;
  HWY_INLINE explicit Real(float number) : value(hn::Set(RowTag(), number)) {}
  HWY_INLINE explicit Real(RowVector vector) : value(vector) {}
};
struct Product {
  Real a, b;
  HWY_INLINE operator Real() const { return Real(hn::Mul(a.value, b.value)); }
};
HWY_INLINE Product operator*(const Real& a, const Real& b) { return {a, b}; }
HWY_INLINE Real operator+(const Real& sum, const Product& p) {
  return Real(hn::MulAdd(p.a.value, p.b.value, sum.value));
}
HWY_INLINE Real operator+(const Product& p, const Product& q) { return Real(q) + p; }

#include "spatial/cluster_expansion.inl"

constexpr float log2_e = 1.44269504f;

/// Rounded once: what it is off, all weights are off.
float k_of(float sigma) { return static_cast<float>(1.4426950408889634 / (double{sigma} * double{sigma})); }

/// Measured: an expansion of each degree takes as long as so many pairs.
constexpr ExpansionCosts costs{10, 20, 36, 60};

/// An expansion stands for many points: fewer of them in a run.
constexpr std::uint32_t terms_of_expansion = 4;

/// Adds the expansion of a cluster to the rows: the kernel's weights and slopes, or only the weights, as `squares`.
template <int P, bool squares>
void add_expansion(Tile& tile, const Cluster& cluster, const float* moments, float sigma) {
  const RowTag d;
  const float inverse = 1 / sigma;
  const float radius = std::max(cluster.radius, 1e-18f);  // of equal points it is as good as 0, but divides
  const Real to_toward(-0.5f * sigma * (sigma / radius));
  const float centre[3] = {cluster.x, cluster.y, cluster.z};
  for (std::size_t first = 0; first < tile_rows; first += width * row_lanes) {
    Rows u[3], e;
    for (std::size_t v = 0; v < width; ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        const RowVector row = hn::Load(d, tile.row[axis] + first + v * row_lanes);
        u[axis].part[v] = hn::Mul(hn::Sub(row, hn::Set(d, centre[axis])), hn::Set(d, inverse));
      }
      const RowVector yz = hn::MulAdd(u[1].part[v], u[1].part[v], hn::Mul(u[2].part[v], u[2].part[v]));
      e.part[v] = hn::Mul(hn::MulAdd(u[0].part[v], u[0].part[v], yz), hn::Set(d, -log2_e));
    }
    e = exp2_of(e);
    for (std::size_t v = 0; v < width; ++v) {
      const ClusterSum<Real> sum =
          cluster_sum<P>(moments, Real(u[0].part[v]), Real(u[1].part[v]), Real(u[2].part[v]), radius * inverse);
      const auto add = [&](int s, const Real& factor, const Real& value) HWY_ATTR {
        float* to = tile.run[s] + first + v * row_lanes;
        hn::Store((Real(hn::Load(d, to)) + factor * value).value, d, to);
      };
      const Real weight(e.part[v]);
      add(squares ? sum_squares : sum_weight, weight, sum.weight);
      if constexpr (!squares) {
        const Real slope = weight * to_toward;
        for (int axis = 0; axis < 3; ++axis) add(sum_x + axis, slope, sum.slope[axis]);
      }
    }
  }
}

template <bool squares>
void add_cluster(Tile& tile, Treatment how, const Cluster& cluster, const float* moments, float sigma) {
  if (how == Treatment::skip) return;
  tile.expect(terms_of_expansion);
  if (how == Treatment::expand2) add_expansion<2, squares>(tile, cluster, moments, sigma);
  if (how == Treatment::expand4) add_expansion<4, squares>(tile, cluster, moments, sigma);
  if (how == Treatment::expand6) add_expansion<6, squares>(tile, cluster, moments, sigma);
  if (how == Treatment::expand8) add_expansion<8, squares>(tile, cluster, moments, sigma);
}

/// The sums of one tile by way of the tree.
template <bool weighted, bool squares>
class TreeWalk {
 public:
  TreeWalk(Tile& tile, const GaussPoints& points, const GaussSettings& settings)
      : tile_(tile), points_(points), tree_(points.clusters), ball_(ball_around(tile)) {
    const float k = k_of(settings.sigma);
    kernel_ = {k, allowance(settings, squares ? 0 : settings.outlier, k)};
    if constexpr (squares) kernel_of_squares_ = {2 * k, allowance(settings, settings.outlier, 2 * k)};
    sigma_ = settings.sigma;
  }

  void run() {
    std::uint32_t open[2 * KdTree::max_depth], count = 0;
    open[count++] = 1;
    while (count > 0) {
      const std::uint32_t node = open[--count];
      const int depth = static_cast<int>(std::bit_width(node)) - 1;
      const SlotRange slots = tree_.tree.slots(node, depth);
      if (without_opening(node, slots.end - slots.begin)) continue;
      if (depth == tree_.depth) {
        add_leaf(slots);
      } else {
        open[count++] = 2 * node + 1;
        open[count++] = 2 * node;
      }
    }
    add_slots<weighted, squares>(tile_, points_, pending_, kernel_.k);
  }

 private:
  struct Kernel {
    float k, allowance;
  };

  const float* moments_of(std::uint32_t node) const {
    return tree_.moments == nullptr ? nullptr : tree_.moments + std::size_t{node} * moment_stride;
  }

  float allowance(const GaussSettings& settings, float outlier, float k) const {
    const float least = std::max(outlier + least_of_rows<weighted>(tile_, ball_, points_, k), 0x1p-100f);
    return log2_allowance(settings.tolerance, least, tree_.tree.count) - std::log2(settings.most_weight);
  }

  Treatment treatment(const Kernel& kernel, std::uint32_t node, std::uint32_t count) const {
    const Cluster& cluster = tree_.clusters[node];
    const auto with_spread = [&](float spread) {
      return treatment_of(cluster, count, ball_, kernel.k, kernel.allowance, costs, spread);
    };
    const Treatment how = with_spread(0);
    if (tree_.moments == nullptr) return how == Treatment::skip ? how : Treatment::open;
    // The moments tell more, but are far in memory: only where they may matter.
    constexpr float most_spread = -1;
    if (how != Treatment::open || count <= costs.degree8 || with_spread(most_spread) == Treatment::open) return how;
    return with_spread(moments_of(node)[spread_index]);
  }

  /// Skips or expands a node, where that is exact enough for all that is summed.
  bool without_opening(std::uint32_t node, std::uint32_t count) {
    const Treatment how = treatment(kernel_, node, count);
    if (how == Treatment::open) return false;
    const Treatment how_squares = squares ? treatment(kernel_of_squares_, node, count) : Treatment::skip;
    if (how_squares == Treatment::open) return false;
    add_cluster<false>(tile_, how, tree_.clusters[node], moments_of(node), sigma_);
    if constexpr (squares) {
      add_cluster<true>(tile_, how_squares, tree_.clusters[node], moments_of(node), sigma_ * 0.707106781f);
    }
    return true;
  }

  /// Leaves side by side go as one.
  void add_leaf(const SlotRange& slots) {
    if (slots.begin == pending_.end) {
      pending_.end = slots.end;
    } else {
      add_slots<weighted, squares>(tile_, points_, pending_, kernel_.k);
      pending_ = slots;
    }
  }

  Tile& tile_;
  const GaussPoints& points_;
  const ClusterTreeView& tree_;
  Cluster ball_;
  Kernel kernel_{}, kernel_of_squares_{};
  float sigma_ = 1;
  SlotRange pending_{0, 0};
};

template <bool weighted, bool squares>
void sums_of(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows, const GaussSums& out) {
  const std::uint32_t point_count = points.clusters.tree.count;
  Tile tile;
  for (std::uint32_t first = 0; first < rows.count; first += tile_rows) {
    tile.begin(rows, first);
    if (settings.tolerance > 0 && point_count > 0) {
      TreeWalk<weighted, squares>(tile, points, settings).run();
    } else {
      add_slots<weighted, squares>(tile, points, {0, point_count}, k_of(settings.sigma));
    }
    tile.finish(out, first, std::min(tile_rows, rows.count - first));
  }
}

void gauss_sums(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows, const GaussSums& out) {
  if (out.squares != nullptr) {
    sums_of<false, true>(points, settings, rows, out);
  } else if (points.weight != nullptr) {
    sums_of<true, false>(points, settings, rows, out);
  } else {
    sums_of<false, false>(points, settings, rows, out);
  }
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(gauss_sums);

void gauss_sums_cpu(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows,
                    const GaussSums& out) {
  HWY_DYNAMIC_DISPATCH(gauss_sums)(points, settings, rows, out);
}

}  // namespace dovetail
#endif
