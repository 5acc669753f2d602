// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "dovetail/bins.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

/// A bin of four pipes and their database, made once.
class PoseFindCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!bins_available() || !scanner_available()) return;
    folder_ = new Folder;
    const Outcome bin = run_program(*folder_, {"bin", "simulate", "built-in:t_pipe", "--count", "4", "--seed", "3",
                                               "--columns", "320", "--rows", "240", "--out", "bin", "--quiet"});
    ASSERT_EQ(bin.exit_code, 0) << bin.err;
    const Outcome built =
        run_program(*folder_, {"pose", "build", "built-in:t_pipe", "--sampling", "uniform", "--references", "400",
                               "--image-size", "32", "--out", "tee.posedb", "--quiet"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  void SetUp() override {
    if (!folder_) GTEST_SKIP() << "built without Bullet or Embree";
  }

  static std::vector<std::string> find(std::vector<std::string> more) {
    std::vector<std::string> all{
        "pose", "find", "bin/test/000001/depth/000000.png", "--camera", "bin/camera.json", "--poses", "tee.posedb"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static const Folder& folder() { return *folder_; }

 private:
  static Folder* folder_;
};
Folder* PoseFindCommand::folder_ = nullptr;

TEST_F(PoseFindCommand, writes_what_it_promises) {
  const Outcome done = run_program(
      folder(), find({"--json", "found.json", "--picture", "found.png", "--results", "found.csv", "--refined", "30"}));
  ASSERT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_NE(done.out.find("found"), std::string::npos);
  EXPECT_EQ(read_text(folder() / "found.png").substr(1, 3), "PNG");
  const nlohmann::json json = read_json(folder() / "found.json");
  EXPECT_EQ(json.at("schema"), "dovetail.found/1");
  EXPECT_EQ(json.at("options").at("refined"), 30);
  EXPECT_FALSE(json.at("options").contains("normal_neighbours")) << "the options of another command";
  ASSERT_GE(json.at("objects").size(), 1u);
  for (const nlohmann::json& object : json.at("objects")) {
    EXPECT_EQ(object.at("object"), "t_pipe");
    EXPECT_EQ(object.at("equivalents").size(), 1u);  // a half turn about the branch
    EXPECT_TRUE(object.at("turns_about").is_null());
    const nlohmann::json& pixels = object.at("pixels");
    EXPECT_EQ(pixels.at("all").get<long>(), pixels.at("explained").get<long>() + pixels.at("hidden").get<long>() +
                                                pixels.at("contradicted").get<long>() +
                                                pixels.at("unknown").get<long>());
    EXPECT_EQ(object.at("on_top").get<bool>(), object.at("covered_by").empty());
  }
  const std::string csv = read_text(folder() / "found.csv");
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), 1 + json.at("objects").size());
  EXPECT_NE(csv.find("\n1,0,1,"), std::string::npos) << "scene 1, image 0, object 1: " << csv;

  // The same image again with its own result as the start: the same parts.
  const Outcome again = run_program(folder(), find({"--start", "found.json", "--json", "again.json", "--quiet"}));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_GE(read_json(folder() / "again.json").at("objects").size(), json.at("objects").size());
}

TEST_F(PoseFindCommand, refuses_what_cannot_be) {
  expect_refusal(run_program(folder(), find({"--region", "1,2,3"})), 2, {"--region", "1,2,3", "LEFT,TOP,WIDTH,HEIGHT"});
  expect_refusal(run_program(folder(), find({"--region", "900,0,10,10"})), 2, {"--region: ", "320 x 240"});
  expect_refusal(run_program(folder(), find({"--reach", "0,0,9,1,1,8"})), 2, {"--reach: ", "along z"});
  expect_refusal(run_program(folder(), find({"--prefer", "1,2"})), 2, {"--prefer", "X,Y,Z"});
  expect_refusal(run_program(folder(), find({"--mask", "bin/camera.json"})), 3, {"bin/camera.json", "PNG"});
  expect_refusal(run_program(folder(), find({"--start", "bin/camera.json"})), 3,
                 {"bin/camera.json", "dovetail.found/1"});
  write_text(folder() / "mirror.txt", "-1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write_text(folder() / "double.txt", "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n");
  write_text(folder() / "shear.txt", "1 0.5 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write_text(folder() / "words.txt", "none\n");
  for (const auto& [file, what] : {std::pair{"mirror.txt", "is a mirror image"},
                                   {"double.txt", "scales by 2"},
                                   {"shear.txt", "is no rotation"},
                                   {"words.txt", "row"},
                                   {"no.txt", "no.txt"}}) {
    expect_refusal(run_program(folder(), find({"--scene-to", file, "--json", "lost.json"})), 3,
                   {std::string("--scene-to: ") + file + ": ", what, "allowed: a rotation and a shift"});
  }
  write_text(folder() / "blind.json", R"({"fx": 0, "fy": 500, "cx": 160, "cy": 120})");
  expect_refusal(run_program(folder(), {"pose", "find", "bin/test/000001/depth/000000.png", "--camera", "blind.json",
                                        "--poses", "tee.posedb"}),
                 3, {"blind.json", "fx", "more than 0"});
  write_text(folder() / "large.json", R"({"fx": 500, "fy": 500, "cx": 320, "cy": 240, "width": 640, "height": 480})");
  expect_refusal(run_program(folder(), {"pose", "find", "bin/test/000001/depth/000000.png", "--camera", "large.json",
                                        "--poses", "tee.posedb"}),
                 3, {"640", "320"});
  expect_refusal(run_program(folder(), {"pose", "find", "--dataset", "bin", "--poses", "tee.posedb", "--results",
                                        "r.csv", "--picture", "p.png"}),
                 2, {"--picture", "IMAGE"});
}

}  // namespace
}  // namespace dovetail::test
