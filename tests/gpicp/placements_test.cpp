// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "gpicp/gpicp_cases.h"

namespace dovetail::test {
namespace {

using gpicp::OrientedPoint;
using gpicp::Placements;
using gpicp::SurfaceCells;

Vec3 vec(const float* v) { return {double{v[0]}, double{v[1]}, double{v[2]}}; }

TEST(Placements, put_point_on_point_and_normal_on_normal) {
  RandomStream random(1, 1);
  Placements::Params p;
  for (int k = 0; k < 200; ++k) {
    const OrientedPoint from = PlacementScene::oriented(random.unit_vector(), random.unit_vector());
    const OrientedPoint onto = PlacementScene::oriented(random.unit_vector(), random.unit_vector());
    const float turn = static_cast<float>(random.uniform(0, p.turns));
    for (const bool back : {false, true}) {
      const Similarity3 pose = Placements::pose_of(p, from, onto, turn, back);
      EXPECT_NEAR(norm(pose * vec(from.point) - vec(onto.point)), 0, 1e-12);
      EXPECT_NEAR(dot(pose.rotation * vec(from.normal), vec(onto.normal)), back ? -1 : 1, 1e-6);  // floats
      const Mat3 unit = pose.rotation * transpose(pose.rotation);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(unit[i], i % 4 == 0 ? 1 : 0, 1e-6);
    }
  }
}

TEST(Placements, in_the_plane_are_motions_of_the_plane) {
  Placements::Params p;
  p.dimension = 2, p.turns = 1;
  const OrientedPoint from = PlacementScene::oriented({1, 2, 0}, {0.6, 0.8, 0}),
                      onto = PlacementScene::oriented({-3, 1, 0}, {-1, 0.2, 0});
  for (const bool back : {false, true}) {
    const Similarity3 pose = Placements::pose_of(p, from, onto, 0, back);
    EXPECT_NEAR(pose.rotation(2, 2), 1, 1e-6);
    EXPECT_NEAR(norm(pose * vec(from.point) - vec(onto.point)), 0, 1e-12);
  }
}

TEST(SurfaceCells, keep_nearness_and_normal_in_32_bits) {
  const float n[3] = {0.6f, -0.8f, 0.0f}, along[3] = {0.8f, 0.6f, 0.0f}, opposed[3] = {-0.6f, 0.8f, 0.0f};
  SurfaceCells cells;
  const std::uint32_t cell = SurfaceCells::packed(0.5f, n);
  EXPECT_NEAR(cells.ask(cell, n).agreement, 0.5, 0.01);  // a part in 254, and bytes of normals
  EXPECT_NEAR(cells.ask(cell, along).agreement, 0, 0.001);
  EXPECT_NEAR(cells.ask(cell, opposed).agreement, 0.5, 0.01);
  EXPECT_EQ(cells.ask(cell, along).visible, 1);
  cells.one_sided = true;
  EXPECT_EQ(cells.ask(cell, opposed).agreement, 0);
  EXPECT_EQ(cells.ask(cell, opposed).visible, 0);
  EXPECT_EQ(cells.ask(SurfaceCells::free, n).visible, 1);
  EXPECT_EQ(cells.ask(SurfaceCells::free, n).agreement, 0);
  EXPECT_EQ(cells.ask(0, n).visible, 0);
}

/// The vector loops and the definition agree.
TEST(Placements, cpu_agrees_with_the_reference) {
  CpuBackend cpu(2);
  ReferenceBackend reference;
  expect_placements_match(cpu, reference);
}

}  // namespace
}  // namespace dovetail::test
