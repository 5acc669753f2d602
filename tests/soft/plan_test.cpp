// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/soft_plan.h"
#include "search/starts.h"
#include "soft/soft_cases.h"

// What the options become for the data at hand, and where starts are.

namespace dovetail {
namespace {

using namespace test;

struct Planned {
  explicit Planned(const PointCloud& source, const PointCloud& target, const EmIcp& options = {})
      : prepared(prepare_clouds(source, target, {})), voxels(soft_voxels(options, prepared)) {
    levels = make_levels(prepared, voxels, {.clusters = LevelNeeds::Clusters::target}, backend);
    plan = make_soft_plan(options, prepared, levels);
  }
  ReferenceBackend backend;
  Prepared prepared;
  std::vector<double> voxels;
  std::vector<Level> levels;
  SoftPlan plan;
};

TEST(SoftPlan, PartsOfTheSearchAreAsLargeAsTheyShouldBe) {
  const Planned p(bumpy_surface(30'000, 1), bumpy_surface(20'000, 2));
  ASSERT_EQ(p.levels.size(), 4u);
  const std::size_t most[] = {150, 400, 1000};
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_LE(p.levels[l].target->tree->size(), most[l] * 5 / 4) << "thinned clouds tell nearly all voxels";
    EXPECT_LE(p.levels[l].source->points.count, most[l] * 5 / 2);
    EXPECT_GT(p.levels[l].target->tree->size(), most[l] / 4);
  }
  EXPECT_EQ(p.levels[3].target->tree->size(), 20'000u);
}

TEST(SoftPlan, SmallCloudsAndSingleStartsHaveOneLevel) {
  EXPECT_EQ(Planned(bumpy_surface(120, 1), bumpy_surface(120, 2)).voxels.size(), 1u);
  const Planned single(bumpy_surface(5000, 1), bumpy_surface(5000, 2), EmIcp{.starts = 1});
  EXPECT_EQ(single.voxels.size(), 1u);
  EXPECT_TRUE(single.plan.search.empty());
}

TEST(SoftPlan, StagesHandOverWhereTheNextBegins) {
  const Planned p(bumpy_surface(30'000, 1), bumpy_surface(20'000, 2));
  ASSERT_EQ(p.plan.search.size(), 4u);
  double before = p.prepared.source->radius;
  for (const SoftStage& stage : p.plan.search) {
    const soft::LevelPlan& level = stage.params.level[stage.level()];
    // No wider than the stage before ended, but for a little; and never narrower than the points are apart.
    EXPECT_LE(level.first_sigma, std::max(1.3 * before, stage.params.spacing[stage.level()]));
    EXPECT_LE(level.last_sigma, level.first_sigma);
    // The first stage ends after three poses, wherever it is.
    before = level.max_iterations == 3 ? level.first_sigma * std::pow(level.factor, 1.5) : level.last_sigma;
  }
  const soft::LevelPlan& finish = p.plan.finish.level[p.plan.finest()];
  EXPECT_NEAR(finish.last_sigma, 0.5 * p.prepared.target->scale.spacing, 1e-12);
  EXPECT_GE(finish.first_sigma, 2 * p.prepared.target->scale.spacing - 1e-12);
}

TEST(SoftPlan, GivenWidthsAreKept) {
  const PointCloud cloud = bumpy_surface(2000, 1);
  const Planned p(cloud, cloud, papers_schedule(Weighting::square_root));
  const soft::LevelPlan& level = p.plan.finish.level[0];
  EXPECT_NEAR(p.prepared.from_local(level.first_sigma), 0.1, 1e-12);
  EXPECT_NEAR(p.prepared.from_local(level.last_sigma), 0.0031622776, 1e-12);
  EXPECT_EQ(level.factor, 0.9);
  EXPECT_FALSE(level.accelerate);
  EXPECT_EQ(level.quality, 0);
  EXPECT_TRUE(p.plan.finish.square_roots);
}

/// Wherever the truth is, a start is near: 121 rotations leave no one farther than this from the next.
TEST(SoftStarts, CoverAllRotations) {
  const Planned p(bumpy_surface(500, 1), bumpy_surface(500, 2));
  const Similarity3 given = p.prepared.to_local(Transform::identity(Model::rigid3));
  const std::vector<Similarity3> starts = starts_over_rotations(given, p.prepared, 0b111111, 121);
  ASSERT_EQ(starts.size(), 1u + 121 * 7);
  EXPECT_EQ(starts.front().matrix(), given.matrix());
  double farthest = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    RandomStream random(3, i);
    const Mat3 truth = random_rotation(random, {}).as<Rigid3>().rotation;
    double nearest = 10;
    for (std::size_t s = 1; s < starts.size(); s += 7) {
      nearest = std::min(nearest, rotation_angle(starts[s].rotation * transpose(truth)));
    }
    farthest = std::max(farthest, nearest);
  }
  EXPECT_LT(farthest / degree, 50);
}

TEST(SoftStarts, PutTheCentroidOnTheTargetsAndToEverySide) {
  const Planned p(bumpy_surface(500, 1), bumpy_surface(500, 2));
  const std::vector<Similarity3> starts = starts_over_rotations(Similarity3::identity(), p.prepared, 0b111111, 5);
  int at_centroid = 0, aside = 0;
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const double off = norm(starts[i] * p.prepared.source->centroid - p.prepared.target->centroid);
    at_centroid += off < 1e-9 ? 1 : 0;
    aside += std::abs(off - 0.5 * p.prepared.source->radius) < 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(at_centroid, 5);
  EXPECT_EQ(aside, 30);
}

TEST(SoftStarts, KeepWhatIsHeld) {
  const Planned p(bumpy_surface(500, 1), bumpy_surface(500, 2));
  const Similarity3 given{exp_so3(Vec3{0.1, 0.2, 0.3}), {0.1, 0.2, 0.3}, 1.0};
  // Free: turning about z, sliding along x.
  for (const Similarity3& start : starts_over_rotations(given, p.prepared, 0b001100, 9)) {
    const Vec3 turned = start.rotation * transpose(given.rotation) * Vec3{0, 0, 1};
    EXPECT_NEAR(turned[2], 1, 1e-12);
    const Vec3 moved = start * p.prepared.source->centroid - given * p.prepared.source->centroid;
    EXPECT_NEAR(moved[1], 0, 1e-12);
    EXPECT_NEAR(moved[2], 0, 1e-12);
  }
  EXPECT_EQ(starts_over_rotations(given, p.prepared, 0b111111, 1).size(), 1u);
}

}  // namespace
}  // namespace dovetail
