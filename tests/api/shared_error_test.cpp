// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/shared_error.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "dovetail/prepare.h"
#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/truth.h"

// Points that err together say less than as many that do not.

namespace dovetail {
namespace {

using namespace test;

/// Points of a square, missing it by noise of their own and by what those of a tile share.
SharedErrors square(std::size_t count, double own, double shared, int tiles, std::uint64_t seed) {
  SharedErrors some;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    const Vec3 p{random.uniform(), random.uniform(), 0};
    const auto tile = static_cast<std::uint64_t>(std::floor(p[0] * tiles) * tiles + std::floor(p[1] * tiles));
    RandomStream of_tile(seed + 1000, tile);
    some.place.push_back(p);
    some.miss.push_back({0, 0, own * random.normal() + shared * of_tile.normal()});
  }
  return some;
}

TEST(SharedError, OfPointsThatErrOnTheirOwnIsNone) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) EXPECT_EQ(shared_error(square(1500, 1, 0, 8, seed), 100), 1) << seed;
}

// With M points a tile, a share s² of the variance in common and each given point standing for e, the variance of a sum
// is larger by 1 + s² (M e − 1).
TEST(SharedError, IsWhatTilesShare) {
  for (const double each : {1.0, 20.0, 500.0}) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) mean += shared_error(square(2000, 0.9, 0.4359, 8, seed), each) / 40;
    const double right = 1 + 0.19 * (2000.0 / 64 * each - 1);
    EXPECT_GT(mean, 0.6 * right) << each;
    EXPECT_LT(mean, 1.6 * right) << each;
  }
}

TEST(SharedError, FewPointsOrNoneSayNothing) {
  EXPECT_EQ(shared_error({}, 10), 1);
  EXPECT_EQ(shared_error(square(10, 0, 1, 2, 1), 10), 1);
  SharedErrors same = square(500, 1, 0, 8, 3);
  for (Vec3& p : same.place) p = {1, 2, 3};
  EXPECT_EQ(shared_error(same, 10), 1);
  for (Vec3& m : same.miss) m = {};
  EXPECT_EQ(shared_error(same, 10), 1);
}

/// A scanner's error: smooth over the part, different in each scan.
PointCloud warped(PointCloud cloud, double size, std::uint64_t seed) {
  RandomStream random(seed, 1);
  std::array<double, 24> a{};
  for (double& x : a) x = random.uniform(0, 2 * std::numbers::pi);
  for (Vec3& p : cloud.positions) {
    double sum = 0;
    for (std::size_t k = 0; k < 24; k += 3) {
      sum += std::sin(25 * std::cos(a[k]) * p[0] + 25 * std::sin(a[k]) * p[1] + a[k + 1]) * std::sin(a[k + 2]);
    }
    p[2] += size * sum / 2;
  }
  return cloud;
}

class ScansThatErrTogether : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Methods, ScansThatErrTogether, testing::Range(0, 4), [](const auto& test) {
  return std::string(std::array{"icp", "em_icp", "softassign", "chamfer"}[static_cast<std::size_t>(test.param)]);
});

MethodOptions by_default(int method) {
  const MethodOptions options[] = {Icp{}, EmIcp{}, Softassign{}, Chamfer{}};
  return options[method];
}

MethodOptions one_start(int method) {
  MethodOptions options = by_default(method);
  std::visit([](auto& o) { o.starts = 1; }, options);
  return options;
}

double error_of(const Registration& r, const Transform& truth, const PointCloud& source) {
  double sum = 0;
  for (const Vec3& p : source.positions) sum += squared_norm(r.target_from_source * p - truth * p);
  return std::sqrt(sum / static_cast<double>(source.size()));
}

TEST_P(ScansThatErrTogether, AreExpectedToBeAsFarOffAsTheyAre) {
  auto run = on(Machine::cpu);
  run.trace = false;
  double errors = 0, expected = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const PointCloud target = noisy(bumpy_surface(5000, 10 * seed), 0.0005, seed);
    const PointCloud source = warped(noisy(bumpy_surface(5000, 10 * seed + 1), 0.0005, seed + 50), 0.002, seed);
    const Registration r = register_points(source, target, one_start(GetParam()), run);
    ASSERT_TRUE(r.usable() && r.expected_error) << r.message;
    errors += std::pow(error_of(r, Transform::identity(Model::rigid3), source), 2);
    expected += *r.expected_error * *r.expected_error;
    count += 1;
  }
  RecordProperty("ratio", std::to_string(std::sqrt(errors / expected)));
  EXPECT_LT(std::sqrt(errors), 2.5 * std::sqrt(expected)) << std::sqrt(errors / count);
  EXPECT_GT(std::sqrt(errors), 0.3 * std::sqrt(expected)) << std::sqrt(errors / count);
}

TEST(ExpectedError, DoesNotDependOnTheUnitOfWeights) {
  const PointCloud target = noisy(bumpy_surface(3000, 1), 0.001, 2), source = noisy(bumpy_surface(3000, 3), 0.001, 4);
  for (const int method : {0, 1}) {
    auto run = on(Machine::cpu);
    const double right = *register_points(source, target, one_start(method), run).expected_error;
    for (const double unit : {1e-3, 1e3}) {
      run.weights.assign(source.size(), unit);
      const Registration r = register_points(source, target, one_start(method), run);
      ASSERT_TRUE(r.expected_error);
      EXPECT_NEAR(*r.expected_error, right, 0.02 * right);
    }
  }
}

TEST(ExpectedError, IsNotSmallerWithAScale) {
  const PointCloud target = noisy(bumpy_surface(3000, 1), 0.001, 2), source = noisy(bumpy_surface(3000, 3), 0.001, 4);
  Icp icp{.metric = Metric::point_to_point, .starts = 1};
  const double without = *register_points(source, target, icp, on(Machine::cpu)).expected_error;
  icp.estimate_scale = true;
  const Registration with = register_points(source, target, icp, on(Machine::cpu));
  ASSERT_TRUE(with.expected_error);
  EXPECT_EQ(with.covariance.size(), 49u);
  EXPECT_GT(*with.expected_error, 0.9 * without);
}

TEST_P(ScansThatErrTogether, OfARealLidarTellTheErrorToExpect) {
  DOVETAIL_NEEDS_DATA();
  const PointCloud source = data_points("lidar_pair/source.ply"), target = data_points("lidar_pair/target.ply");
  const Transform truth = pose_in_text("lidar_pair/T_target_source.txt");
  const Registration r = register_points(source, target, by_default(GetParam()), on(Machine::cpu));
  ASSERT_TRUE(r.usable() && r.expected_error) << r.message;
  const double error = error_of(r, truth, drop_invalid(source));
  EXPECT_LT(error, 3 * *r.expected_error);
  EXPECT_GT(error, *r.expected_error / 3);
}

}  // namespace
}  // namespace dovetail
