// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rough_search.h"

#include <gtest/gtest.h>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "dovetail/scanner.h"
#include "dovetail/workspace.h"
#include "pose/depth_renderer.h"
#include "pose/orientation.h"

namespace dovetail {
namespace {

using pose::RoughSearch;

/// A T-pipe half hidden by a plate, over a floor.
class RoughSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  }

  /// Database and scene: a small database where it does not matter how exact it is.
  void lay_out(int references = 300, int image_size = 32) {
    const PointCloud tee = built_in_part(BuiltInPart::t_pipe);
    PoseDatabaseOptions options;
    options.references = references;
    options.image_size = image_size;
    options.sampling = OrientationSampling::uniform;
    const PosePart parts[] = {{"tee", &tee, {}, {}}, {"again", &tee, {}, {}}};
    database_ = build_pose_database(parts, options);
    PointCloud plate;
    plate.positions = {{-60, -400, 0}, {-20, -400, 0}, {-20, 400, 0}, {-60, 400, 0}};
    plate.faces.add({0, 1, 2, 3});
    PointCloud floor;
    floor.positions = {{-400, -400, 0}, {400, -400, 0}, {400, 400, 0}, {-400, 400, 0}};
    floor.faces.add({0, 1, 2, 3});
    const pose::RenderMesh mesh(tee), plate_mesh(plate), floor_mesh(floor);
    const std::vector<pose::PosedMesh> scene{{&floor_mesh, {Mat3::identity(), {0, 0, 640}}},
                                             {&plate_mesh, {Mat3::identity(), {0, 0, 480}}},
                                             {&mesh, truth_}};
    image_ = {{320, 240, 700, 700, 160, 120, 0, 0.5, {}},
              pose::render_depth(scene, pose::Pinhole{700, 700, 160, 120, 320, 240}).depth};
    const PoseReferences& part = database_->parts()[0];
    const pose::RangeScene range = pose::prepare_scene(image_, part.edge_step);
    const pose::RenderedDepth alone =
        pose::render_depth(std::vector<pose::PosedMesh>{{&mesh, truth_}}, pose::Pinhole{700, 700, 160, 120, 320, 240});
    // Where the part is seen: places well inside of it.
    for (int y = 4; y < 236; y += 4) {
      for (int x = 4; x < 316; x += 4) {
        const float depth = image_.at(x, y);
        if (alone.depth_at(x, y) != depth || depth == 0 || range.distance[range.at(x, y)] < 6) continue;
        windows_.push_back(pose::window_about(range, {x, y, static_cast<double>(depth), false}, 2 * part.image_size,
                                              part.pixel, part.edge_step, part.distance_limit));
      }
    }
    ASSERT_GT(windows_.size(), 20u);
  }

  double vertex_error(const pose::RoughPose& rough, const pose::SceneWindow& window) const {
    const PoseReferences& part = database_->parts()[0];
    const Rigid3 found = pose::pose_of(rough, window, part);
    double best = 1e300;
    for (const Transform& symmetry : part.symmetry.rotations) {
      double sum = 0;
      for (const Vec3f& v : part.vertices) {
        const Vec3 p = v.cast<double>() + part.center;
        sum += norm(found * (symmetry * p) - truth_ * p);
      }
      best = std::min(best, sum / static_cast<double>(part.vertices.size()));
    }
    return best / (2 * part.radius);
  }

  const Rigid3 truth_{exp_so3(Vec3{2.6, 0.4, -0.5}), {5, 10, 560}};
  std::optional<PoseDatabase> database_;
  RangeImage image_;
  std::vector<pose::SceneWindow> windows_;
};

TEST_F(RoughSearchTest, APartIsFoundFromWhereverOnIt) {
  lay_out(1024, 64);  // as pose build makes them
  const Workspace cpu(Machine::cpu, 0, 0);
  const RoughSearch search(cpu.backend(), *database_, RoughErrors::robust);
  std::vector<RoughSearch::Job> jobs;
  for (const pose::SceneWindow& window : windows_) jobs.push_back({0, &window});
  const auto found = search.run(jobs, {});
  ASSERT_EQ(found.size(), jobs.size());
  std::size_t near = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), 1024u);
    double best = 1;
    for (std::size_t k = 0; k < 20; ++k) {
      best = std::min(best, vertex_error(found[i][k], windows_[i]));
      EXPECT_GE(found[i][k].worth, found[i][k + 1].worth);
    }
    near += best < 0.1;
  }
  // A tenth of the size is what refinement needs; a place where little but a flat spot is in sight may fail.
  EXPECT_GE(near, 0.95 * static_cast<double>(found.size()));
}

TEST_F(RoughSearchTest, APlaceDoesNotKnowOfOthers) {
  lay_out();
  const Workspace cpu(Machine::cpu, 0, 0);
  const RoughSearch search(cpu.backend(), *database_, RoughErrors::robust);
  const std::vector<RoughSearch::Job> both{{1, &windows_[0]}, {0, &windows_[7]}, {0, &windows_[0]}};
  const auto together = search.run(both, {});
  for (std::size_t i = 0; i < both.size(); ++i) {
    const auto alone = search.run(std::span(both).subspan(i, 1), {}).front();
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(alone[k].reference, together[i][k].reference);
      EXPECT_EQ(alone[k].error, together[i][k].error);
    }
  }
  // The same part by two names.
  EXPECT_EQ(together[0][0].error, together[2][0].error);
}

TEST_F(RoughSearchTest, IsStopped) {
  lay_out();
  const Workspace cpu(Machine::cpu, 0, 1);
  const RoughSearch search(cpu.backend(), *database_, RoughErrors::robust);
  const std::vector<RoughSearch::Job> jobs{{0, &windows_[0]}, {1, &windows_[0]}};
  const std::atomic<bool> cancel{true};
  Control control;
  control.cancel = &cancel;
  const auto found = search.run(jobs, control);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].empty() && found[1].empty());
}

TEST_F(RoughSearchTest, ThePapersSearchRuns) {
  lay_out();
  const Workspace cpu(Machine::cpu, 0, 0);
  const RoughSearch search(cpu.backend(), *database_, RoughErrors::paper);
  // Where the visible part's middle is, as the paper has it.
  std::size_t near = 0;
  std::vector<RoughSearch::Job> jobs;
  for (const pose::SceneWindow& window : windows_) jobs.push_back({0, &window});
  const auto found = search.run(jobs, {});
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < 20; ++k) {
      if (vertex_error(found[i][k], windows_[i]) < 0.1) {
        ++near;
        break;
      }
    }
  }
  EXPECT_GT(near, 0u);
}

TEST(RoughOptions, ArePresetAndParsed) {
  const FindParts paper = find_parts_preset("paper");
  EXPECT_EQ(paper.rough, RoughErrors::paper);
  EXPECT_EQ(paper.starts, 3);
  EXPECT_THROW(find_parts_preset("thesis"), InvalidArgument);
  FindParts options;
  set_option(options, "machine", "cuda:2");
  EXPECT_EQ(options.machine, Machine::cuda);
  EXPECT_EQ(options.device, 2);
  set_option(options, "rough", "paper");
  EXPECT_EQ(options.rough, RoughErrors::paper);
  EXPECT_THROW(set_option(options, "machine", "cuda:x"), InvalidArgument);
}

}  // namespace
}  // namespace dovetail
