// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <atomic>
#include <limits>

#include "icp/property_cases.h"

// Stopping a run from outside, and what is recorded of it.

namespace dovetail {
namespace {

using namespace test;

class Controlled : public testing::TestWithParam<Metric> {
 protected:
  PointCloud target = bumpy_surface(3000, 11);
  PointCloud source = known_motion().inverse() * bumpy_surface(3000, 12);
  Icp icp = with_metric(GetParam());
  dovetail::Run run = on(Machine::cpu);

  /// How well a pose fits: a run that was cut short must not end worse than it began.
  double score_at(const Transform& pose) const { return evaluate_pose(source, target, pose, on(Machine::cpu)).score; }
};
INSTANTIATE_TEST_SUITE_P(Metrics, Controlled,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(Controlled, ACallbackStopsTheRunAtThePoseItSaw) {
  const Registration whole = register_points(source, target, icp, run);
  ASSERT_GT(whole.iterations, 8);
  Transform seen;
  int calls = 0;
  run.on_iteration = [&](const Iteration& iteration) {
    seen = iteration.target_from_source;
    return ++calls < 5;
  };
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.termination, Termination::stopped_by_callback);
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(r.iterations, 5);
  EXPECT_EQ(r.trace.size(), 5u);
  EXPECT_EQ(r.target_from_source, seen);
  EXPECT_EQ(seen, whole.trace[4].target_from_source);
}

TEST_P(Controlled, ACancelFlagStopsTheRun) {
  const std::atomic<bool> cancel{true};
  run.cancel = &cancel;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.termination, Termination::stopped_by_callback);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_TRUE(is_finite(r.target_from_source));
  EXPECT_FALSE(r.message.empty());
}

TEST_P(Controlled, ACancelFlagSetOnTheWayStopsTheRun) {
  std::atomic<bool> cancel{false};
  run.cancel = &cancel;
  run.on_iteration = [&](const Iteration& iteration) {
    if (iteration.iteration == 2) cancel = true;
    return true;
  };
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.termination, Termination::stopped_by_callback);
  EXPECT_EQ(r.iterations, 3);
}

TEST_P(Controlled, ATimeLimitEndsTheRunWithAPoseNoWorseThanTheStart) {
  run.start = motion({0, 0, 1}, 30, {0.01, 0.01, 0}) * known_motion();
  const double before = score_at(*run.start);
  // From "before anything" to "never", in steps that end it in every phase of the run; how far it comes is up to the
  // machine, what it gives back is not.
  for (double limit = 1e-3; limit < 2000; limit *= 2.5) {
    run.time_limit_ms = limit;
    const Registration r = register_points(source, target, icp, run);
    if (r.termination == Termination::time_limit) {
      EXPECT_GE(score_at(r.target_from_source), before - 1e-9)
          << "limit " << limit << " ms, " << r.iterations << " iterations";
    } else {
      EXPECT_EQ(r.termination, Termination::converged);
    }
  }
}

TEST_P(Controlled, TheTraceTellsEveryIteration) {
  const Registration r = register_points(source, target, icp, run);
  ASSERT_EQ(r.trace.size(), static_cast<std::size_t>(r.iterations));
  int level = 0;
  for (int i = 0; i < r.iterations; ++i) {
    const Iteration& row = r.trace[static_cast<std::size_t>(i)];
    EXPECT_EQ(row.iteration, i);
    EXPECT_GE(row.level, level) << "levels only become finer";
    EXPECT_LE(row.level, level + 1);
    level = row.level;
    EXPECT_GT(row.used_ratio, 0);
    EXPECT_LE(row.used_ratio, 1);
    EXPECT_LE(row.rmse, row.max_distance) << "pairs farther apart were not used, iteration " << i;
  }
  EXPECT_EQ(r.trace.front().level, 0);
  EXPECT_EQ(r.trace.back().target_from_source, r.target_from_source);
  run.trace = false;
  const Registration quiet = register_points(source, target, icp, run);
  EXPECT_TRUE(quiet.trace.empty());
  EXPECT_EQ(quiet.target_from_source, r.target_from_source);
}

/// The schedule of a run with one level begins with pairs up to three times the radius: so the first row says.
TEST_P(Controlled, ARowTellsWhatItsOwnIterationUsed) {
  icp.levels = 1;
  icp.starts = 1;
  const Registration r = register_points(source, target, icp, run);
  Vec3 mean = centroid(source);
  double square = 0;
  for (const Vec3& p : source.positions) square += squared_norm(p - mean);
  const double radius = std::sqrt(square / static_cast<double>(source.size()));
  EXPECT_NEAR(r.trace.front().max_distance, 3 * radius, 1e-5 * radius);
}

TEST_P(Controlled, MaxIterationsLimitsTheFinestLevel) {
  icp.levels = 1;
  icp.starts = 1;
  icp.tolerance = std::numeric_limits<double>::min();
  icp.max_iterations = 1;
  const Registration few = register_points(source, target, icp, run);
  icp.max_iterations = 4;
  const Registration more = register_points(source, target, icp, run);
  EXPECT_EQ(few.termination, Termination::max_iterations);
  EXPECT_EQ(more.iterations, few.iterations + 3) << "beyond the iterations that anneal";
  EXPECT_TRUE(few.usable());
}

}  // namespace
}  // namespace dovetail
