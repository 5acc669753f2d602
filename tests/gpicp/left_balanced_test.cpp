// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "backend/cpu/cpu_backend.h"
#include "dovetail/registration.h"
#include "methods/gpicp.h"
#include "support/shapes.h"

namespace dovetail::test {
namespace {

LocalCloud local(const PointCloud& cloud) {
  LocalCloud points;
  for (const Vec3& p : cloud.positions) {
    points.x.push_back(static_cast<float>(p[0])), points.y.push_back(static_cast<float>(p[1]));
    points.z.push_back(static_cast<float>(p[2]));
  }
  return points;
}

/// Exact searches find the same points in either tree, so that runs are the same to the bit.
TEST(GpicpLeftBalanced, runs_as_with_buckets) {
  const LocalCloud source = local(bumpy_surface(1000, 3)), target = local(bumpy_surface(4000, 4));
  const KdTree tree(target.x, target.y, target.z);
  const LeftBalancedTree left_balanced(tree);
  HostMemory memory;
  gpicp::Data data;
  data.source = {source.x.data(), source.y.data(), source.z.data(), {}, nullptr, 1000};
  data.target = tree.view();
  Batch<gpicp::PointToPoint> batch;
  batch.params.lookup = Lookup::tree;
  batch.params.first_reach = batch.params.last_reach = 10;
  batch.max_iterations = 10;
  gpicp::State s;
  s.radius = 0.5;
  s.target_from_source.rotation = exp_so3(Vec3{0.02, -0.05, 0.04});
  batch.states = {gpicp::first_state(batch.params, data, s)};
  Batch<gpicp::PointToPoint> other = batch;
  batch.data = {data};
  CpuBackend(2).run(batch);
  const Placed<LeftBalancedView> placed = put(memory, left_balanced);
  data.left_balanced = placed.view;
  other.data = {data};
  CpuBackend(2).run(other);
  EXPECT_EQ(batch.states[0].target_from_source.rotation, other.states[0].target_from_source.rotation);
  EXPECT_EQ(batch.states[0].target_from_source.translation, other.states[0].target_from_source.translation);
  EXPECT_EQ(batch.states[0].score, other.states[0].score);
  EXPECT_GT(other.states[0].score, 0.9);
  other.params.lookup = Lookup::depth_first;
  other.states = {gpicp::first_state(other.params, data, s)};
  CpuBackend(2).run(other);
  EXPECT_GT(other.states[0].score, 0.9);
}

TEST(GpicpLeftBalanced, can_be_asked_for) {
  const PointCloud source = bumpy_surface(1500, 3), target = bumpy_surface(2000, 4);
  Gpicp options = gpicp_preset("thesis");
  options.starts_from = StartsFrom::rotations, options.starts = 24;
  EXPECT_EQ(options.tree, SearchTree::left_balanced);
  dovetail::Run run;
  run.machine = Machine::cpu;
  const Registration result = register_points(source, target, options, run);
  EXPECT_LT(rotation_angle_between(result.target_from_source, Transform::identity(Model::rigid3)), 0.05);
}

}  // namespace
}  // namespace dovetail::test
