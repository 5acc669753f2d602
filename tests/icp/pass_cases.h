// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "support/poses.h"
#include "support/problems.h"
#include "support/tolerances.h"

// One pass of a machine against the oracle, for any machine.

namespace dovetail::test {

/// A place a little off the truth, so that residuals are neither zero nor huge.
inline Similarity3 off_by_a_little() { return {exp_so3(Vec3{0.02, -0.03, 0.05}), {0.01, -0.015, 0.008}, 1.0}; }

/// What the kernel and the search do in a pass.
struct PassSetting {
  Kernel kernel = Kernel::none;
  bool on_distance = false;
  bool trimmed = false;
  double flatness = 1e-3;
  double scale = 1.0;  ///< of the pose
  std::string name() const {
    return testing::PrintToString(kernel) + (on_distance ? " on distance" : "") + (trimmed ? " trimmed" : "") +
           " flatness " + std::to_string(flatness) + " scale " + std::to_string(scale);
  }
};

/// The state after one pass, and its sums.
template <class M>
Batch<M> run_one_pass(Backend& backend, const Level& data, const PassSetting& setting) {
  Batch<M> batch;
  batch.data = {data.surfaces()};
  icp::LevelPlan& level = batch.params.level[0];
  level.kernel = setting.kernel;
  level.kernel_on_distance = setting.on_distance;
  level.first_scale = level.last_scale = 0.06;
  level.first_flatness = level.last_flatness = setting.flatness;
  level.max_iterations = 1;
  batch.params.levels = 1;
  batch.params.overlap = 0.8;
  icp::State state;
  state.target_from_source = off_by_a_little();
  state.target_from_source.scale = setting.scale;
  state.center = {0.05, -0.02, 0.01};
  state.radius = 0.4;
  state = icp::first_state(batch.params, state);
  if (setting.trimmed) state.trim_distance = 0.05;
  batch.states = {state};
  backend.run(batch);
  return batch;
}

/// How large rounding may make the difference of one double of the sums.
using Allowed = std::vector<double>;

/// Products of a float weight and local coordinates: relative to their sizes (by Cauchy and Schwarz).
inline Allowed allowed_differences(Metric, const icp::PointSums& sums, double) {
  const Moments& m = sums.moments;
  const double pp = std::sqrt(m.pp.trace()), qq = std::sqrt(m.qq), ww = std::sqrt(m.weight);
  Allowed allowed{plane_terms * ww * ww};
  for (int i = 0; i < 3; ++i) allowed.push_back(plane_terms * ww * pp);
  for (int i = 0; i < 3; ++i) allowed.push_back(plane_terms * ww * qq);
  for (int i = 0; i < 9; ++i) allowed.push_back(plane_terms * pp * qq);
  for (int i = 0; i < 6; ++i) allowed.push_back(plane_terms * pp * pp);
  allowed.push_back(plane_terms * qq * qq);
  return allowed;
}

/// Entries with residuals also carry the moved point's error, as far as the metric's stiffness lets it through.
inline Allowed allowed_differences(Metric metric, const icp::PlaneSums& sums, double flatness) {
  const auto& e = sums.equations;
  const double terms = metric == Metric::plane_to_plane ? flat_terms : plane_terms;
  const double stiffness = metric == Metric::plane_to_plane ? 1 / (2 * flatness) : 1.0;
  const double moved = moved_point * std::sqrt(stiffness * sums.tally.weight), cost = std::sqrt(e.cost);
  Allowed allowed;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) allowed.push_back(terms * std::sqrt(e.jtj(i, i) * e.jtj(j, j)));
  }
  for (int i = 0; i < 6; ++i) allowed.push_back(std::sqrt(e.jtj(i, i)) * (terms * cost + moved));
  allowed.push_back(2 * cost * (terms * cost + moved));
  allowed.push_back(plane_terms * sums.tally.weight);
  return allowed;
}

inline double largest_ratio = 0;  ///< of a difference to what is allowed: how much of the tolerance is used

template <class M>
void expect_same_pass(Backend& machine, const Level& there, Backend& reference, const Level& here,
                      const PassSetting& setting) {
  const Batch<M> found = run_one_pass<M>(machine, there, setting);
  const Batch<M> expected = run_one_pass<M>(reference, here, setting);
  const auto& sums = expected.sums[0];
  Allowed allowed = allowed_differences(M::metric, sums, setting.flatness);
  allowed.push_back(2 * std::sqrt(sums.tally.squared_distance * sums.tally.weight) * moved_point +
                    4 * float_rounding * sums.tally.squared_distance + sums.tally.weight * moved_point * moved_point);
  allowed.push_back(double_sums * sums.tally.weight);
  allowed.push_back(counts);
  ASSERT_EQ(static_cast<int>(allowed.size()), doubles_in<typename M::Sums>);
  for (int k = 0; k < doubles_in<typename M::Sums>; ++k) {
    const double difference = std::abs(as_doubles(found.sums[0])[k] - as_doubles(sums)[k]);
    const double most = allowed[static_cast<std::size_t>(k)];
    EXPECT_LE(difference, most) << "entry " << k << " of " << as_doubles(sums)[k];
    if (most > 0) largest_ratio = std::max(largest_ratio, difference / most);
  }
  // Distances and so their histogram are the same floats everywhere: what follows from it is equal. Whether pairs that
  // barely determine a pose are degenerate is for advance to say (advance_step_test.cpp).
  if (expected.states[0].status != Status::degenerate) {
    EXPECT_EQ(found.states[0].status, expected.states[0].status);
  }
  EXPECT_EQ(found.states[0].used_ratio, expected.states[0].used_ratio);
}

inline std::vector<PassSetting> every_setting() {
  std::vector<PassSetting> settings;
  for (const Kernel kernel : {Kernel::none, Kernel::huber, Kernel::tukey, Kernel::geman_mcclure, Kernel::truncated}) {
    for (const bool on_distance : {false, true}) {
      for (const bool trimmed : {false, true}) settings.push_back({kernel, on_distance, trimmed});
    }
  }
  settings.push_back({Kernel::none, false, false, 1.0});
  settings.push_back({Kernel::geman_mcclure, true, false, 0.01});
  settings.push_back({Kernel::none, false, false, 1e-3, 1.1});
  return settings;
}

/// All metrics over the given settings.
inline void expect_passes_match(Backend& machine, const Problem& problem, const std::vector<PassSetting>& settings) {
  ReferenceBackend reference;
  const Level there = problem.on(machine), here = problem.on(reference);
  for (const PassSetting& setting : settings) {
    SCOPED_TRACE(setting.name());
    expect_same_pass<icp::PointToPoint>(machine, there, reference, here, setting);
    expect_same_pass<icp::PointToPlane>(machine, there, reference, here, setting);
    expect_same_pass<icp::PlaneToPlane>(machine, there, reference, here, setting);
  }
}

/// A source of `size` points and a target of nearly as many.
inline void expect_passes_match(Backend& machine, std::size_t size, bool weighted,
                                const std::vector<PassSetting>& settings) {
  SCOPED_TRACE(std::to_string(size) + (weighted ? " weighted points" : " points"));
  expect_passes_match(machine, bumpy_problem(size, size + 5, weighted), settings);
}

/// Clouds of which every third source normal and every fifth target normal is not known (zero, as a file may have it).
inline Problem problem_with_unknown_normals() {
  PointCloud source = bumpy_surface_with_normals(500, 3), target = bumpy_surface_with_normals(505, 4);
  for (std::size_t i = 0; i < source.size(); i += 3) source.normals[i] = {};
  for (std::size_t i = 0; i < target.size(); i += 5) target.normals[i] = {};
  return one_level_problem(source, target, false);
}

inline void expect_evaluations_match(Backend& machine, std::size_t size) {
  const Problem problem = bumpy_problem(size, size + 5, false);
  ReferenceBackend reference;
  const auto run = [&](Backend& backend) {
    const Level level = problem.on(backend);
    Batch<Evaluation> batch;
    batch.params = {0.03, 0.02, 0.05};
    batch.data = {level.surfaces()};
    Evaluation::State state;
    batch.states = {state, state, state};
    batch.states[1].target_from_source = off_by_a_little();
    batch.states[2].target_from_source.translation = {9, 0, 0};  // nothing near
    backend.run(batch);
    return batch;
  };
  const Batch<Evaluation> found = run(machine), expected = run(reference);
  for (std::size_t s = 0; s < 3; ++s) {
    SCOPED_TRACE(std::to_string(size) + " points, state " + std::to_string(s));
    const Evaluation::Sums &a = found.sums[s], &b = expected.sums[s];
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.inliers, b.inliers);
    EXPECT_EQ(a.overlapping, b.overlapping);
    // A GPU fuses products and sums where a point is moved: distances differ by its rounding, d² by 2d times that.
    EXPECT_NEAR(a.inlier_squared, b.inlier_squared, 2 * moved_point * std::sqrt(b.inlier_squared * b.inliers));
    EXPECT_NEAR(a.agreement, b.agreement, 2 * moved_point / 0.05 * b.points);
    EXPECT_EQ(found.states[s].inlier_ratio, expected.states[s].inlier_ratio);
    EXPECT_NEAR(found.states[s].rmse, expected.states[s].rmse, moved_point);
    EXPECT_TRUE(found.states[s].done);
  }
  EXPECT_EQ(expected.sums[0].points, static_cast<double>(size));
  EXPECT_EQ(expected.sums[2].inliers, 0);
}

}  // namespace dovetail::test
