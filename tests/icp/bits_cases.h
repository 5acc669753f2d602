// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "icp/property_cases.h"
#include "register/backend_of_run.h"
#include "search/icp_levels.h"

// The same bits, whatever runs beside or around.

namespace dovetail::test {

/// 3,000 points against 3,500, far enough off that nothing ends at once.
inline PointCloud bits_source() { return known_motion().inverse() * bumpy_surface(3000, 12); }
inline PointCloud bits_target() { return bumpy_surface(3500, 11); }

/// Everything that follows from the passes, bit for bit.
inline void expect_same_bits(const Registration& a, const Registration& b) {
  EXPECT_EQ(a.target_from_source, b.target_from_source);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.termination, b.termination);
  EXPECT_EQ(a.rmse, b.rmse);
  EXPECT_EQ(a.inlier_ratio, b.inlier_ratio);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.covariance, b.covariance);
  EXPECT_EQ(a.margin, b.margin);
  ASSERT_EQ(a.alternatives.size(), b.alternatives.size());
  for (std::size_t i = 0; i < a.alternatives.size(); ++i) {
    EXPECT_EQ(a.alternatives[i].target_from_source, b.alternatives[i].target_from_source);
  }
}

inline void expect_repeats(Machine machine, Metric metric) {
  const Icp icp = with_metric(metric);
  const Registration first = register_points(bits_source(), bits_target(), icp, on(machine));
  for (int i = 0; i < 2; ++i) {
    expect_same_bits(register_points(bits_source(), bits_target(), icp, on(machine)), first);
  }
}

/// Watching a run does not change it: with a callback, a cancel flag and a far deadline.
inline void expect_watching_changes_nothing(Machine machine, Metric metric) {
  const Icp icp = with_metric(metric);
  const Registration plain = register_points(bits_source(), bits_target(), icp, on(machine));
  Run run = on(machine);
  const std::atomic<bool> cancel{false};
  std::vector<Iteration> seen;
  run.on_iteration = [&](const Iteration& iteration) {
    seen.push_back(iteration);
    return true;
  };
  run.cancel = &cancel;
  run.time_limit_ms = 1e7;
  const Registration watched = register_points(bits_source(), bits_target(), icp, run);
  expect_same_bits(watched, plain);
  ASSERT_EQ(watched.trace.size(), plain.trace.size());
  ASSERT_EQ(seen.size(), watched.trace.size()) << "called after every iteration, the last one too";
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].target_from_source, plain.trace[i].target_from_source) << i;
    EXPECT_EQ(seen[i].rmse, plain.trace[i].rmse) << i;
  }
}

/// Every state of a batch ends with the bits it ends with alone.
inline void expect_the_batch_changes_nothing(Machine machine, Metric metric) {
  const BackendOfRun backend(on(machine));
  const Prepared prepared = prepare_clouds(bits_source(), bits_target(), {});
  const IcpPlan plan = make_icp_plan(with_metric(metric), prepared);
  const std::vector<Level> levels = make_levels(prepared, plan.voxels, plan.needs, *backend);
  const Similarity3 start = prepared.to_local(Transform());
  const std::vector<IcpStart> starts = starts_nearby(start, prepared, plan.params.free, 6);
  const Vec3 center = start * prepared.source->centroid;
  const auto ends = [&](const std::vector<IcpStart>& run) {
    IcpJourney journey;
    journey.data = surfaces_of(levels);
    for (const IcpStart& s : run) journey.states.push_back(start_state(plan, prepared, s, center));
    run_levels(journey, plan, plan.params.levels, *backend, {});
    return journey.states;
  };
  const std::vector<icp::State> together = ends(starts);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const icp::State alone = ends({starts[i]}).front();
    EXPECT_EQ(alone.target_from_source.matrix(), together[i].target_from_source.matrix()) << "start " << i;
    EXPECT_EQ(alone.iteration, together[i].iteration);
    EXPECT_EQ(alone.rmse, together[i].rmse);
  }
}

}  // namespace dovetail::test
