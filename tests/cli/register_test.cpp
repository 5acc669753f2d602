// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

class RegisterCommand : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "target.ply", hills());
    write_points(folder_ / "source.ply", truth_.inverse() * hills());
  }
  Outcome run(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"register", "icp", "source.ply", "target.ply"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }
  // The files hold the same points, moved: what is left is the float rounding of the inner loop (6e-8 of 100).
  void expect_truth(const Transform& found) const {
    EXPECT_LT(rotation_angle_between(found, truth_), 1e-5);
    EXPECT_LT(distance_between(found, truth_, {50, 37, 5}), 1e-3);
  }

  Folder folder_;
  Transform truth_ = small_motion();
};

TEST_F(RegisterCommand, summary_goes_to_stdout_and_nothing_to_stderr) {
  const Outcome done = run();
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.err, "");  // no bar: stderr is no terminal here
  for (const char* word : {"usable", "rotation", "translation", "rmse", "inliers", "overlap", "machine", "time"}) {
    EXPECT_NE(done.out.find(word), std::string::npos) << word;
  }
}

TEST_F(RegisterCommand, quiet_says_nothing) {
  const Outcome done = run({"--quiet"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.out + done.err, "");
}

TEST_F(RegisterCommand, json_on_stdout_is_pure_and_right) {
  const Outcome done = run({"--json", "-", "--machine", "cpu"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.err, "");
  const nlohmann::json json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["schema"], "dovetail.registration/1");
  EXPECT_EQ(json["machine"], "cpu");
  EXPECT_EQ(json["usable"], true);
  EXPECT_GT(json["time_ms"]["read"].get<double>(), 0.0);
  EXPECT_GE(json["time_ms"]["total"].get<double>(), json["time_ms"]["read"].get<double>());
  EXPECT_EQ(json["points"]["source"], hills().size());
  Mat4 m{};
  for (int i = 0; i < 16; ++i)
    m[i] = json["target_from_source"][static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)];
  expect_truth(Transform::from_matrix(Model::rigid3, m));
}

TEST_F(RegisterCommand, writes_moved_source_pose_and_json) {
  const Outcome done = run({"--json", "run.json", "--out", "moved.ply", "--pose", "pose.txt"});
  EXPECT_EQ(done.exit_code, 0);
  expect_truth(read_pose(folder_ / "run.json"));
  EXPECT_EQ(read_pose(folder_ / "run.json"), read_pose(folder_ / "pose.txt"));
  const PointCloud moved = read_points(folder_ / "moved.ply"), target = hills();
  ASSERT_EQ(moved.size(), target.size());
  for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_LT(norm(moved.positions[i] - target.positions[i]), 2e-3);
}

TEST_F(RegisterCommand, every_flag_reaches_the_options) {
  const Outcome done = run({"--metric", "point-to-plane", "--max-distance", "7.5", "--no-trace", "--threads", "1",
                            "--seed", "42", "--free", "rz,tx,ty,tz", "--min-inlier-ratio=0.25", "--json", "-"});
  const nlohmann::json json = nlohmann::json::parse(done.out);
  const nlohmann::json options = json["options"];
  EXPECT_EQ(options["metric"], "point_to_plane");
  EXPECT_EQ(options["max_distance"], 7.5);
  EXPECT_EQ(options["trace"], false);
  EXPECT_EQ(options["threads"], 1);
  EXPECT_EQ(options["seed"], 42);
  EXPECT_EQ(options["free"], "rz,tx,ty,tz");
  EXPECT_EQ(options["min_inlier_ratio"], 0.25);
  EXPECT_TRUE(json["trace"].empty());
}

TEST_F(RegisterCommand, the_same_bits_whatever_the_threads) {
  const auto pose = [](const Outcome& done) { return nlohmann::json::parse(done.out)["target_from_source"]; };
  EXPECT_EQ(pose(run({"--json", "-", "--threads", "1"})), pose(run({"--json", "-", "--threads", "2"})));
}

TEST_F(RegisterCommand, weights_are_read_and_counted) {
  std::string weights = "# one a line\n";
  for (std::size_t i = 0; i < hills().size(); ++i) weights += i % 2 == 0 ? "1\n" : " 0.5 # half\n";
  write_text(folder_ / "weights.txt", weights);
  EXPECT_EQ(run({"--weights", "weights.txt"}).exit_code, 0);
  write_text(folder_ / "weights.txt", "1\n2\n");
  const Outcome few = run({"--weights", "weights.txt"});
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_NE(few.err.find("weights.txt: 2 weights"), std::string::npos) << few.err;
  write_text(folder_ / "weights.txt", "1\ntwo\n");
  const Outcome wrong = run({"--weights", "weights.txt"});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.err.find("weights.txt: line 2: 'two'"), std::string::npos) << wrong.err;
}

TEST_F(RegisterCommand, two_dimensions) {
  write_points(folder_ / "target.txt", curve());
  write_points(folder_ / "source.txt", small_motion_2d().inverse() * curve());
  const Outcome done = run_program(folder_, {"register", "icp", "source.txt", "target.txt", "--json", "run.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_EQ(json["model"], "rigid2");
  EXPECT_EQ(json["target_from_source"].size(), 3u);
  EXPECT_LT(distance_between(read_pose(folder_ / "run.json"), small_motion_2d(), {50, 5, 0}), 0.02);
}

}  // namespace
}  // namespace dovetail::test
