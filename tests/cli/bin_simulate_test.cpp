// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.h"
#include "dovetail/bins.h"
#include "dovetail/io.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

class BinSimulate : public testing::Test {
 protected:
  void SetUp() override {
    if (!bins_available() || !scanner_available()) GTEST_SKIP() << "built without Bullet or Embree";
  }
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"bin", "simulate"});
    return run_program(folder_, words);
  }
  Folder folder_;
};

TEST_F(BinSimulate, writes_a_data_set_and_tells_a_person) {
  const Outcome done = run({"built-in:cube", "built-in:hex_nut", "--count", "2,1", "--size", "300,250,150", "--images",
                            "2", "--columns", "160", "--rows", "120", "--out", "set", "--seed", "4"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  for (const char* text : {"2 of 300 x 250 x 150 mm", "6 at rest of 6 dropped", "160 x 120", "of 6 are targets"}) {
    EXPECT_NE(done.out.find(text), std::string::npos) << text << "\n" << done.out;
  }
  const nlohmann::json truths = read_json(folder_ / "set/test/000001/scene_gt.json");
  EXPECT_EQ(truths["0"].size(), 3u);
  EXPECT_EQ(read_json(folder_ / "set/models/models_info.json")["1"]["symmetries_discrete"].size(), 23u) << "a cube";
  // It may not be written over.
  expect_refusal(run({"built-in:cube", "--out", "set"}), 3, {"set: is already there"});
}

TEST_F(BinSimulate, resting_poses_are_kept_with_images_and_without) {
  const std::vector<std::string> small = {"built-in:cube", "--count", "2", "--seed", "6", "--quiet"};
  std::vector<std::string> words = small;
  words.insert(words.end(), {"--columns", "80", "--rows", "60", "--out", "set", "--poses", "with.json"});
  EXPECT_EQ(run(words).exit_code, 0);
  words = small;
  words.insert(words.begin(), {"bin", "poses"});
  words.insert(words.end(), {"--bins", "1", "--out", "without.json"});
  EXPECT_EQ(run_program(folder_, words).exit_code, 0);
  EXPECT_EQ(read_text(folder_ / "with.json"), read_text(folder_ / "without.json"));
  const RestingPoses poses = read_resting_poses(folder_ / "with.json");
  ASSERT_EQ(poses.parts.size(), 1u);
  EXPECT_EQ(poses.parts[0].name, "built-in:cube");
  EXPECT_EQ(poses.parts[0].checksum, geometry_checksum(built_in_part(BuiltInPart::cube)));
  ASSERT_EQ(poses.bins.size(), 1u);
  EXPECT_EQ(poses.bins[0].seed, 6u);
  EXPECT_EQ(poses.bins[0].parts.size(), 2u);
  words.back() = "nowhere/poses.json";
  expect_refusal(run_program(folder_, words), 3, {"nowhere/poses.json"});
  expect_refusal(run_program(folder_, {"bin", "poses", "built-in:cube", "--bins", "0", "--out", "p.json"}), 2,
                 {"--bins: 0", "1 or more"});
}

TEST_F(BinSimulate, units_are_stated_or_guessed_aloud) {
  PointCloud cube = built_in_part(BuiltInPart::cube);
  for (Vec3& p : cube.positions) p *= 0.001;
  write_points(folder_ / "cube.ply", cube);
  const std::vector<std::string> small = {"cube.ply", "--count", "1",       "--columns", "80",
                                          "--rows",   "60",      "--plane", "--quiet",   "--out"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), small.begin(), small.end());
    return run(more);
  };
  const auto diameter = [&](const std::string& set) {
    return read_json(folder_ / (set + "/models/models_info.json"))["1"]["diameter"].get<double>();
  };
  const Outcome guessed = with({"guessed"});
  EXPECT_EQ(guessed.exit_code, 0) << guessed.err;
  EXPECT_NE(guessed.err.find("cube.ply: taken to be in m, so that it is 60 x 60 x 60 mm"), std::string::npos)
      << guessed.err;
  EXPECT_NEAR(diameter("guessed"), 60 * std::sqrt(3.0), 1e-3);
  const Outcome stated = with({"stated", "--unit", "inch"});
  EXPECT_EQ(stated.err, "");
  EXPECT_NEAR(diameter("stated"), 0.0254 * 60 * std::sqrt(3.0), 1e-6);
}

TEST_F(BinSimulate, faces_with_corners_that_are_not_finite_are_left_out) {
  PointCloud cube = built_in_part(BuiltInPart::cube);
  cube.positions.push_back({std::nan(""), 0, 0});
  cube.faces.add({0, 1, 8});
  write_points(folder_ / "cube.ply", cube);
  const Outcome done = run({"cube.ply", "--unit", "mm", "--count", "1", "--columns", "80", "--rows", "60", "--plane",
                            "--quiet", "--out", "set"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("cube.ply: 1 face is left out"), std::string::npos) << done.err;
  EXPECT_EQ(read_points(folder_ / "set/models/obj_000001.ply").size(), 8u);
}

TEST_F(BinSimulate, what_is_wrong_is_refused) {
  for (const char* seed : {"-1", "1.5", "one", "18446744073709551616"}) {
    expect_refusal(run({"built-in:cube", "--seed", seed, "--out", "set"}), 2,
                   {std::string("--seed: '") + seed + "'", "0 to 18446744073709551615"});
  }
  expect_refusal(run_program(folder_, {"bin", "poses", "built-in:cube", "--bins", "999999999999", "--out", "p.json"}),
                 2, {"--bins: '999999999999'", "whole numbers up to 2147483647"});
  expect_refusal(run({"built-in:cube", "--threads", "two", "--out", "set"}), 2, {"--threads: 'two'", "a number"});
  expect_refusal(run({"built-in:cube", "--out", ""}), 2, {"--out"});
  expect_refusal(run({"built-in:cube"}), 2, {"--out is required"});
  expect_refusal(run({"built-in:cub", "--out", "set"}), 2, {"built-in:cub", "there are: bracket, box, cube"});
  expect_refusal(run({"built-in:cube", "--size", "90,300,300", "--out", "set"}), 2, {"--size: length", "90", "103.9"});
  expect_refusal(run({"built-in:cube", "--size", "90", "--out", "set"}), 2, {"--size", "length,width,height"});
  expect_refusal(run({"built-in:cube", "--count", "1,2", "--out", "set"}), 2, {"--count", "2 numbers for 1 parts"});
  expect_refusal(run({"built-in:cube", "--unit", "furlong", "--out", "set"}), 2, {"--unit", "mm, cm, m, inch"});
  expect_refusal(run({"built-in:cube", "--friction", "-1", "--out", "set"}), 2, {"friction", "0 to 10"});
  expect_refusal(run({"built-in:cube", "--no-noise", "--baseline", "0.1", "--out", "set"}), 2, {"--baseline"});
  expect_refusal(run({"absent.stl", "--out", "set"}), 3, {"absent.stl"});
  write_text(folder_ / "camera.json", R"({"width": 64, "height": 48, "fx": 60, "fy": 60, "cx": 9999, "cy": 24})");
  expect_refusal(run({"built-in:cube", "--camera", "camera.json", "--count", "1", "--out", "set"}), 2,
                 {"--camera: camera.json: it sees none"});
  for (const char* flag : {"--columns", "--rows", "--field-of-view"}) {
    expect_refusal(run({"built-in:cube", "--camera", "camera.json", flag, "50", "--out", "set"}), 2,
                   {std::string(flag) + ": ", "--camera"});
  }
  write_text(folder_ / "camera.json", R"({"fx": 60, "fy": 60, "cx": 32, "cy": 24})");
  expect_refusal(run({"built-in:cube", "--camera", "camera.json", "--out", "set"}), 2,
                 {"--camera: camera.json: has no width and height"});
  write_text(folder_ / "camera.json",
             R"({"width": 80, "height": 60, "fx": 100, "fy": 100, "cx": 40, "cy": 30, "depth_scale": 0.001})");
  expect_refusal(run({"built-in:cube", "--camera", "camera.json", "--count", "2", "--out", "set"}), 2,
                 {"--camera: camera.json: depth_scale 0.001 is not allowed", "16 bits"});
  EXPECT_EQ(folder_.files(), std::vector<std::string>{"camera.json"});
}

}  // namespace
}  // namespace dovetail::test
