// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <atomic>

#include "core/random.h"
#include "dovetail/dovetail.h"
#include "support/shapes.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

double degrees_off(const Transform& a, const Transform& b) {
  return rotation_angle((a * b.inverse()).as<Rigid3>().rotation) * 180 / 3.14159265358979323846;
}

Rigid3 any_pose(std::uint64_t seed) {
  RandomStream random(seed, 0);
  const Mat3 rotation = random.rotation();
  return {rotation, 3.0 * random.unit_vector()};
}

TEST(RegisterGpicp, undoes_any_rotation_and_shift) {
  const PointCloud target = bumpy_surface(6000, 1);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Transform truth = any_pose(seed);
    const Registration result = register_points(truth.inverse() * bumpy_surface(5000, 2), target, Gpicp{});
    EXPECT_TRUE(result.usable()) << result.message;
    EXPECT_EQ(result.method, "gpicp");
    EXPECT_LT(degrees_off(result.target_from_source, truth), 0.5);  // two samplings, 1.5% of the size apart
  }
}

TEST(RegisterGpicp, has_the_same_bits_whatever_the_threads) {
  const PointCloud target = bumpy_surface(3000, 1), source = Transform(any_pose(3)).inverse() * bumpy_surface(2500, 2);
  dovetail::Run run;
  run.machine = Machine::cpu, run.threads = 1;
  const Registration one = register_points(source, target, Gpicp{}, run);
  run.threads = 2;
  const Registration two = register_points(source, target, Gpicp{}, run);
  EXPECT_EQ(one.target_from_source, two.target_from_source);
  EXPECT_EQ(one.log_odds, two.log_odds);
  ASSERT_EQ(one.alternatives.size(), two.alternatives.size());
}

TEST(RegisterGpicp, starts_from_rotations_about_a_given_pose_too) {
  const PointCloud target = bumpy_surface(5000, 1);
  const Transform truth = Rigid3{exp_so3(Vec3{1.2, -0.8, 0.5}), {0.05, 0, 0.02}};
  const PointCloud source = truth.inverse() * bumpy_surface(5000, 2);
  dovetail::Run run;
  run.start_at_centroid = true;
  for (const StartsFrom from : {StartsFrom::rotations, StartsFrom::random}) {
    const Registration result = register_points(source, target, Gpicp{.starts_from = from}, run);
    EXPECT_TRUE(result.usable()) << result.message;
    EXPECT_LT(degrees_off(result.target_from_source, truth), 0.5);
  }
}

TEST(RegisterGpicp, stopped_before_it_tried_anything_it_answers_with_the_start) {
  const PointCloud cloud = bumpy_surface(2000, 1);
  const std::atomic<bool> cancel{true};
  dovetail::Run run;
  run.cancel = &cancel;
  run.start = Transform(any_pose(5));
  for (const Refinement refine : {Refinement::icp, Refinement::none}) {
    const Registration result = register_points(cloud, cloud, Gpicp{.refine = refine}, run);
    EXPECT_FALSE(result.usable());
    EXPECT_EQ(result.termination, Termination::stopped_by_callback);
    EXPECT_LT(distance_between(result.target_from_source, *run.start, {1, 1, 1}), 1e-6);
  }
}

TEST(RegisterGpicp, can_be_left_without_icp) {
  const PointCloud target = bumpy_surface(6000, 1);
  const Transform truth = any_pose(1);
  const Registration result =
      register_points(truth.inverse() * bumpy_surface(5000, 2), target, Gpicp{.refine = Refinement::none});
  EXPECT_EQ(result.finished_by, "");
  EXPECT_EQ(result.termination, Termination::schedule_finished);
  EXPECT_LT(degrees_off(result.target_from_source, truth), 5);  // small sets of points, and no polish
  const Registration polished = register_points(truth.inverse() * bumpy_surface(5000, 2), target, Gpicp{});
  EXPECT_LT(degrees_off(polished.target_from_source, truth), degrees_off(result.target_from_source, truth));
}

TEST(RegisterGpicp, refuses_what_makes_no_sense_and_doubts_strangers) {
  const PointCloud target = bumpy_surface(1000, 1);
  EXPECT_THROW(register_points(target, target, Gpicp{.metric = Metric::plane_to_plane}), InvalidArgument);
  EXPECT_THROW(register_points(target, target, Gpicp{.sets = 33}), InvalidArgument);
  PointCloud ball = sample(3000, 5, [](RandomStream& random) { return 0.4 * random.unit_vector(); });
  EXPECT_FALSE(register_points(ball, target, Gpicp{}).usable());
  PointCloud line;
  for (int i = 0; i < 100; ++i) line.positions.push_back({0.01 * i, 0, 0});
  EXPECT_EQ(register_points(line, target, Gpicp{}).termination, Termination::degenerate);
}

TEST(RegisterGpicp, aligns_clouds_in_the_plane) {
  const auto outline = [](std::uint64_t seed) {
    PointCloud cloud = sample(600, seed, [](RandomStream& random) {
      const double a = random.uniform(-3.14159265, 3.14159265), r = 1 + 0.3 * std::cos(a) + 0.2 * std::sin(2 * a + 1);
      return Vec3{r * std::cos(a), 0.6 * r * std::sin(a), 0};
    });
    cloud.dimension = 2;
    return cloud;
  };
  const Transform truth = Rigid2{exp_so2(2.5), {4, -1}};
  const Registration result = register_points(truth.inverse() * outline(1), outline(2), Gpicp{});
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int column = j < 2 ? j : 3;
      EXPECT_NEAR(result.target_from_source.matrix(i, column), truth.matrix(i, column), 0.02);
    }
  }
}

}  // namespace
}  // namespace dovetail::test
