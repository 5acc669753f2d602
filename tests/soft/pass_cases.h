// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/reference/reference_backend.h"
#include "soft/soft_cases.h"

// Passes of a machine against the oracle, for any machine.

namespace dovetail::test {

/// What a pass is asked for.
struct SoftSetting {
  double sigma = 0.1;
  bool square_roots = false;
  int sweeps = 0;
  double outlier_distance = 0;  ///< 0: it follows σ
  double scale = 1;
  double tolerance = 1e-6;
  Vec3 shift{};

  std::string name() const {
    return "sigma " + std::to_string(sigma) + (square_roots ? " roots" : "") + " sweeps " + std::to_string(sweeps) +
           " outliers from " + std::to_string(outlier_distance) + " scale " + std::to_string(scale) + " tolerance " +
           std::to_string(tolerance) + " shift " + std::to_string(shift[0]);
  }
};

/// A source of `size` points and a target of nearly as many, with every cluster tree.
inline Problem soft_problem(std::size_t size, bool weighted) {
  return one_level_problem(bumpy_surface(size, 3), bumpy_surface(size + 5, 4), weighted);
}
using Clusters = LevelNeeds::Clusters;
inline Level soft_level(const Problem& problem, Clusters clusters, Backend& backend) {
  return problem.on(backend, {.clusters = clusters});
}

/// One pose update: a pass, or with sweeps 2 sweeps + 1 of them.
inline Batch<soft::Soft> run_one_update(Backend& backend, const Level& level, const SoftSetting& setting) {
  Batch<soft::Soft> batch;
  batch.data = {level.soft_data()};
  soft::Params& params = batch.params;
  params.levels = 1;
  params.square_roots = setting.square_roots;
  params.sweeps = setting.sweeps;
  params.outlier_distance = setting.outlier_distance;
  params.tolerance = setting.tolerance;
  params.model.estimate_scale = setting.scale != 1;
  params.scale_sigma = 10;
  params.level[0].first_sigma = params.level[0].last_sigma = setting.sigma;
  params.level[0].max_iterations = 1;
  batch.max_iterations = 2 * setting.sweeps + 1;
  soft::State state;
  state.target_from_source = {exp_so3(Vec3{0.02, -0.03, 0.05}), setting.shift + Vec3{0.01, -0.015, 0.008},
                              setting.scale};
  state.center = {0.05, -0.02, 0.01};
  state.radius = 0.4;
  batch.states = {soft::first_state(params, state)};
  backend.run(batch);
  return batch;
}

inline void expect_same_update(Backend& machine, const Level& there, Backend& reference, const Level& here,
                               const SoftSetting& setting) {
  SCOPED_TRACE(setting.name());
  const Batch<soft::Soft> found = run_one_update(machine, there, setting);
  SoftSetting exact = setting;
  exact.tolerance = 0;
  const Batch<soft::Soft> expected = run_one_update(reference, here, exact);
  const soft::Sums &a = found.sums[0], &b = expected.sums[0];
  // A weight's exponent d²/σ² carries the moved point's error times 2d/σ²; those of weight lie within some σ.
  const double weights = soft_weights + 8 * moved_point / setting.sigma;
  const double pull = weights * setting.sigma + moved_point;  // of a virtual point
  const double rows = std::max(1.0, b.rows);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_NEAR(a.moments.weight, b.moments.weight, weights * rows);
  EXPECT_NEAR(a.log_sum, b.log_sum, weights * rows);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.moments.p[i], b.moments.p[i], weights * rows);
    EXPECT_NEAR(a.moments.q[i], b.moments.q[i], (weights + pull) * rows);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.moments.qp(i, j), b.moments.qp(i, j), (weights + pull) * rows);
  }
  EXPECT_NEAR(a.moments.qq, b.moments.qq, 3 * (weights + pull) * rows);
  const double farthest = std::sqrt(b.squared_distance / std::max(b.moments.weight, 1e-12)) + setting.sigma;
  EXPECT_NEAR(a.squared_distance, b.squared_distance, 4 * farthest * (weights * farthest + pull) * rows);
  EXPECT_EQ(found.states[0].iteration, expected.states[0].iteration);
}

/// From wide weights, where everything is summarised, to ones that reach the nearest point only; far away too.
inline std::vector<SoftSetting> soft_settings() {
  std::vector<SoftSetting> settings;
  for (const double sigma : {3.0, 0.5, 0.15, 0.05, 0.02, 0.004}) {
    settings.push_back({.sigma = sigma});
    settings.push_back({.sigma = sigma, .square_roots = true});
    settings.push_back({.sigma = sigma, .sweeps = 2});
    settings.push_back({.sigma = sigma, .tolerance = 0});
  }
  settings.push_back({.sigma = 0.02, .outlier_distance = 0.5});
  settings.push_back({.sigma = 0.02, .outlier_distance = 0.5, .shift = {0.3, 0.2, 0.1}});  // weights underflow
  settings.push_back({.sigma = 0.02, .square_roots = true, .outlier_distance = 0.5, .shift = {0.3, 0.2, 0.1}});
  settings.push_back({.sigma = 0.05, .sweeps = 3, .scale = 1.2});
  settings.push_back({.sigma = 0.05, .scale = 0.8});
  return settings;
}

/// Every setting, against the oracle or a machine that has been compared with it.
inline void expect_updates_match(Backend& machine, Backend& reference, std::size_t size, bool weighted) {
  for (const Clusters clusters : {Clusters::target, Clusters::both}) {
    const Problem problem = soft_problem(size, weighted);
    const Level there = soft_level(problem, clusters, machine), here = soft_level(problem, clusters, reference);
    for (const SoftSetting& setting : soft_settings()) {
      if ((setting.sweeps > 0) != (clusters == Clusters::both)) continue;
      expect_same_update(machine, there, reference, here, setting);
    }
  }
}
inline void expect_updates_match(Backend& machine, std::size_t size, bool weighted) {
  ReferenceBackend reference;
  expect_updates_match(machine, reference, size, weighted);
}

}  // namespace dovetail::test
