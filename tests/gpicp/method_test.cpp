// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "gpicp/gpicp_cases.h"
#include "spatial/kd_search.h"

namespace dovetail::test {
namespace {

using gpicp::Phase;

/// Counts how often it is asked.
struct CountingSearch {
  long* exact;
  long* approximate;
  Neighbour nearest(const KdTreeView& tree, const float* q, float squared, float = 1) const {
    ++*exact;
    return KdSearch::nearest(tree, q, squared);
  }
  Neighbour in_bucket(const KdTreeView& tree, const float* q, float squared) const {
    ++*approximate;
    return KdSearch::in_bucket(tree, q, squared);
  }
};

TEST(Gpicp, searches_as_often_as_the_thesis) {
  const Scene scene(3200);
  const gpicp::Params p = thesis_like(3200);
  using M = gpicp::PointToPoint;
  gpicp::State s = gpicp::first_state(p, scene.data, {});
  s.radius = 1;
  long exact = 0, approximate = 0;
  const CountingSearch search{&exact, &approximate};
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<M::Sums> sums(M::hypotheses(p, s));
    for (std::uint32_t h = 0; h < sums.size(); ++h) {
      const M::Context context = M::context_of(scene.data, p, s, h);
      for (std::uint32_t i = 0; i < M::items(scene.data, s); ++i) {
        M::add_item(scene.data, p, s, h, context, i, search, sums[h]);
      }
    }
    M::advance(p, s, sums.data(), nullptr);
  }
  EXPECT_EQ(exact, 512);
  EXPECT_EQ(approximate, 32 * 100);
  EXPECT_EQ(s.iteration, 1);
}

TEST(Gpicp, draws_by_seed_start_iteration_hypothesis_and_item) {
  const Scene scene(1000);
  gpicp::Params p = thesis_like(1000);
  gpicp::State s = gpicp::first_state(p, scene.data, {});
  const auto sequence = [&] {
    std::vector<std::uint32_t> drawn;
    for (std::uint32_t h = 0; h < 4; ++h) {
      for (std::uint32_t i = 0; i < 16; ++i) drawn.push_back(gpicp::drawn(scene.data, p, s, h, i));
    }
    return drawn;
  };
  const auto first = sequence();
  EXPECT_EQ(sequence(), first);
  for (const std::uint32_t i : first) EXPECT_LT(i, 1000u);
  EXPECT_GT(std::set<std::uint32_t>(first.begin(), first.end()).size(), 50u);  // 64 of 1,000: few meet twice
  s.start = 1;
  EXPECT_NE(sequence(), first);
  s.start = 0, s.iteration = 1;
  EXPECT_NE(sequence(), first);
  s.iteration = 0, p.seed = 1;
  EXPECT_NE(sequence(), first);
}

TEST(Gpicp, scores_points_from_all_along_the_curve) {
  const Scene scene(1000);
  gpicp::Params p = thesis_like(1000);
  p.scores_evenly = true, p.scored_points = 100;
  gpicp::State s = gpicp::first_state(p, scene.data, {});
  s.phase = Phase::score, s.items = s.most_scored;
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(gpicp::drawn(scene.data, p, s, 0, i) / 10, i);
    EXPECT_EQ(gpicp::drawn(scene.data, p, s, 7, i), gpicp::drawn(scene.data, p, s, 0, i));  // comparable
  }
}

TEST(Gpicp, keeps_its_pose_unless_a_set_is_better) {
  gpicp::Params p;
  p.sets = 2, p.keeps_pose = true, p.first_reach = p.last_reach = 1;
  using M = gpicp::PointToPoint;
  gpicp::State s;
  s.phase = Phase::score, s.reach = 1, s.solved = 0b11;
  s.candidate[0] = {Mat3::identity(), {1, 0, 0}}, s.candidate[1] = {Mat3::identity(), {2, 0, 0}};
  M::Sums sums[3] = {};
  sums[0].agreement = 5, sums[1].agreement = 7, sums[2].agreement = 7;  // the last is the pose so far
  for (auto& x : sums) x.asked = 10;
  gpicp::State kept = s;
  M::advance(p, kept, sums, nullptr);
  EXPECT_EQ(kept.target_from_source.translation, (Vec3{0, 0, 0}));
  EXPECT_EQ(kept.unchanged, 1);
  sums[1].agreement = 8;
  gpicp::State moved = s;
  M::advance(p, moved, sums, nullptr);
  EXPECT_EQ(moved.target_from_source.translation, (Vec3{2, 0, 0}));
  EXPECT_EQ(moved.score, 0.8);
  moved = s, moved.solved = 0b01;  // a set without a transform does not compete, whatever its sums
  M::advance(p, moved, sums, nullptr);
  EXPECT_EQ(moved.target_from_source.translation, (Vec3{0, 0, 0}));
}

/// The machines agree on a whole iteration: terms are the same functions, sums are added in another order.
TEST(Gpicp, cpu_agrees_with_the_reference) {
  for (const std::size_t count : {33u, 1000u}) {
    const Scene scene(count);
    for (const Lookup lookup : {Lookup::tree, Lookup::depth_first}) {
      gpicp::Params p = thesis_like(count);
      p.scored_points = 60, p.lookup = lookup, p.keeps_pose = true;
      Batch<gpicp::PointToPoint> batch;
      batch.params = p;
      batch.data = {scene.data};
      batch.max_iterations = 8;
      for (std::uint32_t k = 0; k < 3; ++k) {
        gpicp::State s;
        s.start = k, s.radius = 0.5;
        s.target_from_source.rotation = exp_so3(Vec3{0.02, -0.05, 0.04});
        batch.states.push_back(gpicp::first_state(p, scene.data, s));
      }
      Batch<gpicp::PointToPoint> other = batch;
      CpuBackend(2).run(batch);
      ReferenceBackend().run(other);
      for (std::size_t k = 0; k < 3; ++k) {
        if (lookup == Lookup::depth_first) break;  // the oracle answers with the nearest, a bucket with what it has
        for (int i = 0; i < 9; ++i) {
          EXPECT_NEAR(batch.states[k].target_from_source.rotation[i], other.states[k].target_from_source.rotation[i],
                      1e-9);
        }
        EXPECT_NEAR(batch.states[k].score, other.states[k].score, 1e-9);
      }
    }
  }
}

TEST(Gpicp, presets_are_valid_and_others_refused) {
  const Gpicp thesis = gpicp_preset("thesis");
  validate(thesis);
  EXPECT_EQ(thesis.sets * thesis.set_points, 512);
  EXPECT_EQ(thesis.starts, 16);
  EXPECT_THROW(gpicp_preset("paper"), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
