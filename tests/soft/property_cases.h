// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>

#include "soft/soft_cases.h"

// What has to hold for both soft methods on every machine.

namespace dovetail::test {

inline Transform far_motion() { return motion({1, -2, 3}, 130, {0.12, -0.08, 0.1}); }

/// The source is the target moved back: every point has its exact counterpart. The last σ is a spacing wide, so what a
/// point pulls towards is a mean over its neighbours too.
template <class Options>
void expect_soft_recovery(Machine machine, const Options& options, std::size_t count) {
  for (const auto& [target, truth] : {std::pair{bumpy_surface(count), far_motion()},
                                      {box_corner(count), far_motion()},
                                      {curve(count), motion2(150, 0.08, -0.05)}}) {
    const PointCloud source = truth.inverse() * target;
    const Registration r = register_points(source, target, options, on(machine));
    EXPECT_TRUE(r.usable()) << r.message;
    EXPECT_TRUE(r.termination == Termination::converged || r.termination == Termination::schedule_finished);
    expect_near(r, truth, source, 0.1, soft_plateau);
    EXPECT_GT(r.inlier_ratio, 0.99);
  }
}

inline PointCloud soft_target(std::size_t count) { return bumpy_surface(count, 11); }
inline PointCloud soft_source(std::size_t count) { return far_motion().inverse() * bumpy_surface(count, 12); }

/// Moving both clouds moves the answer.
template <class Options>
void expect_soft_equivariance(Machine machine, const Options& options, std::size_t count) {
  const PointCloud target = soft_target(count), source = soft_source(count);
  const Transform a = motion({0, 0, 1}, 180, {3, -1, 2}), b = motion({1, 0, 0}, 180, {-40, 20, 10});
  const Registration plain = register_points(source, target, options, on(machine));
  Run run = on(machine);
  run.start = b * a.inverse();
  const Registration moved = register_points(a * source, b * target, options, run);
  EXPECT_LT(distance_off(b.inverse() * moved.target_from_source * a, plain.target_from_source, source), soft_plateau);
}

template <class Options>
void expect_soft_order_does_not_matter(Machine machine, const Options& options, std::size_t count) {
  const PointCloud target = soft_target(count), source = soft_source(count);
  const Registration plain = register_points(source, target, options, on(machine));
  const Registration other = register_points(shuffled(source, 5), shuffled(target, 6), options, on(machine));
  EXPECT_LT(distance_off(other.target_from_source, plain.target_from_source, source), same_data);
}

template <class Options>
void expect_soft_scale_free(Machine machine, const Options& options, std::size_t count) {
  const PointCloud target = soft_target(count), source = soft_source(count);
  const Registration plain = register_points(source, target, options, on(machine));
  for (const double factor : {1000.0, 1e-3}) {
    const Registration r = register_points(scaled(source, factor), scaled(target, factor), options, on(machine));
    Transform back = r.target_from_source;
    for (int i = 0; i < 3; ++i) back.matrix(i, 3) /= factor;
    EXPECT_LT(distance_off(back, plain.target_from_source, source), same_data) << factor;
  }
}

inline void expect_same_soft_bits(const Registration& a, const Registration& b) {
  EXPECT_EQ(a.target_from_source, b.target_from_source);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.termination, b.termination);
  EXPECT_EQ(a.rmse, b.rmse);
  EXPECT_EQ(a.margin, b.margin);
  EXPECT_EQ(a.covariance, b.covariance);
}

template <class Options>
void expect_soft_repeats(Machine machine, const Options& options, std::size_t count) {
  const Registration first = register_points(soft_source(count), soft_target(count), options, on(machine));
  expect_same_soft_bits(register_points(soft_source(count), soft_target(count), options, on(machine)), first);
}

/// Watching a run does not change it.
template <class Options>
void expect_watching_soft_changes_nothing(Machine machine, const Options& options, std::size_t count) {
  const Registration plain = register_points(soft_source(count), soft_target(count), options, on(machine));
  Run run = on(machine);
  const std::atomic<bool> cancel{false};
  std::vector<Iteration> seen;
  run.on_iteration = [&](const Iteration& iteration) {
    seen.push_back(iteration);
    return true;
  };
  run.cancel = &cancel;
  run.time_limit_ms = 1e7;
  const Registration watched = register_points(soft_source(count), soft_target(count), options, run);
  expect_same_soft_bits(watched, plain);
  ASSERT_EQ(watched.trace.size(), plain.trace.size());
  ASSERT_EQ(static_cast<int>(plain.trace.size()), plain.iterations) << "one row a pose update, whatever the sweeps";
  ASSERT_EQ(seen.size(), watched.trace.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].target_from_source, plain.trace[i].target_from_source) << i;
    EXPECT_EQ(seen[i].sigma, plain.trace[i].sigma) << i;
    EXPECT_GT(seen[i].sigma, 0);
  }
}

/// Two machines on one pair of clouds.
template <class Options>
void expect_machines_agree(Machine one, Machine other, const Options& options, std::size_t count) {
  const Registration a = register_points(soft_source(count), soft_target(count), options, on(one));
  const Registration b = register_points(soft_source(count), soft_target(count), options, on(other));
  EXPECT_LT(distance_off(a.target_from_source, b.target_from_source, soft_source(count)), same_data);
  EXPECT_NEAR(a.rmse, b.rmse, same_data);
  ASSERT_TRUE(a.confidence && b.confidence);
  EXPECT_NEAR(*a.confidence, *b.confidence, same_confidence);
}

}  // namespace dovetail::test
