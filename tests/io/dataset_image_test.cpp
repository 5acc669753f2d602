// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/dataset_image.h"

#include <gtest/gtest.h>

#include "dovetail/error.h"
#include "io/depth_png.h"
#include "io/io_support.h"
#include "support/messages.h"

namespace dovetail::test {
namespace {

/// Two scenes; the second has no image whose poses are known.
class DatasetImageTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path scene = folder_ / "test/000003";
    std::filesystem::create_directories(scene / "depth");
    std::filesystem::create_directories(folder_ / "test/000009");
    io::write_depth_png(scene / "depth/000012.png", {3, 2, {0, 100, 200, 300, 400, 500}});
    put_bytes(scene / "scene_camera.json",
              R"({"12": {"cam_K": [500, 0, 1.5, 0, 510, 1, 0, 0, 1], "depth_scale": 0.5}})");
    put_bytes(scene / "scene_gt.json",
              R"({"12": [{"obj_id": 7, "cam_R_m2c": [1, 0, 0, 0, 1, 0, 0, 0, 1], "cam_t_m2c": [1, 2, 600]}]})");
  }
  TemporaryFolder folder_;
};

TEST_F(DatasetImageTest, ImagesAreListedAndReadWithTheirPoses) {
  ASSERT_TRUE(is_dataset(folder_ / ""));
  const auto images = dataset_images(folder_ / "");
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].scene, 3);
  EXPECT_EQ(images[0].image, 12);
  const DatasetImage read = read_dataset_image(folder_ / "", images[0]);
  EXPECT_EQ(read.range.camera.width, 3);
  EXPECT_EQ(read.range.camera.fx, 500);
  EXPECT_EQ(read.range.camera.cy, 1);
  EXPECT_EQ(read.range.at(2, 1), 250);  // 500 steps of half a millimetre
  ASSERT_EQ(read.poses.size(), 1u);
  EXPECT_EQ(read.poses[0].object, 7);
  EXPECT_EQ(read.poses[0].camera_from_object * Vec3{}, (Vec3{1, 2, 600}));
  EXPECT_EQ(read.poses[0].visible_ratio, 1) << "nothing tells";
}

TEST_F(DatasetImageTest, VisibilityIsReadWhereItIsThere) {
  put_bytes(folder_ / "test/000003/scene_gt_info.json",
            R"({"12": [{"visib_fract": 0.25, "px_count_all": 8, "px_count_visib": 2}]})");
  EXPECT_EQ(read_dataset_image(folder_ / "", {3, 12}).poses[0].visible_ratio, 0.25);
}

TEST_F(DatasetImageTest, WhatIsNotThereIsNamed) {
  EXPECT_FALSE(is_dataset(folder_ / "nothing"));
  EXPECT_FALSE(is_dataset(folder_ / "", "train"));
  const auto refused = [&](auto&& read, const char* part) {
    const std::string message = message_of<FileError>(read);
    EXPECT_TRUE(mentions(message, part)) << message;
  };
  refused([&] { dataset_images(folder_ / "nothing"); }, "has no scene");
  refused([&] { read_dataset_image(folder_ / "", {3, 13}); }, "image 13 is missing");
  refused([&] { read_dataset_image(folder_ / "", {4, 12}); }, "scene_camera.json");
  refused([&] { read_dataset_model(folder_ / "", 7); }, "obj_000007.ply");
  put_bytes(folder_ / "test/000003/scene_gt.json", R"({"12": [{"obj_id": "seven"}]})");
  refused([&] { dataset_images(folder_ / ""); }, "scene_gt.json");
}

}  // namespace
}  // namespace dovetail::test
