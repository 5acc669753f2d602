// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/gauss_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hwy/highway.h"
#include "spatial/sample_points.h"

namespace dovetail {
namespace {

/// Points with their tree, and rows in the order of a tree of their own: neighbours near each other.
struct Scene {
  Scene(const test::Shape& shape, std::size_t points, std::size_t row_count, float spread = 1)
      : tree(test::make_points(shape, points)), clusters(tree) {
    std::vector<Vec3f> moved(row_count);
    for (std::size_t i = 0; i < row_count; ++i) {
      moved[i] = spread * shape.point(i) + 0.05f * test::uniform_point(90, i) + Vec3f{0.02f, -0.01f, 0.03f};
    }
    const KdTree order{std::span(moved)};
    for (const TreePoint& p : order.points()) x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
  }
  GaussPoints points() const { return {clusters.view(tree.view()), nullptr}; }
  GaussRows rows() const { return {x.data(), y.data(), z.data(), static_cast<std::uint32_t>(x.size())}; }

  KdTree tree;
  ClusterTree clusters;
  std::vector<float> x, y, z;
};

struct Sums {
  std::vector<float> value[5];
  friend bool operator==(const Sums& a, const Sums& b) {
    return std::equal(a.value, a.value + 5, b.value, [](const auto& u, const auto& v) {
      return u.size() == v.size() && (u.empty() || std::memcmp(u.data(), v.data(), u.size() * sizeof(float)) == 0);
    });
  }
};

/// In as many calls as it takes, `block` rows each.
Sums computed(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows, bool squares = false,
              std::uint32_t block = 1024) {
  Sums sums;
  for (auto& v : sums.value) v.assign(rows.count, -1);
  for (std::uint32_t first = 0; first < rows.count; first += block) {
    const GaussSums out{&sums.value[0][first], &sums.value[1][first], &sums.value[2][first], &sums.value[3][first],
                        squares ? &sums.value[4][first] : nullptr};
    gauss_sums_cpu(points, settings,
                   {rows.x + first, rows.y + first, rows.z + first, std::min(block, rows.count - first)}, out);
  }
  return sums;
}

/// A row's sums in double, and what rounding may do to each: a weight is off by 1e-6 (its polynomial, and up to 128 of
/// them added in float) and by what its exponent d²/σ² is off, six roundings of its value.
struct Exact {
  double value[5] = {}, rounding = 0, rounding_of_squares = 0, farthest = 0;
};

Exact exact_row(const GaussPoints& points, double sigma, const GaussRows& rows, std::uint32_t i) {
  Exact row;
  for (std::uint32_t slot = 0; slot < points.clusters.tree.count; ++slot) {
    const TreePoint& p = points.clusters.tree.points[slot];
    const double d[3] = {double{p.x} - rows.x[i], double{p.y} - rows.y[i], double{p.z} - rows.z[i]};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], exponent = square / (sigma * sigma);
    const double e = (points.weight != nullptr ? points.weight[slot] : 1.0) * std::exp(-exponent);
    const double off = e * (1e-6 + 6 * 6e-8 * exponent);
    row.value[0] += e, row.rounding += off;
    for (int axis = 0; axis < 3; ++axis) row.value[1 + axis] += e * d[axis];
    row.value[4] += e * e, row.rounding_of_squares += 2 * e * off;
    row.farthest = std::max(row.farthest, std::sqrt(square));
  }
  return row;
}

/// Holds every `step`-th row to what was promised: each sum within the tolerance times C. Below 2^-100 nothing is.
void expect_exact(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows, const Sums& found,
                  bool squares = false, std::uint32_t step = 1) {
  for (std::uint32_t i = 0; i < rows.count; i += step) {
    const Exact row = exact_row(points, settings.sigma, rows, i);
    const double weight_allowed = settings.tolerance * (row.value[0] + (squares ? 0 : settings.outlier)) + 1e-30;
    ASSERT_NEAR(found.value[0][i], row.value[0], weight_allowed + row.rounding) << "row " << i;
    for (int s = 1; s < 4; ++s) {
      ASSERT_NEAR(found.value[s][i], row.value[s], (weight_allowed + row.rounding) * row.farthest)
          << "row " << i << " sum " << s;
    }
    if (squares) {
      const double allowed = settings.tolerance * (row.value[4] + settings.outlier) + 1e-30;
      ASSERT_NEAR(found.value[4][i], row.value[4], allowed + row.rounding_of_squares) << "row " << i;
    }
  }
}

/// From three times the extent (1) to a hundredth of the spacing.
std::vector<float> schedule(std::size_t points) {
  std::vector<float> sigmas;
  const float last = 0.01f / std::cbrt(static_cast<float>(points));
  for (float sigma = 3; sigma >= last; sigma *= 0.7f) sigmas.push_back(sigma);
  return sigmas;
}

TEST(GaussSum, EveryPairAgreesWithDouble) {
  const std::vector<std::size_t> sizes = {0, 1, 2, 31, 32, 33, 1000, 1007};
  for (const std::size_t points : sizes) {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{33}, std::size_t{70}}) {
      const Scene scene(test::shapes()[0], points, rows);
      for (const float sigma : {1e-4f, 0.01f, 0.1f, 1.0f, 10.0f}) {
        SCOPED_TRACE(testing::Message() << points << " points, " << rows << " rows, sigma " << sigma);
        for (const bool squares : {false, true}) {
          GaussSettings settings;
          settings.sigma = sigma;
          expect_exact(scene.points(), settings, scene.rows(),
                       computed(scene.points(), settings, scene.rows(), squares), squares);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(GaussSum, TheTreeKeepsItsToleranceAtEverySigma) {
  for (const test::Shape& shape : test::shapes()) {
    const Scene scene(shape, 3000, 320);
    for (const float sigma : schedule(3000)) {
      for (const float outlier : {0.0f, 0.3f}) {
        for (const bool squares : {false, true}) {
          SCOPED_TRACE(testing::Message() << shape.name << ", sigma " << sigma << ", outlier " << outlier);
          GaussSettings settings;
          settings.sigma = sigma, settings.outlier = outlier, settings.tolerance = 1e-6f;
          expect_exact(scene.points(), settings, scene.rows(),
                       computed(scene.points(), settings, scene.rows(), squares), squares, 7);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// A coarse tolerance is where the bounds bite: rounding hides nothing.
TEST(GaussSum, TheTreeKeepsACoarseTolerance) {
  const Scene scene(test::shapes()[2], 5000, 320);
  for (const float tolerance : {1e-4f, 1e-2f}) {
    for (const float sigma : schedule(5000)) {
      SCOPED_TRACE(testing::Message() << "tolerance " << tolerance << ", sigma " << sigma);
      GaussSettings settings;
      settings.sigma = sigma, settings.tolerance = tolerance;
      expect_exact(scene.points(), settings, scene.rows(), computed(scene.points(), settings, scene.rows()), false, 7);
      if (HasFatalFailure()) return;
    }
  }
}

/// Weights from 0 to 3, and the moments of the points with them.
struct Weights {
  explicit Weights(const Scene& scene) {
    const ClusterTreeView view = scene.points().clusters;
    for (std::uint64_t i = 0; i < scene.tree.size(); ++i) {
      by_slot.push_back(std::max(0.0f, 3.0f * (test::uniform_point(91, i)[0] + 0.5f)));
    }
    moments.resize(scene.clusters.moments().size());
    for (int depth = 0; depth <= view.depth; ++depth) {
      for (std::uint32_t node = 1u << depth; node < 2u << depth; ++node) add_node(view, node, depth);
    }
  }
  void add_node(const ClusterTreeView& view, std::uint32_t node, int depth) {
    const SlotRange slots = view.tree.slots(node, depth);
    const Cluster& c = view.clusters[node];
    for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
      const TreePoint& p = view.tree.points[slot];
      const float d[3] = {(p.x - c.x) / c.radius, (p.y - c.y) / c.radius, (p.z - c.z) / c.radius};
      for (int i = 0; i <= expansion_degree; ++i) {
        for (int j = 0; j <= expansion_degree - i; ++j) {
          for (int k = 0; k <= expansion_degree - i - j; ++k) {
            moments[std::size_t{node} * moment_stride + static_cast<std::size_t>(moment_index(i, j, k))] +=
                static_cast<float>(by_slot[slot] * std::pow(d[0], i) * std::pow(d[1], j) * std::pow(d[2], k) /
                                   (std::tgamma(i + 1) * std::tgamma(j + 1) * std::tgamma(k + 1)));
          }
        }
      }
    }
  }
  std::vector<float> by_slot, moments;
};

TEST(GaussSum, WeightsCount) {
  const Scene scene(test::shapes()[2], 2000, 160);
  const Weights weights(scene);
  GaussPoints points = scene.points();
  points.weight = weights.by_slot.data();
  for (const float* moments : {static_cast<const float*>(nullptr), weights.moments.data()}) {
    points.clusters.moments = moments;
    for (const float tolerance : {0.0f, 1e-5f}) {
      for (const float sigma : schedule(2000)) {
        SCOPED_TRACE(testing::Message() << "tolerance " << tolerance << ", sigma " << sigma);
        GaussSettings settings;
        settings.sigma = sigma, settings.tolerance = tolerance, settings.most_weight = 3;
        expect_exact(points, settings, scene.rows(), computed(points, settings, scene.rows()), false, 7);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(GaussSum, FarRowsHaveNone) {
  const Scene scene(test::shapes()[0], 1000, 64);
  for (const float far : {50.0f, 1e6f, 1e18f, 1e30f}) {
    std::vector<float> x = scene.x;
    for (float& value : x) value += far;
    const GaussRows rows{x.data(), scene.y.data(), scene.z.data(), 64};
    for (const float tolerance : {0.0f, 1e-6f}) {
      GaussSettings settings;
      settings.sigma = 0.1f, settings.tolerance = tolerance;
      const Sums sums = computed(scene.points(), settings, rows, true);
      for (const auto& values : sums.value) {
        for (const float value : values) ASSERT_EQ(value, 0) << far << ", tolerance " << tolerance;
      }
    }
  }
}

TEST(GaussSum, BitsDoNotDependOnTheSplitIntoBlocks) {
  const Scene scene(test::shapes()[0], 3000, 1000);
  for (const float tolerance : {0.0f, 1e-6f}) {
    for (const float sigma : {0.02f, 0.1f, 1.0f}) {
      GaussSettings settings;
      settings.sigma = sigma, settings.tolerance = tolerance;
      const Sums whole = computed(scene.points(), settings, scene.rows(), true);
      for (const std::uint32_t block : {32u, 96u, 512u}) {
        EXPECT_TRUE(whole == computed(scene.points(), settings, scene.rows(), true, block)) << block;
      }
    }
  }
}

TEST(GaussSum, RowsMayLieApart) {
  const Scene scene(test::shapes()[0], 700, 300);
  const GaussSettings settings{.sigma = 0.1f, .tolerance = 1e-6f};
  std::vector<float> mixed;
  for (std::size_t i = 0; i < scene.x.size(); ++i)
    mixed.insert(mixed.end(), {scene.x[i], scene.y[i], scene.z[i], 9e9f});
  const GaussRows apart{&mixed[0], &mixed[1], &mixed[2], scene.rows().count, 4};
  Sums together = computed(scene.points(), settings, scene.rows()), sums;
  for (auto& v : sums.value) v.assign(apart.count, -1);
  gauss_sums_cpu(scene.points(), settings, apart,
                 {sums.value[0].data(), sums.value[1].data(), sums.value[2].data(), sums.value[3].data(), nullptr});
  EXPECT_TRUE(sums == together);
}

TEST(GaussSum, EveryInstructionSetKeepsTheTolerance) {
  const Scene scene(test::shapes()[0], 2000, 100);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (const float tolerance : {0.0f, 1e-6f}) {
      for (const float sigma : schedule(2000)) {
        SCOPED_TRACE(testing::Message() << hwy::TargetName(target) << ", sigma " << sigma);
        GaussSettings settings;
        settings.sigma = sigma, settings.tolerance = tolerance;
        expect_exact(scene.points(), settings, scene.rows(), computed(scene.points(), settings, scene.rows(), true),
                     true, 3);
      }
    }
    hwy::SetSupportedTargetsForTest(0);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dovetail
