// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "soft/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

constexpr std::size_t points = 1500;

TEST(SoftProperty, EmIcpRecoversKnownMotions) { expect_soft_recovery(Machine::cpu, EmIcp{}, points); }
TEST(SoftProperty, SoftassignRecoversKnownMotions) { expect_soft_recovery(Machine::cpu, Softassign{}, points); }

TEST(SoftProperty, MovingBothCloudsMovesTheAnswer) {
  expect_soft_equivariance(Machine::cpu, EmIcp{}, points);
  expect_soft_equivariance(Machine::cpu, Softassign{}, points);
}

TEST(SoftProperty, TheOrderOfPointsDoesNotMatter) {
  expect_soft_order_does_not_matter(Machine::cpu, EmIcp{}, points);
  expect_soft_order_does_not_matter(Machine::cpu, Softassign{}, points);
}

TEST(SoftProperty, UnitsDoNotMatter) {
  expect_soft_scale_free(Machine::cpu, EmIcp{}, points);
  expect_soft_scale_free(Machine::cpu, Softassign{}, points);
}

TEST(SoftProperty, TheSameBitsEveryTime) {
  expect_soft_repeats(Machine::cpu, EmIcp{}, points);
  expect_soft_repeats(Machine::cpu, Softassign{}, points);
}

TEST(SoftProperty, TheSameBitsOnAnyNumberOfThreads) {
  auto run = on(Machine::cpu);
  run.threads = 1;
  const MethodOptions methods[] = {EmIcp{}, EmIcp{.weighting = Weighting::square_root}, Softassign{}};
  for (const MethodOptions& method : methods) {
    run.threads = 1;
    const Registration one = register_points(soft_source(points), soft_target(points), method, run);
    run.threads = 3;
    expect_same_soft_bits(register_points(soft_source(points), soft_target(points), method, run), one);
  }
}

TEST(SoftProperty, TheSameBitsWhenWatched) {
  expect_watching_soft_changes_nothing(Machine::cpu, EmIcp{}, points);
  expect_watching_soft_changes_nothing(Machine::cpu, Softassign{}, points);
}

TEST(SoftProperty, EndsWhereTheReferenceEnds) {
  expect_machines_agree(Machine::cpu, Machine::reference, EmIcp{.starts = 8}, 200);
  expect_machines_agree(Machine::cpu, Machine::reference, Softassign{.starts = 4}, 120);
}

TEST(SoftProperty, LeavingFarPairsOutChangesNothingThatCounts) {
  const Registration fast = register_points(soft_source(points), soft_target(points), EmIcp{}, on(Machine::cpu));
  const Registration dense =
      register_points(soft_source(points), soft_target(points), EmIcp{.accuracy = 0}, on(Machine::cpu));
  EXPECT_LT(distance_off(fast.target_from_source, dense.target_from_source, soft_source(points)), same_data);
}

TEST(SoftProperty, ScaleIsRecovered) {
  for (const double scale : {0.8, 1.25}) {
    const PointCloud target = bumpy_surface(points);
    const Transform truth = Similarity3{exp_so3(Vec3{0.3, -0.5, 0.4}), {0.05, 0.02, -0.04}, scale};
    const PointCloud source = truth.inverse() * target;
    const auto check = [&](const MethodOptions& method) {
      const Registration r = register_points(source, target, method, on(Machine::cpu));
      EXPECT_EQ(r.target_from_source.model, Model::similarity3);
      EXPECT_NEAR(r.target_from_source.as<Similarity3>().scale, scale, 2e-3 * scale) << r.method;
      expect_near(r, truth, source, 0.2, 2e-3);
    };
    check(EmIcp{.estimate_scale = true});
    check(Softassign{.estimate_scale = true});
  }
}

TEST(SoftProperty, HeldMotionsStay) {
  const PointCloud target = bumpy_surface(points);
  const Transform truth = motion({0, 0, 1}, 25, {0.05, 0.02, 0});
  const PointCloud source = truth.inverse() * target;
  EmIcp options;
  options.free = {false, false, true, true, true, false};
  const Registration r = register_points(source, target, options, on(Machine::cpu));
  expect_near(r, truth, source, 0.1, soft_plateau);
  EXPECT_NEAR(r.target_from_source.matrix(2, 2), 1, held_motion);
  EXPECT_NEAR(r.target_from_source.matrix(2, 3), 0, held_motion);
}

TEST(SoftProperty, AnExpectedOverlapIsMet) {
  // A third of the source has no counterpart.
  const PointCloud whole = bumpy_surface(3000, 11);
  PointCloud target;
  for (const Vec3& p : whole.positions) {
    if (p[0] > whole.positions[0][0] - 10 && p[0] < 0.17) target.positions.push_back(p);
  }
  ASSERT_LT(target.size(), 2600u);
  const double overlap = static_cast<double>(target.size()) / 3000;
  const PointCloud source = motion({0, 1, 1}, -10, {0.02, 0, 0}) * bumpy_surface(3000, 12);
  const Registration r = register_points(source, target, EmIcp{.overlap = overlap, .starts = 1}, on(Machine::cpu));
  EXPECT_NEAR(r.trace.back().used_ratio, overlap, 0.08);
  expect_near(r, motion({0, 1, 1}, -10, {0.02, 0, 0}).inverse(), source, 1, 0.01);
}

TEST(SoftProperty, BadInputIsToldOrRefused) {
  PointCloud line;
  for (int i = 0; i < 50; ++i) line.positions.push_back({0.1 * i, 0, 0});
  const PointCloud good = bumpy_surface(200);
  PointCloud two;
  two.positions = {{0, 0, 0}, {1, 0, 0}};
  PointCloud same;
  same.positions.assign(30, {1, 2, 3});
  for (const PointCloud& bad : {line, two, same}) {
    for (const MethodOptions& method : {MethodOptions(EmIcp{}), MethodOptions(Softassign{})}) {
      const Registration r = register_points(bad, good, method, on(Machine::cpu));
      EXPECT_EQ(r.termination, Termination::degenerate);
      EXPECT_FALSE(r.usable());
      EXPECT_FALSE(r.message.empty());
      EXPECT_TRUE(is_finite(r.target_from_source));
    }
  }
  EXPECT_THROW(register_points(PointCloud{}, good, EmIcp{}, on(Machine::cpu)), InvalidArgument);
  EXPECT_THROW(register_points(good, good, EmIcp{.annealing = 2}, on(Machine::cpu)), InvalidArgument);
  EXPECT_THROW(register_points(good, good, Softassign{.sweeps = 0}, on(Machine::cpu)), InvalidArgument);
}

TEST(SoftProperty, FarApartWithOneStartHasNoCorrespondences) {
  const PointCloud target = bumpy_surface(300);
  const PointCloud source = motion({0, 0, 1}, 0, {500, 0, 0}) * target;
  const Registration r = register_points(source, target, EmIcp{.starts = 1}, on(Machine::cpu));
  EXPECT_EQ(r.termination, Termination::no_correspondences);
  EXPECT_FALSE(r.usable());
}

TEST(SoftProperty, ACallbackStopsTheRunAtThePoseItSaw) {
  const MethodOptions methods[] = {EmIcp{}, Softassign{}};
  for (const MethodOptions& method : methods) {
    auto run = on(Machine::cpu);
    Transform seen;
    int calls = 0;
    run.on_iteration = [&](const Iteration& iteration) {
      seen = iteration.target_from_source;
      return ++calls < 3;
    };
    const Registration r = register_points(soft_source(points), soft_target(points), method, run);
    EXPECT_EQ(r.termination, Termination::stopped_by_callback);
    EXPECT_EQ(r.iterations, 3);
    EXPECT_EQ(r.target_from_source, seen);
  }
}

TEST(SoftProperty, ATimeLimitEndsTheRun) {
  auto run = on(Machine::cpu);
  for (const double limit : {1e-3, 5.0, 40.0}) {
    run.time_limit_ms = limit;
    const Registration r = register_points(soft_source(4000), soft_target(4000), Softassign{}, run);
    EXPECT_EQ(r.termination, Termination::time_limit) << limit;
    EXPECT_TRUE(is_finite(r.target_from_source));
  }
}

}  // namespace
}  // namespace dovetail
