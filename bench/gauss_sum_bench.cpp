// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/gauss_sum.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cmath>

#include "dovetail/io.h"
#include "harness.h"
#include "hwy/highway.h"
#include "scans.h"
#include "spatial/morton.h"

// Sums of Gaussian weights over all pairs: every pair computed, for each instruction set and beside a plain loop with
// std::exp; and a whole annealing schedule by way of the tree.

namespace dovetail::bench {
namespace {

const char* const name = "gauss_sum";
constexpr std::uint32_t block_rows = 1024;

/// A cloud about its centroid, against itself turned by 20 degrees about y.
struct Scene {
  explicit Scene(const PointCloud& cloud) {
    Vec3 centroid{};
    for (const Vec3& p : cloud.positions) centroid = centroid + p;
    centroid = (1.0 / static_cast<double>(cloud.positions.size())) * centroid;
    std::vector<float> at[3];
    for (const Vec3& p : cloud.positions) {
      for (int axis = 0; axis < 3; ++axis) at[axis].push_back(static_cast<float>(p[axis] - centroid[axis]));
    }
    tree = KdTree(at[0], at[1], at[2]);
    clusters = ClusterTree(tree);
    const float c = std::cos(0.349066f), s = std::sin(0.349066f);
    for (const std::uint32_t i : morton_order(at[0], at[1], at[2])) {
      row[0].push_back(c * at[0][i] + s * at[2][i]);
      row[1].push_back(at[1][i]);
      row[2].push_back(c * at[2][i] - s * at[0][i]);
    }
    for (auto& values : sum) values.resize(row[0].size());
  }
  std::uint32_t count() const { return tree.size(); }
  GaussRows rows(std::uint32_t first, std::uint32_t n) const {
    return {&row[0][first], &row[1][first], &row[2][first], n};
  }
  GaussSums sums(std::uint32_t first) { return {&sum[0][first], &sum[1][first], &sum[2][first], &sum[3][first]}; }

  /// As a registration does it: blocks dealt out to threads.
  void pass(const GaussSettings& settings) {
    const GaussPoints points{clusters.view(tree.view()), nullptr};
    const std::uint32_t blocks = (count() + block_rows - 1) / block_rows;
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, blocks, 1), [&](const auto& range) {
      for (std::uint32_t b = range.begin(); b < range.end(); ++b) {
        const std::uint32_t first = b * block_rows;
        gauss_sums_cpu(points, settings, rows(first, std::min(block_rows, count() - first)), sums(first));
      }
    });
  }

  KdTree tree;
  ClusterTree clusters;
  std::vector<float> row[3], sum[4];
};

/// What one would write first, as most compile it.
__attribute__((noinline, optimize("O2"))) void plain_sums(const KdTree& tree, float sigma, const GaussRows& rows,
                                                          const GaussSums& out) {
  const float inverse = 1 / (sigma * sigma);
  for (std::uint32_t i = 0; i < rows.count; ++i) {
    float weight = 0, x = 0, y = 0, z = 0;
    for (const TreePoint& p : tree.points()) {
      const float dx = p.x - rows.x[i], dy = p.y - rows.y[i], dz = p.z - rows.z[i];
      const float e = std::exp(-(dx * dx + dy * dy + dz * dz) * inverse);
      weight += e, x += e * dx, y += e * dy, z += e * dz;
    }
    out.weight[i] = weight, out.toward_x[i] = x, out.toward_y[i] = y, out.toward_z[i] = z;
  }
}

void every_pair(const Arguments& arguments, Scene& scene, float sigma) {
  const auto rate = [&](const Timing& timing, std::uint32_t rows) {
    return static_cast<double>(rows) * scene.count() / timing.fastest_ms * 1e3;
  };
  const auto line = [&](const std::string& by, int threads) {
    return Line(name, "every pair").points(scene.count()).text("by", by).machine("cpu", threads);
  };
  GaussSettings settings;
  settings.sigma = sigma;
  const GaussPoints points{scene.clusters.view(scene.tree.view()), nullptr};
  const std::uint32_t few = std::min(64u, scene.count()), many = std::min(2 * block_rows, scene.count());
  const Timing plain = measure(arguments, [&] { plain_sums(scene.tree, sigma, scene.rows(0, few), scene.sums(0)); });
  line("std::exp", 1).value(rate(plain, few), "pairs per second");
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    const Timing timing =
        measure(arguments, [&] { gauss_sums_cpu(points, settings, scene.rows(0, many), scene.sums(0)); });
    line(hwy::TargetName(target), 1)
        .number("times_std_exp", rate(timing, many) / rate(plain, few))
        .value(rate(timing, many), "pairs per second");
  }
  hwy::SetSupportedTargetsForTest(0);
  for (const int threads : thread_counts()) {
    const ThreadLimit limit(threads);
    line("blocks", threads)
        .value(rate(measure(arguments, [&] { scene.pass(settings); }), scene.count()), "pairs per second");
  }
}

/// σ² from `first` times 0.9 each, down to a thousandth.
void schedule(Scene& scene, const std::string& cloud, double first) {
  for (const int threads : thread_counts()) {
    const ThreadLimit limit(threads);
    GaussSettings settings;
    settings.tolerance = 1e-6f;
    double passes = 0, slowest = 0;
    const double processor = processor_ms();
    const Stopwatch whole;
    for (double square = first; square >= 0.999e-3 * first; square *= 0.9, ++passes) {
      settings.sigma = static_cast<float>(std::sqrt(square));
      const Stopwatch watch;
      scene.pass(settings);
      slowest = std::max(slowest, watch.milliseconds());
    }
    Line(name, "schedule")
        .points(scene.count())
        .text("cloud", cloud)
        .machine("cpu", threads)
        .number("passes", passes)
        .number("slowest_pass_ms", slowest)
        .number("processor_ms", processor_ms() - processor)
        .value(whole.milliseconds(), "ms");
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (arguments.gpu_only) return 0;
  describe_machine("gauss_sum");
  Scene made(bumpy_sphere(arguments.quick ? 4'000 : 40'000, 1));
  every_pair(arguments, made, 0.1f);
  schedule(made, "bumpy sphere", 0.4);
  const std::filesystem::path bunny = data_folder() / "em_icp_bunny" / "bun045_40097.txt";
  if (arguments.quick || !std::filesystem::exists(bunny)) return 0;
  Scene real(dovetail::read_points(bunny));
  schedule(real, "bunny", 0.01);
}
