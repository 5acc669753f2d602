// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "backend/backend.h"
#include "backend/memory.h"
#include "methods/gpicp.h"
#include "methods/placements.h"
#include "support/shapes.h"
#include "support/tolerances.h"

// Data of GPICP's passes, and what has to hold for them on every machine.

namespace dovetail::test {

/// A surface, and the same surface sampled more finely.
struct Scene {
  LocalCloud source;
  KdTree target;
  std::vector<float> normals[3];  ///< of the target, by slot: made up
  gpicp::Data data;               ///< in the host's memory

  explicit Scene(std::size_t count) {
    const auto fill = [](const PointCloud& cloud, LocalCloud& local) {
      for (const Vec3& p : cloud.positions) {
        local.x.push_back(static_cast<float>(p[0])), local.y.push_back(static_cast<float>(p[1]));
        local.z.push_back(static_cast<float>(p[2])),
            local.index.push_back(static_cast<std::uint32_t>(local.x.size() - 1));
      }
    };
    LocalCloud onto;
    fill(bumpy_surface(count, 3), source);
    fill(bumpy_surface(4 * count, 4), onto);
    target = KdTree(onto.x, onto.y, onto.z, onto.index);
    data.source = {source.x.data(), source.y.data(), source.z.data(), {}, nullptr, static_cast<std::uint32_t>(count)};
    data.target = target.view();
    RandomStream random(11, 0);
    for (std::size_t i = 0; i < 4 * count; ++i) {
      const Vec3 n = random.unit_vector();
      for (int a = 0; a < 3; ++a) normals[a].push_back(static_cast<float>(n[a]));
    }
  }

  /// The same in a machine's memory, with the target's normals where they are asked for.
  gpicp::Data placed(Memory& memory, bool with_normals, Keeper& keeper) const {
    gpicp::Data there = data;
    there.source.x = memory.put(source.x, keeper), there.source.y = memory.put(source.y, keeper);
    there.source.z = memory.put(source.z, keeper);
    Placed<KdTreeView> tree = put(memory, target);
    there.target = tree.view;
    keeper.add(std::move(tree.keeper));
    if (with_normals) {
      there.target_normals = {memory.put(normals[0], keeper), memory.put(normals[1], keeper),
                              memory.put(normals[2], keeper)};
    }
    return there;
  }
};

inline gpicp::Params thesis_like(std::size_t points) {
  gpicp::Params p;
  p.sets = 32, p.set_points = 16, p.scored_points = static_cast<int>(points / 32), p.iterations = 20;
  p.keeps_pose = false, p.scores_evenly = false;
  p.lookup = Lookup::depth_first;
  p.first_reach = p.last_reach = 10;
  return p;
}

template <class M>
Batch<M> after_passes(Backend& machine, const Scene& scene, const gpicp::Params& p,
                      const std::vector<gpicp::State>& states, int passes) {
  Keeper keeper;
  Batch<M> batch;
  batch.params = p;
  batch.data = {scene.placed(machine.memory(), M::metric == Metric::point_to_plane, keeper)};
  batch.states = states;
  batch.max_iterations = passes;
  machine.run(batch);
  return batch;
}

/// The sums of a fitting and of a scoring pass, from the same states on both machines.
template <class M>
void expect_gpicp_passes_match(Backend& machine, Backend& oracle, std::size_t points, Lookup lookup) {
  const Scene scene(points);
  gpicp::Params p = thesis_like(points);
  p.scored_points = 60, p.lookup = lookup, p.keeps_pose = true, p.scores_evenly = points % 2 == 0;
  p.first_reach = p.last_reach = 0.3;
  std::vector<gpicp::State> states;
  for (std::uint32_t k = 0; k < 5; ++k) {
    gpicp::State s;
    s.start = k, s.radius = 0.5;
    s.target_from_source.rotation = exp_so3(Vec3{0.02 * k, -0.05, 0.04});
    states.push_back(gpicp::first_state(p, scene.data, s));
  }
  states[3].status = Status::converged;
  for (int pass = 0; pass < 2; ++pass) {
    const Batch<M> expected = after_passes<M>(oracle, scene, p, states, 1);
    const Batch<M> found = after_passes<M>(machine, scene, p, states, 1);
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (M::finished(states[k])) continue;
      const std::size_t first = k * found.hypotheses();
      for (std::uint32_t h = 0; h < M::hypotheses(p, states[k]); ++h) {
        // Coordinates and lengths are about 1, terms no larger than 1 + 1², and 60 of them at most.
        const double allowed = 60 * 2 * plane_terms;
        const auto *a = as_doubles(found.sums[first + h]), *b = as_doubles(expected.sums[first + h]);
        for (int i = 0; i < doubles_in<typename M::Sums>; ++i) {
          EXPECT_NEAR(a[i], b[i], allowed)
              << "pass " << pass << ", state " << k << ", hypothesis " << h << ", sum " << i;
        }
      }
      EXPECT_EQ(found.states[k].items, expected.states[k].items);
      EXPECT_EQ(found.states[k].solved, expected.states[k].solved);
    }
    states = expected.states;
  }
}

/// A floor of cells, free space above it, and points about them.
struct PlacementScene {
  std::vector<std::uint32_t> cells = std::vector<std::uint32_t>(20 * 20 * 20, 0);
  std::vector<float> c[6];
  std::vector<gpicp::OrientedPoint> points;

  PlacementScene() {
    const float up[3] = {0, 0, 1};
    for (std::size_t i = 0; i < 400; ++i) cells[i] = gpicp::SurfaceCells::packed(0.9f, up);
    for (std::size_t i = 4000; i < 8000; ++i) cells[i] = gpicp::SurfaceCells::free;
    RandomStream random(7, 0);
    for (int i = 0; i < 131; ++i) {
      const Vec3 n = random.unit_vector();
      for (int a = 0; a < 3; ++a) {
        c[a].push_back(static_cast<float>(random.uniform(-0.7, 0.7))), c[3 + a].push_back(static_cast<float>(n[a]));
      }
    }
    points = {oriented({0, 0, 0}, {0, 0, 1}), oriented({0.3, 0.1, 0.2}, {1, 1, 0}),
              oriented({-0.2, 0.4, 0}, {0.2, 0.1, -1})};
  }

  static gpicp::OrientedPoint oriented(const Vec3& p, Vec3 n) {
    n = (1 / norm(n)) * n;
    return {{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])},
            {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])}};
  }

  gpicp::Placements::Data placed(Memory& memory, std::uint32_t count, Keeper& keeper) const {
    const float* at[6];
    for (int a = 0; a < 6; ++a) at[a] = memory.put(c[a], keeper);
    gpicp::Placements::Data data{};
    data.source = {at[0], at[1], at[2], {at[3], at[4], at[5]}, nullptr, count};
    data.cells.grid.cells[0] = data.cells.grid.cells[1] = data.cells.grid.cells[2] = 20;
    data.cells.grid.cell = 0.0625f, data.cells.grid.per_unit = 16;
    for (float& o : data.cells.grid.origin) o = -0.625f;
    data.cells.cells = memory.put(cells, keeper);
    data.from = data.onto = memory.put(points, keeper);
    return data;
  }
};

/// Whole placements: the best turn's score.
inline void expect_placements_match(Backend& machine, Backend& oracle) {
  using gpicp::Placements;
  const PlacementScene scene;
  for (const std::uint32_t count : {1u, 7u, 8u, 33u, 131u}) {
    const auto run = [&](Backend& on) {
      Keeper keeper;
      Batch<Placements> batch;
      batch.params.points = count, batch.params.first_points = std::min(count, 24u);
      batch.data = {scene.placed(on.memory(), count, keeper)};
      batch.max_iterations = 2;
      for (std::uint32_t i = 0; i < 9; ++i) {
        batch.states.push_back(Placements::first_state(batch.params, 0, i % 3, i / 3));
      }
      on.run(batch);
      return batch.states;
    };
    const auto found = run(machine), expected = run(oracle);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(found[i].score, expected[i].score, 1e-5) << count << " " << i;  // floats against doubles
    }
  }
}

}  // namespace dovetail::test
