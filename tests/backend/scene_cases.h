// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "backend/backend.h"
#include "prepare/levels.h"
#include "support/shapes.h"

// Many objects searched in one scene: the scene lies in a machine's memory once, and one batch refines all of them.

namespace dovetail::test {

/// Patches of a surface, each moved a little from where it was cut out.
struct SceneCase {
  static constexpr int objects = 20;
  PointCloud scene = bumpy_surface(20'000, 21);
  std::vector<PointCloud> patches;
  std::vector<Rigid3> scene_from_patch;

  SceneCase() {
    const PointCloud other = bumpy_surface(20'000, 22);  // another sampling: no point of a patch is one of the scene
    for (int i = 0; i < objects; ++i) {
      RandomStream random(31, static_cast<std::uint64_t>(i));
      const Vec3 middle = other.positions[random.below(20'000)];
      const Rigid3 truth{exp_so3(0.05 * random.unit_vector()), 0.01 * random.unit_vector()};
      PointCloud& patch = patches.emplace_back();
      for (const Vec3& p : other.positions) {
        if (norm(p - middle) < 0.25) patch.positions.push_back(truth.inverse() * p);
      }
      scene_from_patch.push_back(truth);
    }
  }
};

inline void expect_objects_found_in_one_scene(Backend& backend) {
  const SceneCase c;
  const LevelNeeds needs{true, true, 16};
  const double scale = local_scale(2.0);
  const auto target = std::make_shared<const PreparedCloud>(prepare_cloud(c.scene, scale, OriginPoints::keep));
  const auto scene = make_target_level(target, 0, 3, needs, backend);
  std::vector<Level> levels;
  std::vector<Prepared> prepared;
  Batch<icp::PlaneToPlane> batch;
  icp::LevelPlan& plan = batch.params.level[0];
  plan.first_scale = 0.1;
  plan.last_scale = 0.01;
  plan.anneal = 10;
  plan.tolerance = 1e-7;
  plan.max_iterations = batch.max_iterations = 60;
  batch.params.levels = 1;
  for (const PointCloud& patch : c.patches) {
    const auto source = std::make_shared<const PreparedCloud>(prepare_cloud(patch, scale, OriginPoints::keep));
    prepared.push_back({source, target, scale, 3});
    levels.push_back({make_source_level(source, 0, 3, needs, backend), scene});
    icp::State state;
    state.coarsest = static_cast<std::uint32_t>(levels.size() - 1);
    state.target_from_source = prepared.back().to_local(Transform());
    state.center = state.target_from_source * source->centroid;
    state.radius = source->radius;
    batch.states.push_back(icp::first_state(batch.params, state));
  }
  batch.data = surfaces_of(levels);
  EXPECT_EQ(scene.use_count(), 1 + SceneCase::objects) << "one scene, however many objects";
  for (const SurfacePair& pair : batch.data) {
    EXPECT_EQ(pair.target.points, batch.data.front().target.points) << "one tree in the machine's memory";
    EXPECT_EQ(pair.target_normals.x, batch.data.front().target_normals.x);
  }
  backend.run(batch);
  for (std::size_t i = 0; i < c.patches.size(); ++i) {
    SCOPED_TRACE("object " + std::to_string(i));
    EXPECT_EQ(batch.states[i].status, Status::converged);
    const Transform found = prepared[i].from_local(batch.states[i].target_from_source, Model::rigid3);
    const Rigid3 off = found.as<Rigid3>() * c.scene_from_patch[i].inverse();
    const Vec3 middle = c.scene_from_patch[i] * c.patches[i].positions.front();
    // Two samplings, 0.015 apart, of a surface that bends: normals of 16 neighbours err by about a degree.
    EXPECT_LT(norm(off * middle - middle), 2e-3);
    EXPECT_LT(rotation_angle(off.rotation), 0.02);
  }
}

}  // namespace dovetail::test
