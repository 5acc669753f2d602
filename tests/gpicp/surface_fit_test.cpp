// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/surface_fit.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/random.h"
#include "dovetail/rotation.h"

namespace dovetail::test {
namespace {

constexpr double step = 0.025, noise = 0.002;

/// The three sides of a unit cube that lie in the coordinate planes.
SurfaceTree corner_of_cube() {
  const Vec3 o{}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  std::vector<SurfacePiece> sides;
  for (const auto& [a, b] : {std::pair{x, y}, {y, z}, {z, x}}) {
    sides.push_back({o, a, b});
    sides.push_back({a, a + b, b});
  }
  return {SurfaceTree::Kind::triangles, std::move(sides)};
}

/// Points of it as a scene, with noise.
struct SeenCorner {
  std::vector<Vec3f> places;
  KdTree tree;
  SeenScene scene;
  Sighting sighting;

  SeenCorner() {
    RandomStream random(1, 2);
    std::vector<Vec3> normals;
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 1; i < 40; ++i) {
        for (int j = 1; j < 40; ++j) {
          Vec3 p{}, n{};
          n[axis] = 1;
          p[(axis + 1) % 3] = step * i, p[(axis + 2) % 3] = step * j;
          p[axis] = noise * (random.uniform(-1, 1) + random.uniform(-1, 1) + random.uniform(-1, 1));  // σ = noise
          places.push_back(p.cast<float>());
          normals.push_back(n);
        }
      }
    }
    tree = KdTree(places);
    scene.tree = tree.view();
    for (const TreePoint& p : tree.points()) scene.normals.push_back(normals[p.index]);
    scene.owner.assign(places.size(), -1);
    scene.noise = noise;
    sighting.slots.resize(places.size());
    std::iota(sighting.slots.begin(), sighting.slots.end(), 0u);
    sighting.around = sighting.slots;
  }
};

constexpr SightingSettings settings{.tolerance = 0.03, .near = 0.04, .self_depth = 0.1, .normals_point_out = true};

Similarity3 a_little_off() { return {exp_so3(Vec3{0.01, -0.015, 0.01}), {0.008, -0.006, 0.01}, 1.0}; }

TEST(SurfaceFit, tells_the_noise_of_a_scene) {
  const SeenCorner seen;
  // The median of 2,000 distances is known to a twentieth; neighbours around the edges add a little.
  EXPECT_NEAR(noise_of(seen.scene, step), noise, 0.2 * noise);
}

TEST(SurfaceFit, finds_the_pose_that_points_tell) {
  const SeenCorner seen;
  const Similarity3 pose = fitted_to_surface(corner_of_cube(), seen.sighting, seen.scene, a_little_off(), settings);
  // Some 1,500 points a face: a plane is known to noise / √1,500 = 5e-5, its tilt to 5e-5 / 0.29 = 1.8e-4, and where
  // the three meet, half a side from their middles, to 2.5e-4. Three deviations.
  EXPECT_LT(rotation_angle(pose.rotation), 7e-4);
  EXPECT_LT(norm(pose.translation), 7.5e-4);
}

TEST(SurfaceFit, what_points_do_not_tell_stays) {
  SeenCorner seen;
  // The middle of the face z = 0 alone: shifts along it and the turn about z are free.
  const auto inner = [](float v) { return v > 0.2f && v < 0.8f; };
  std::erase_if(seen.sighting.around, [&](std::uint32_t slot) {
    const TreePoint& p = seen.scene.tree.points[slot];
    return seen.scene.normals[slot][2] != 1 || !inner(p.x) || !inner(p.y);
  });
  const Similarity3 first{exp_so3(Vec3{0, 0, 0.02}), {0.01, 0.01, 0.01}, 1.0};
  const Similarity3 pose = fitted_to_surface(corner_of_cube(), seen.sighting, seen.scene, first, settings);
  // 576 points: 8e-5 in the middle, the tilt 8e-5 / 0.17, half a side away. Three deviations.
  EXPECT_LT(std::abs(pose.translation[2]), 1.1e-3);
  // The plane's tilt, noise / 0.17 / √576, times how far it moved: far less than a hundredth of the shift.
  EXPECT_NEAR(pose.translation[0], 0.01, 1e-4);
  EXPECT_NEAR(pose.translation[1], 0.01, 1e-4);
}

TEST(SurfaceFit, misfit_tells_noise_from_another_surface) {
  const SeenCorner seen;
  const SurfaceTree cube = corner_of_cube();
  const SurfaceMisfit right = misfit_of(cube, seen.sighting, seen.scene, {Mat3::identity(), {}, 1.0}, settings);
  EXPECT_NEAR(right.rms, noise, 0.1 * noise);
  EXPECT_LT(right.off, 0.01);  // beyond three deviations
  const SurfaceMisfit off = misfit_of(cube, seen.sighting, seen.scene, a_little_off(), settings);
  EXPECT_GT(off.rms, 3 * noise);
  EXPECT_GT(off.off, 0.3);
}

TEST(SurfaceFit, without_points_the_pose_stays) {
  SeenCorner seen;
  seen.sighting.around.clear();
  const Similarity3 pose = fitted_to_surface(corner_of_cube(), seen.sighting, seen.scene, a_little_off(), settings);
  EXPECT_EQ(norm(pose.translation - a_little_off().translation), 0);
}

}  // namespace
}  // namespace dovetail::test
