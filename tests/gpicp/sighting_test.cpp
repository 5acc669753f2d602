// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/sighting.h"

#include <gtest/gtest.h>

namespace dovetail::test {
namespace {

constexpr double step = 0.02;

/// A wall at z = 2 that a sensor at the origin sees.
struct SeenWall {
  std::vector<Vec3> points;
  std::vector<Vec3f> places;
  KdTree tree;
  RangeMap map;
  SeenScene scene;

  static std::vector<Vec3> wall() {
    std::vector<Vec3> all;
    for (int i = -50; i <= 50; ++i) {
      for (int j = -50; j <= 50; ++j) all.push_back({step * i, step * j, 2});
    }
    return all;
  }
  SeenWall() : points(wall()), map(points, {}, step) {
    for (const Vec3& p : points) places.push_back(p.cast<float>());
    tree = KdTree(places);
    scene.tree = tree.view();
    scene.normals.assign(points.size(), Vec3{0, 0, -1});
    scene.owner.assign(points.size(), -1);
    scene.map = &map;
  }
};

/// A small square plate that faces the sensor.
std::vector<SurfacePoint> plate(const Vec3& normal = {0, 0, -1}, bool at_edge = false) {
  std::vector<SurfacePoint> points;
  for (int i = -5; i <= 5; ++i) {
    for (int j = -5; j <= 5; ++j) points.push_back({{step * i, step * j, 0}, normal, at_edge});
  }
  return points;
}

Similarity3 at(double x, double z) { return {Mat3::identity(), {x, 0, z}, 1.0}; }

constexpr SightingSettings settings{.tolerance = 0.03, .near = 0.04, .self_depth = 0.1, .normals_point_out = true};

TEST(Sighting, tells_explained_contradicted_and_hidden_apart) {
  const SeenWall wall;
  const Sighting on = sight(plate(), at(0, 2), wall.scene, settings);
  EXPECT_EQ(on.explained, on.asked);
  EXPECT_EQ(on.purity(), 1);
  const Sighting before = sight(plate(), at(0, 1.5), wall.scene, settings);
  EXPECT_EQ(before.contradicted, before.asked);
  const Sighting behind = sight(plate(), at(0, 2.5), wall.scene, settings);
  EXPECT_EQ(behind.hidden, behind.asked);
  const Sighting turned_away = sight(plate({0, 0, 1}), at(0, 2), wall.scene, settings);
  EXPECT_EQ(turned_away.hidden, turned_away.asked);
}

TEST(Sighting, what_faces_another_way_is_missing_but_at_edges) {
  const SeenWall wall;
  const Vec3 aslant{0.8, 0, -0.6};
  const Sighting flat = sight(plate(aslant), at(0, 2), wall.scene, settings);
  EXPECT_EQ(flat.missing, flat.asked);
  const Sighting edge = sight(plate(aslant, true), at(0, 2), wall.scene, settings);
  EXPECT_EQ(edge.missing, 0);
  EXPECT_EQ(edge.hidden, edge.asked);
}

TEST(Sighting, beside_the_border_of_what_was_seen_nothing_is_contradicted) {
  const SeenWall wall;
  // Half of the plate is before the wall's border, half beside it.
  const Sighting border = sight(plate(), at(0.5, 1), wall.scene, settings);
  EXPECT_GT(border.contradicted, 0.2 * border.asked);
  EXPECT_GT(border.hidden, 0.2 * border.asked);
  EXPECT_EQ(border.explained, 0);
}

TEST(SurfaceIndex, knows_where_a_surface_bends) {
  std::vector<SurfacePoint> corner = plate();
  for (int i = -5; i <= 5; ++i) {
    for (int k = 1; k <= 10; ++k) corner.push_back({{5 * step, step * i, step * k}, {1, 0, 0}});
  }
  const SurfaceIndex index(corner);
  EXPECT_TRUE(index.bends_near({{5 * step, 0, 0}, {0, 0, -1}}, 1.5 * step));
  EXPECT_FALSE(index.bends_near({{0, 0, 0}, {0, 0, -1}}, 1.5 * step));
  EXPECT_TRUE(index.bends_near({{0, 0, 0}, {0, 0, -1}}, 6 * step));
}

}  // namespace
}  // namespace dovetail::test
