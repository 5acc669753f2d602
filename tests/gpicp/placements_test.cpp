// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "methods/placements.h"

namespace dovetail::test {
namespace {

using gpicp::OrientedPoint;
using gpicp::Placements;
using gpicp::SurfaceCells;

OrientedPoint oriented(const Vec3& p, Vec3 n) {
  n = (1 / norm(n)) * n;
  return {{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])},
          {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])}};
}
Vec3 vec(const float* v) { return {double{v[0]}, double{v[1]}, double{v[2]}}; }

TEST(Placements, put_point_on_point_and_normal_on_normal) {
  RandomStream random(1, 1);
  Placements::Params p;
  for (int k = 0; k < 200; ++k) {
    const OrientedPoint from = oriented(random.unit_vector(), random.unit_vector());
    const OrientedPoint onto = oriented(random.unit_vector(), random.unit_vector());
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
  const OrientedPoint from = oriented({1, 2, 0}, {0.6, 0.8, 0}), onto = oriented({-3, 1, 0}, {-1, 0.2, 0});
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

/// A floor of cells, and points above it: the vector loops and the definition agree.
TEST(Placements, cpu_agrees_with_the_reference) {
  std::vector<std::uint32_t> cells(20 * 20 * 20, 0);
  const float up[3] = {0, 0, 1};
  for (std::size_t i = 0; i < 400; ++i) cells[i] = SurfaceCells::packed(0.9f, up);
  for (std::size_t i = 4000; i < 8000; ++i) cells[i] = SurfaceCells::free;
  RandomStream random(7, 0);
  std::vector<float> c[6];
  for (int i = 0; i < 131; ++i) {
    const Vec3 n = random.unit_vector();
    for (int a = 0; a < 3; ++a) {
      c[a].push_back(static_cast<float>(random.uniform(-0.7, 0.7))), c[3 + a].push_back(static_cast<float>(n[a]));
    }
  }
  const std::vector<OrientedPoint> points = {oriented({0, 0, 0}, {0, 0, 1}), oriented({0.3, 0.1, 0.2}, {1, 1, 0}),
                                             oriented({-0.2, 0.4, 0}, {0.2, 0.1, -1})};
  for (const std::uint32_t count : {1u, 7u, 8u, 33u, 131u}) {
    Batch<Placements> batch;
    batch.params.points = count, batch.params.first_points = std::min(count, 24u);
    Placements::Data data{};
    data.source = {c[0].data(), c[1].data(), c[2].data(), {c[3].data(), c[4].data(), c[5].data()}, nullptr, count};
    data.cells.grid.cells[0] = data.cells.grid.cells[1] = data.cells.grid.cells[2] = 20;
    data.cells.grid.cell = 0.0625f, data.cells.grid.per_unit = 16;
    for (float& o : data.cells.grid.origin) o = -0.625f;
    data.cells.cells = cells.data();
    data.from = data.onto = points.data();
    batch.data = {data};
    batch.max_iterations = 2;
    for (std::uint32_t i = 0; i < 9; ++i)
      batch.states.push_back(Placements::first_state(batch.params, 0, i % 3, i / 3));
    Batch<Placements> other = batch;
    CpuBackend(2).run(batch);
    ReferenceBackend().run(other);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(batch.states[i].score, other.states[i].score, 1e-5) << count << " " << i;  // floats against doubles
    }
  }
}

}  // namespace
}  // namespace dovetail::test
