// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override { write_points(folder_ / "a.ply", hills()); }
  Outcome run(const std::vector<std::string>& arguments) const {
    const Outcome done = run_program(folder_, arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done;
  }
  PointCloud read(const std::string& name) const { return read_points(folder_ / name); }

  Folder folder_;
};

TEST_F(Files, apply_and_its_inverse) {
  write_pose(folder_ / "pose.txt", small_motion());
  run({"apply", "pose.txt", "a.ply", "moved.ply"});
  run({"apply", "pose.txt", "moved.ply", "back.pcd", "--inverse"});
  const PointCloud moved = read("moved.ply"), back = read("back.pcd"), first = hills();
  ASSERT_EQ(moved.size(), first.size());
  ASSERT_EQ(back.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(moved.positions[i], small_motion() * first.positions[i]);  // double in, double out
    EXPECT_LT(norm(back.positions[i] - first.positions[i]), 1e-12);
  }
}

TEST_F(Files, convert_through_formats_and_encodings) {
  run({"convert", "a.ply", "a.pcd", "--encoding", "binary-compressed"});
  run({"convert", "a.pcd", "b.ply", "--encoding", "ascii"});
  run({"convert", "b.ply", "c.xyz"});
  EXPECT_NE(read_text(folder_ / "b.ply").find("format ascii"), std::string::npos);
  EXPECT_EQ(read("c.xyz").positions, hills().positions);
}

TEST_F(Files, convert_tells_the_file_of_which_nothing_is_left) {
  write_text(folder_ / "none.xyz", "nan nan nan\nnan 1 2\n");
  expect_refusal(run_program(folder_, {"convert", "none.xyz", "d.ply", "--drop-invalid"}), 3,
                 {"none.xyz: there are no points left", "--drop-invalid"});
}

TEST_F(Files, convert_precision) {
  run({"convert", "a.ply", "single.ply", "--precision", "float"});
  EXPECT_EQ(read("single.ply").precision, Precision::float32);
  run({"convert", "single.ply", "still.ply"});
  EXPECT_EQ(read("still.ply").precision, Precision::float32);
  run({"convert", "single.ply", "again.ply", "--precision", "double"});
  EXPECT_EQ(read("again.ply").precision, Precision::float64);
}

TEST_F(Files, convert_prepares) {
  PointCloud holes = hills();
  holes.positions[7] = Vec3{1, 1, 1} * std::numeric_limits<double>::quiet_NaN();
  write_points(folder_ / "holes.ply", holes);
  run({"convert", "holes.ply", "clean.ply", "--drop-invalid"});
  EXPECT_EQ(read("clean.ply").size(), hills().size() - 1);
  run({"convert", "a.ply", "coarse.ply", "--voxel", "10"});
  EXPECT_EQ(read("coarse.ply").size(), downsample(hills(), 10).size());
  for (const std::vector<std::string>& form :
       std::vector<std::vector<std::string>>{{"--normals"}, {"--normals", "16"}, {"--normals=16"}}) {
    std::vector<std::string> words = {"convert"};
    words.insert(words.end(), form.begin(), form.end());
    words.insert(words.end(), {"a.ply", "normals.ply"});
    run(words);
    PointCloud expected = hills();
    estimate_normals(expected, {.neighbours = 16});
    EXPECT_EQ(read("normals.ply").normals, expected.normals);
  }
}

TEST_F(Files, evaluate_says_what_a_registration_says_of_its_pose) {
  write_points(folder_ / "source.ply", small_motion().inverse() * hills());
  run({"register", "icp", "source.ply", "a.ply", "--json", "run.json"});
  const Outcome done = run({"evaluate", "run.json", "source.ply", "a.ply", "--json", "-"});
  const nlohmann::json found = read_json(folder_ / "run.json"), told = nlohmann::json::parse(done.out);
  for (const char* key : {"target_from_source", "model", "inlier_distance", "inlier_ratio", "overlap", "usable"}) {
    EXPECT_EQ(told[key], found[key]) << key;
  }
  EXPECT_NEAR(told["rmse"].get<double>(), found["rmse"].get<double>(), 1e-6);
  EXPECT_EQ(told["iterations"], 0);
  EXPECT_NE(run({"evaluate", "run.json", "source.ply", "a.ply"}).out.find("overlap"), std::string::npos);
}

TEST_F(Files, evaluate_of_a_bad_pose_is_not_usable) {
  write_pose(folder_ / "far.txt", Rigid3{Mat3::identity(), {1e4, 0, 0}});
  const Outcome done = run_program(folder_, {"evaluate", "far.txt", "a.ply", "a.ply", "--json", "out.json", "--quiet"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(read_json(folder_ / "out.json")["inlier_ratio"], 0.0);
}

}  // namespace
}  // namespace dovetail::test
