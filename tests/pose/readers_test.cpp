// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "dovetail/error.h"
#include "io/bop_objects.h"
#include "io/bop_results.h"
#include "io/bop_scene.h"
#include "io/bop_targets.h"
#include "io/depth_png.h"
#include "io/file.h"
#include "pose/temporary_folder.h"

// The files of the BOP benchmark: what is read of them, and how each mistake is named.

namespace dovetail::io {
namespace {

/// What a refusal says; empty where there is none.
std::string refusal(const std::function<void()>& read) {
  try {
    read();
    return {};
  } catch (const FileError& error) {
    return error.what();
  }
}

std::string refusal_of_results(const std::string& text) {
  return refusal([&] { read_bop_results("r.csv", text); });
}

const std::string header = "scene_id,im_id,obj_id,score,R,t,time\n";
const std::string row = "1,2,3,0.5,1 0 0 0 1 0 0 0 1,10 20.5 -30,0.25\n";

TEST(BopResults, RowsAreReadInTheirOrder) {
  const auto rows = read_bop_results("r.csv", header + row + "\r\n48 , 7,3,-1e3, 0 -1 0  1 0 0 0 0 1 ,1 2 3,-1\r\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].image, (BopImageId{1, 2}));
  EXPECT_EQ(rows[0].object, 3);
  EXPECT_EQ(rows[0].score, 0.5);
  EXPECT_EQ(rows[0].camera_from_object.rotation, Mat3::identity());
  EXPECT_EQ(rows[0].camera_from_object.translation, (Vec3{10, 20.5, -30}));
  EXPECT_EQ(rows[0].seconds, 0.25);
  EXPECT_EQ(rows[0].line, 2u);
  EXPECT_EQ(rows[1].image, (BopImageId{48, 7}));
  EXPECT_EQ(rows[1].score, -1000);
  EXPECT_EQ(rows[1].camera_from_object.rotation(0, 1), -1) << "row by row";
  EXPECT_EQ(rows[1].line, 4u);
  EXPECT_EQ(read_bop_results("r.csv", row).size(), 1u) << "the header may be missing";
  EXPECT_TRUE(read_bop_results("r.csv", header).empty());
  EXPECT_EQ(read_bop_results("r.csv", "\xef\xbb\xbf" + header + row).size(), 1u) << "a mark of some editors";
}

TEST(BopResults, MistakesAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes = {
      {"", {"r.csv", "empty"}},
      {"scene_id,im_id,score\n", {"line 1", "header"}},
      {header + "1,2,3\n", {"line 2", "3 fields", "7 were expected"}},
      {header + row + "x" + row, {"line 3", "'x1'", "scene_id"}},
      {header + "1,-2,3,0.5,1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"line 2", "im_id"}},
      {header + "1,2,3.5,0.5,1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"obj_id"}},
      {header + "1,2,99999999999,0.5,1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"obj_id"}},
      {header + "1,2,3,nan,1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"score"}},
      {header + "1,2,3,,1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"score", "missing"}},
      {header + "1,2,3,0.5,1 0 0 0 1 0 0 0,1 2 3,1\n", {"R has 8 numbers"}},
      {header + "1,2,3,0.5,1 0 0 0 1 0 0 0 1,1 2,1\n", {"t has 2 numbers"}},
      {header + "1,2,3,0.5,1 0 0 0 1 0 0 0 1,1 2 inf,1\n", {"t"}},
      {header + "1,2,3,0.5,2 0 0 0 2 0 0 0 2,1 2 3,1\n", {"line 2", "R", "no rotation"}},
      {header + "1,2,3,0.5,-1 0 0 0 1 0 0 0 1,1 2 3,1\n", {"mirrors"}},
      {header + row + "1,2,3,0.5,1 0 0 0 1 0 0 0 1,1 2 3,0.252\n", {"line 3", "0.252 s", "0.25 s on line 2"}},
  };
  for (const auto& [text, parts] : mistakes) {
    const std::string told = refusal_of_results(text);
    for (const std::string& part : parts) EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
  }
  EXPECT_EQ(refusal_of_results(header + row + "1,2,3,0.5,1 0 0 0 1 0 0 0 1,1 2 3,0.2505\n"), "")
      << "half a millisecond";
  EXPECT_EQ(refusal_of_results(header + "1,2,3,0.5,1 0 0 0 1 0 0 0.001 1,1 2 3,1\n"), "") << "few digits";
}

TEST(BopObjects, AreReadWithTheirSymmetries) {
  const auto objects = read_bop_objects("m.json", R"({"5": {"diameter": 12.5, "min_x": -1,
    "symmetries_discrete": [[-1,0,0,4, 0,-1,0,2, 0,0,1,0, 0,0,0,1]],
    "symmetries_continuous": [{"axis": [0, 3, 4], "offset": [1, 2, 3]}]}, "12": {"diameter": 1}})");
  ASSERT_EQ(objects.size(), 2u);
  const BopObject& five = objects.at(5);
  EXPECT_EQ(five.diameter, 12.5);
  ASSERT_EQ(five.discrete.size(), 1u);
  EXPECT_EQ(five.discrete[0] * (Vec3{1, 1, 1}), (Vec3{3, 1, 1}));
  ASSERT_EQ(five.continuous.size(), 1u);
  EXPECT_NEAR(norm(five.continuous[0].direction - Vec3{0, 0.6, 0.8}), 0, 1e-15);
  EXPECT_EQ(five.continuous[0].through, (Vec3{1, 2, 3}));
  EXPECT_TRUE(objects.at(12).discrete.empty());
}

TEST(BopObjects, MistakesAreNamed) {
  const auto told = [](const char* text) { return refusal([&] { read_bop_objects("m.json", text); }); };
  EXPECT_EQ(told(R"({"1": {}})"), R"(m.json: 1: "diameter" is missing)");
  EXPECT_EQ(told(R"({"1": {"diameter": 0}})"), "m.json: 1.diameter: has to be more than 0");
  EXPECT_NE(told(R"({"one": {"diameter": 1}})").find("'one'"), std::string::npos);
  EXPECT_NE(told("[]").find("a key for each id"), std::string::npos);
  EXPECT_NE(told("{").find("line 1"), std::string::npos);
  EXPECT_NE(told(R"({"1": {"diameter": 1, "symmetries_discrete": [[1, 2]]}})")
                .find("1.symmetries_discrete[0]: 2 numbers; 16 were expected"),
            std::string::npos);
  EXPECT_NE(
      told(R"({"1": {"diameter": 1, "symmetries_discrete": [[1,0,0,0,0,1,0,0,0,0,2,0,0,0,0,1]]}})").find("no rotation"),
      std::string::npos);
  EXPECT_NE(told(R"({"1": {"diameter": 1, "symmetries_continuous": [{"axis": [0,0,0], "offset": [0,0,0]}]}})")
                .find("1.symmetries_continuous[0].axis: has no direction"),
            std::string::npos);
}

TEST(BopScene, CamerasTruthsAndVisibility) {
  const auto cameras =
      read_bop_cameras("c.json", R"({"3": {"cam_K": [500,0,320,0,510,240,0,0,1], "depth_scale": 0.1}})");
  EXPECT_EQ(cameras.at(3).k(1, 1), 510);
  EXPECT_EQ(cameras.at(3).k(0, 2), 320);
  EXPECT_EQ(cameras.at(3).depth_scale, 0.1);
  auto truths = read_bop_truths(
      "g.json", R"({"3": [{"obj_id": 4, "cam_R_m2c": [0,-1,0,1,0,0,0,0,1], "cam_t_m2c": [1,2,3]}], "10": []})");
  ASSERT_EQ(truths.at(3).size(), 1u);
  EXPECT_EQ(truths.at(3)[0].object, 4);
  EXPECT_EQ(truths.at(3)[0].camera_from_object * (Vec3{1, 0, 0}), (Vec3{1, 3, 3}));
  add_bop_visibility("i.json", R"({"3": [{"visib_fract": 0.25}], "10": [], "11": []})", truths);
  EXPECT_EQ(truths.at(3)[0].visible_share, 0.25);
  EXPECT_NE(refusal([&] {
              add_bop_visibility("i.json", R"({"3": [], "10": []})", truths);
            }).find("i.json: 3: 0 entries, and 1 in scene_gt.json"),
            std::string::npos);
  EXPECT_NE(refusal([&] { add_bop_visibility("i.json", R"({"10": []})", truths); }).find("image 3 is missing"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              read_bop_cameras("c.json", R"({"3": {"cam_K": [0,0,3,0,5,2,0,0,1]}})");
            }).find("c.json: 3.cam_K: the focal lengths"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              read_bop_truths("g.json", R"({"3": [{"obj_id": 4.5}]})");
            }).find("g.json: 3[0].obj_id: 4.5 is not allowed"),
            std::string::npos);
  EXPECT_EQ(read_bop_image_size("camera.json", R"({"width": 640, "height": 480})").width, 640);
  EXPECT_NE(refusal([&] { read_bop_image_size("camera.json", R"({"width": 0, "height": 480})"); }).find("width: 0"),
            std::string::npos);
}

TEST(BopTargets, AreReadInTheirOrder) {
  const char* const text = R"([{"scene_id": 2, "im_id": 9, "obj_id": 5, "inst_count": 3},
    {"scene_id": 1, "im_id": 4, "obj_id": 5, "inst_count": 1}, {"scene_id": 2, "im_id": 9, "obj_id": 6, "inst_count": 1}])";
  const auto targets = read_bop_targets("t.json", text);
  ASSERT_EQ(targets.size(), 3u);
  EXPECT_EQ(targets[0].image, (BopImageId{2, 9}));
  EXPECT_EQ(targets[0].count, 3);
  const auto images = read_bop_target_images("t.json", text);
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0], (BopImageId{2, 9}));
  EXPECT_EQ(images[1], (BopImageId{1, 4}));
  const std::string one = R"({"scene_id": 2, "im_id": 9, "obj_id": 5, "inst_count": 3})";
  EXPECT_NE(refusal([&] { read_bop_targets("t.json", "[" + one + "," + one + "]"); }).find("t.json: [1]: object 5"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              read_bop_targets("t.json", R"([{"scene_id": 2, "im_id": 9}])");
            }).find(R"([0]: "obj_id" is missing)"),
            std::string::npos);
}

class DepthImages : public testing::Test {
 protected:
  std::string bytes() const { return std::string(FileBytes(file_).view()); }

  test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "depth.png";
};

TEST_F(DepthImages, ComeBackAsTheyWere) {
  const DepthPng image{3, 2, {0, 1, 255, 256, 65535, 4660}};
  write_depth_png(file_, image);
  const DepthPng back = read_depth_png("d.png", bytes());
  EXPECT_EQ(back.width, 3u);
  EXPECT_EQ(back.height, 2u);
  EXPECT_EQ(back.steps, image.steps);
  EXPECT_THROW(write_depth_png(file_, {3, 3, {1}}), InvalidArgument);
  EXPECT_THROW(write_depth_png(file_, {0, 0, {}}), InvalidArgument);
}

TEST_F(DepthImages, CutShortOrOfAnotherKindAreRefused) {
  write_depth_png(file_, {30, 20, std::vector<std::uint16_t>(600, 1234)});
  const std::string whole = bytes();
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, whole.size() - 20}) {
    EXPECT_NE(refusal([&] { read_depth_png("d.png", whole.substr(0, size)); }).find("d.png: byte"), std::string::npos);
  }
  EXPECT_NE(refusal([&] { read_depth_png("d.png", "P5 3 2 255"); }).find("not a PNG"), std::string::npos);
}

}  // namespace
}  // namespace dovetail::io
