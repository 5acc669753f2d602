// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dovetail/bin_images.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/scanner.h"
#include "io/bop_objects.h"
#include "io/bop_scene.h"
#include "io/bop_targets.h"
#include "io/depth_png.h"
#include "io/file.h"
#include "pose/temporary_folder.h"
#include "support/messages.h"

// What is written of simulated bins is read by the readers of the benchmark's files, and its truth scores 1.

namespace dovetail::test {
namespace {

namespace fs = std::filesystem;

class BinDatasetTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!bins_available() || !scanner_available()) GTEST_SKIP() << "built without Bullet or Embree";
  }
  fs::path folder() const { return temporary_.path() / "bins"; }
  std::map<int, std::vector<io::BopTruth>> truths() const {
    const fs::path scene = folder() / "test/000001";
    auto read = io::read_bop_truths("scene_gt.json", io::FileBytes(scene / "scene_gt.json").view());
    io::add_bop_visibility("scene_gt_info.json", io::FileBytes(scene / "scene_gt_info.json").view(), read);
    return read;
  }
  TemporaryFolder temporary_;
};

std::map<std::string, std::string> bytes_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = io::FileBytes(entry.path()).view();
    }
  }
  return files;
}

TEST_F(BinDatasetTest, truth_scores_one) {
  const PointCloud bolt = built_in_part(BuiltInPart::hex_bolt), cylinder = built_in_part(BuiltInPart::cylinder);
  const BinPart parts[] = {{&bolt, 4}, {&cylinder, 2}};
  BinImages images;
  images.images = 2;
  images.columns = 320, images.rows = 240;
  images.tilt = 20;
  const BinDataset set = write_bin_dataset(folder(), parts, images, {}, {}, {}, 3);
  ASSERT_EQ(set.bins.size(), 2u);
  EXPECT_GT(set.targets, 5u);
  EXPECT_GT(set.measured_pixels, 0.5);
  EXPECT_LT(set.measured_pixels, 1);

  const auto objects =
      io::read_bop_objects("models_info.json", io::FileBytes(folder() / "models/models_info.json").view());
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects.at(1).discrete.size(), 5u) << "six-fold";
  EXPECT_EQ(objects.at(2).continuous.size(), 1u);
  EXPECT_EQ(read_points(folder() / "models/obj_000002.ply").size(), cylinder.size());
  const auto targets = io::read_bop_targets("targets", io::FileBytes(folder() / "test_targets_bop19.json").view());
  std::size_t wanted = 0;
  for (const io::BopTarget& target : targets) wanted += static_cast<std::size_t>(target.count);
  EXPECT_EQ(wanted, set.targets);

  std::ostringstream rows;
  rows << "scene_id,im_id,obj_id,score,R,t,time\n" << std::setprecision(17);
  for (const auto& [image, of_image] : truths()) {
    EXPECT_EQ(of_image.size(), set.bins[static_cast<std::size_t>(image)].parts.size());
    for (const io::BopTruth& truth : of_image) {
      // Those that are hidden would take the places of others.
      if (truth.visible_share < images.min_visible) continue;
      rows << "1," << image << ',' << truth.object << ",1,";
      for (int k = 0; k < 9; ++k) rows << (k ? " " : "") << truth.camera_from_object.rotation[k];
      for (int k = 0; k < 3; ++k) rows << (k ? ' ' : ',') << truth.camera_from_object.translation[k];
      rows << ",0.5\n";
    }
  }
  std::ofstream(temporary_.path() / "results.csv") << rows.str();
  const PoseEvaluation score = evaluate_pose_estimates(temporary_.path() / "results.csv", {folder()});
  ASSERT_TRUE(score.bop19);
  EXPECT_EQ(*score.bop19, 1);
  EXPECT_EQ(*score.bop24, 1);
  EXPECT_EQ(score.all.localisation->targets, set.targets);
}

// Without a sensor the image is the bin: every visible pixel of a part is on its mesh at its pose.
TEST_F(BinDatasetTest, exact_depth_is_the_truth) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 1}};
  BinImages images;
  images.noise = false;
  images.columns = 200, images.rows = 150;
  images.distance = 700;  // from where all places are seen that it may roll to
  BinOptions options;
  options.plane = true;
  const BinDataset set = write_bin_dataset(folder(), parts, images, options, {}, {}, 1);
  const auto read = io::read_depth_png("0", io::FileBytes(folder() / "test/000001/depth/000000.png").view());
  ASSERT_EQ(read.width, 200u);
  const auto info = nlohmann::json::parse(std::ifstream(folder() / "test/000001/scene_gt_info.json"))["0"][0];
  EXPECT_EQ(info["visib_fract"], 1.0) << "nothing is before it";
  EXPECT_EQ(info["px_count_all"], info["px_count_visib"]);
  EXPECT_EQ(info["px_count_all"], info["px_count_valid"]);
  EXPECT_EQ(info["bbox_obj"], info["bbox_visib"]);
  // It lies flat: its upper side is 60 above the floor, and the camera `distance` above that.
  const double top = set.distance - set.bins[0].parts[0].scene_from_part.translation[2] - 30;
  const int x = info["bbox_obj"][0].get<int>() + info["bbox_obj"][2].get<int>() / 2;
  const int y = info["bbox_obj"][1].get<int>() + info["bbox_obj"][3].get<int>() / 2;
  const double depth = set.camera.depth_scale * read.steps[static_cast<std::size_t>(y * 200 + x)];
  // Half a step of depth, and a tilt of the resting cube by a thousandth.
  EXPECT_NEAR(depth, top, 0.1);
  EXPECT_NEAR(set.camera.depth_scale * read.steps[0], set.distance, 0.1) << "the floor";
  EXPECT_EQ(truths().at(0).size(), 1u);
}

TEST_F(BinDatasetTest, same_bytes_whatever_the_threads) {
  const PointCloud nut = built_in_part(BuiltInPart::hex_nut);
  const BinPart parts[] = {{&nut, 3}};
  BinImages images;
  images.images = 3;
  images.columns = 160, images.rows = 120;
  BinRun one, two;
  one.threads = 1, two.threads = 2;
  write_bin_dataset(folder(), parts, images, {}, {}, {}, 5, one);
  write_bin_dataset(temporary_.path() / "again", parts, images, {}, {}, {}, 5, two);
  const auto first = bytes_of(folder());
  EXPECT_EQ(first.size(), 10u) << "a mesh, models_info, camera, targets, three files of the scene, three images";
  EXPECT_TRUE(first == bytes_of(temporary_.path() / "again"));
}

TEST_F(BinDatasetTest, refuses_and_leaves_nothing) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 1}};
  DepthCamera aside{320, 240, 500, 500, 90000, 120, 0, 0, {}};
  try {
    write_bin_dataset(folder(), parts, {}, {}, {}, aside);
    FAIL() << "a camera that looks past the bin";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("sees none of the 1 parts"), std::string::npos) << error.what();
  }
  BinImages wrong;
  wrong.images = 0;
  EXPECT_THROW(write_bin_dataset(folder(), parts, wrong), InvalidArgument);
  EXPECT_TRUE(fs::is_empty(temporary_.path())) << "neither the folder nor a part of it";
  fs::create_directories(folder());
  std::ofstream(folder() / "mine.txt") << "text";
  EXPECT_THROW(write_bin_dataset(folder(), parts), FileError);
  EXPECT_EQ(bytes_of(folder()).size(), 1u);
}

// A depth that does not fit into 16 bits would be written as none.
TEST_F(BinDatasetTest, depth_scale_has_to_fit_the_bin_and_the_parts) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 1}};
  DepthCamera camera{80, 60, 100, 100, 40, 30, 0.001, 0.5, {}};
  for (const double wrong : {0.001, 11.0}) {
    camera.depth_scale = wrong;
    const std::string message =
        message_of<InvalidArgument>([&] { write_bin_dataset(folder(), parts, {}, {}, {}, camera); });
    // A tenth of the diameter of a cube of 60 mm.
    for (const char* text : {wrong == 11 ? "depth_scale 11 " : "depth_scale 0.001 ", "allowed: 0.00", " to 10.39"}) {
      EXPECT_TRUE(mentions(message, text)) << message;
    }
    EXPECT_TRUE(fs::is_empty(temporary_.path()));
  }
  BinImages exact;
  exact.noise = false;
  exact.tilt = 30;
  camera.depth_scale = 0.0081;  // the steps are nearly used up
  const BinDataset set = write_bin_dataset(folder(), parts, exact, {}, {}, camera);
  const auto read = io::read_depth_png("0", io::FileBytes(folder() / "test/000001/depth/000000.png").view());
  std::size_t seen = 0;
  for (const std::uint16_t steps : read.steps) seen += steps > 0;
  EXPECT_EQ(set.measured_pixels, 1);
  EXPECT_GT(seen, read.steps.size() / 2) << "what is beside the bin shows nothing";
}

TEST_F(BinDatasetTest, faces_that_are_nowhere_are_left_out) {
  PointCloud cube = built_in_part(BuiltInPart::cube);
  cube.positions.push_back({std::nan(""), 0, 0});
  cube.faces.add({0, 1, 8});
  const BinPart parts[] = {{&cube, 1}};
  BinImages small;
  small.columns = 80, small.rows = 60;
  EXPECT_GT(write_bin_dataset(folder(), parts, small, {}, {}, {}).instances, 0u);
  EXPECT_EQ(read_points(folder() / "models/obj_000001.ply").size(), 8u);
}

TEST_F(BinDatasetTest, reads_cameras) {
  const fs::path file = temporary_.path() / "camera.json";
  std::ofstream(file) << R"({"width": 640, "height": 480, "fx": 600, "fy": 601, "cx": 320, "cy": 240})";
  const DepthCamera camera = read_camera(file);
  EXPECT_EQ(camera.fy, 601);
  EXPECT_EQ(camera.depth_scale, 0);
  std::ofstream(file) << R"({"width": 640, "height": 480, "fx": 0, "fy": 601, "cx": 320, "cy": 240})";
  EXPECT_THROW(read_camera(file), FileError);
}

}  // namespace
}  // namespace dovetail::test
