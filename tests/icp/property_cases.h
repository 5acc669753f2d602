// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include "dovetail/error.h"
#include "dovetail/prepare.h"
#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/tolerances.h"

// What has to hold for every metric on every machine.

namespace dovetail::test {

inline Icp with_metric(Metric metric) {
  Icp icp;
  icp.metric = metric;
  return icp;
}

inline double exact_tolerance(Metric metric) {
  return metric == Metric::point_to_point ? exact_pairs_linear : exact_pairs;
}

/// A motion within reach of the default options, and with it the truth of most tests here.
inline Transform known_motion() { return motion({1, -2, 3}, 25, {0.12, -0.08, 0.1}); }

/// The source is the target moved back: every point has its exact counterpart.
inline void expect_recovers(Machine machine, Metric metric, const PointCloud& target, const Transform& truth) {
  const PointCloud source = truth.inverse() * target;
  const Registration r = register_points(source, target, with_metric(metric), on(machine));
  EXPECT_EQ(r.termination, Termination::converged) << r.message;
  expect_near(r, truth, source, exact_tolerance(metric) / degree, exact_tolerance(metric));
  EXPECT_GT(r.inlier_ratio, 0.999);
  EXPECT_LT(r.rmse, exact_tolerance(metric));
}

inline void expect_recovers_shapes(Machine machine, Metric metric, std::size_t count) {
  {
    SCOPED_TRACE("bumpy surface");
    expect_recovers(machine, metric, bumpy_surface(count), known_motion());
  }
  {
    SCOPED_TRACE("bumpy sphere");
    expect_recovers(machine, metric, bumpy_sphere(count), known_motion());
  }
  {
    SCOPED_TRACE("box corner");
    expect_recovers(machine, metric, box_corner(count), known_motion());
  }
  {
    SCOPED_TRACE("curve");
    expect_recovers(machine, metric, curve(count), motion2(20, 0.08, -0.05));
  }
}

/// Two samplings of one surface: the answer is as good as the sampling, which `tolerance` says.
inline Registration registered_samplings(Machine machine, const Icp& icp, std::size_t count, Transform* truth,
                                         PointCloud* source) {
  const PointCloud target = bumpy_surface(count, 11);
  *truth = known_motion();
  *source = truth->inverse() * bumpy_surface(count, 12);
  return register_points(*source, target, icp, on(machine));
}

/// Moving both clouds moves the answer: T' = B T A⁻¹ for source A s and target B t.
inline void expect_equivariant(Machine machine, Metric metric, std::size_t count) {
  const PointCloud target = bumpy_surface(count, 11), source = known_motion().inverse() * bumpy_surface(count, 12);
  // Half turns about the axes: boxes and voxel grids stay aligned, so that both runs see the same voxels.
  const Transform a = motion({0, 0, 1}, 180, {3, -1, 2}), b = motion({1, 0, 0}, 180, {-40, 20, 10});
  const Icp icp = with_metric(metric);
  const Registration plain = register_points(source, target, icp, on(machine));
  Run run = on(machine);
  run.start = b * a.inverse();
  const Registration moved = register_points(a * source, b * target, icp, run);
  EXPECT_LT(distance_off(b.inverse() * moved.target_from_source * a, plain.target_from_source, source), same_data);

  // Any motion: voxels fall elsewhere, but the finest level has all points and ends at the same place, point_to_point
  // in the same neighbourhood.
  const double tolerance = metric == Metric::point_to_point ? point_plateau : same_data;
  const Transform c = motion({1, 2, -1}, 77, {0.3, 5, -2});
  run.start = c * c.inverse();
  const Registration turned = register_points(c * source, c * target, icp, run);
  EXPECT_LT(distance_off(c.inverse() * turned.target_from_source * c, plain.target_from_source, source), tolerance);
}

inline void expect_order_does_not_matter(Machine machine, Metric metric, std::size_t count) {
  const PointCloud target = bumpy_surface(count, 11), source = known_motion().inverse() * bumpy_surface(count, 12);
  const Icp icp = with_metric(metric);
  const Registration plain = register_points(source, target, icp, on(machine));
  const Registration other = register_points(shuffled(source, 5), shuffled(target, 6), icp, on(machine));
  EXPECT_LT(distance_off(other.target_from_source, plain.target_from_source, source), same_data);
  EXPECT_EQ(other.inlier_ratio, plain.inlier_ratio);
}

/// Every length times a thousand: the same turn, a thousand times the shift.
inline void expect_scale_free(Machine machine, Metric metric, std::size_t count) {
  const PointCloud target = bumpy_surface(count, 11), source = known_motion().inverse() * bumpy_surface(count, 12);
  const Icp icp = with_metric(metric);
  const Registration plain = register_points(source, target, icp, on(machine));
  for (const double factor : {1000.0, 1e-3}) {
    const Registration r = register_points(scaled(source, factor), scaled(target, factor), icp, on(machine));
    Transform back = r.target_from_source;
    for (int i = 0; i < 3; ++i) back.matrix(i, 3) /= factor;
    EXPECT_LT(distance_off(back, plain.target_from_source, source), same_data) << factor;
    EXPECT_NEAR(r.rmse, factor * plain.rmse, factor * same_data);
    EXPECT_NEAR(r.inlier_ratio, plain.inlier_ratio, 1e-3) << "a point at the very edge of being an inlier may differ";
  }
}

}  // namespace dovetail::test
