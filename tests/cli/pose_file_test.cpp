// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_file.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/error.h"

namespace dovetail::test {
namespace {

Transform read_from(std::string_view text) {
  const Folder folder;
  write_text(folder / "pose", text);
  return read_pose(folder / "pose");
}

void expect_refusal(std::string_view text, const std::vector<std::string>& words) {
  try {
    read_from(text);
    FAIL() << "accepted: " << text;
  } catch (const FileError& error) {
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

const std::vector<Transform>& one_of_each_model() {
  static const Mat3 turn = exp_so3(Vec3{0.3, -0.2, 0.7});
  static const std::vector<Transform> poses = {
      small_motion_2d(),
      Similarity2{exp_so2(-2.0), {5, 6}, 1.00005},  // nearly rigid: the model's name in the file keeps the scale
      Affine2{{1.5, 0.2, -0.3, 0.9}, {1e6, -2e6}},
      Projective2{{1, 0.1, 3, 0.2, 1.1, 4, 1e-4, 2e-4, 1}},
      small_motion(),
      Similarity3{turn, {1, 2, 3}, 25.4},
      Affine3{Mat3{1, 0.1, 0.2, 0, 2, 0.3, 0, 0, 0.5}, {500000.123456789, 4e6, 1.0 / 3.0}},
  };
  return poses;
}

TEST(PoseFile, text_reads_back_as_the_same_bits) {
  const Folder folder;
  for (const Transform& pose : one_of_each_model()) {
    write_pose(folder / "pose.txt", pose);
    EXPECT_EQ(read_pose(folder / "pose.txt"), pose) << to_string(pose.model);
  }
}

TEST(PoseFile, result_reads_back_as_the_same_bits) {
  const Folder folder;
  for (const Transform& pose : one_of_each_model()) {
    Registration result;
    result.target_from_source = pose;
    write_result(folder / "run.json", result);
    EXPECT_EQ(read_pose(folder / "run.json"), pose) << to_string(pose.model);
  }
}

TEST(PoseFile, text_in_the_forms_people_write) {
  const Transform shift = Rigid3{Mat3::identity(), {1, 2, 3}};
  EXPECT_EQ(read_from("1 0 0 1\n0 1 0 2\n0 0 1 3\n0 0 0 1\n"), shift);
  EXPECT_EQ(read_from("1 0 0 1\n0 1 0 2\n0 0 1 3"), shift);
  EXPECT_EQ(read_from("# pose\r\n\r\n 1,0,0,1 # x\r\n0, 1, 0, 2;\r\n0\t0\t1\t+3\r\n0 0 0 1\r\n"), shift);
  EXPECT_EQ(read_from("1 0 4\n0 1 5\n0 0 1\n"), Transform(Rigid2{Mat2::identity(), {4, 5}}));
}

TEST(PoseFile, model_is_the_narrowest_that_fits) {
  // Six digits of a rotation by 30 degrees: rigid, and made exact.
  const Transform rounded = read_from("0.866025 -0.5 0 0\n0.5 0.866025 0 0\n0 0 1 0\n0 0 0 1\n");
  EXPECT_EQ(rounded.model, Model::rigid3);
  EXPECT_NEAR(rounded.matrix(0, 0) * rounded.matrix(0, 0) + rounded.matrix(1, 0) * rounded.matrix(1, 0), 1.0, 1e-15);
  EXPECT_EQ(read_from("2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n").model, Model::similarity3);
  EXPECT_EQ(read_from("2 0 0 0\n0 3 0 0\n0 0 2 0\n0 0 0 1\n").model, Model::affine3);
  EXPECT_EQ(read_from("-1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n").model, Model::affine3);  // a mirror image is not rigid
  EXPECT_EQ(read_from("3 0 0\n0 3 0\n0 0 1\n").model, Model::similarity2);
  EXPECT_EQ(read_from("1 0 0\n0 1 0\n0.1 0 1\n").model, Model::projective2);
}

TEST(PoseFile, json_in_the_forms_people_write) {
  const Transform shift = Rigid3{Mat3::identity(), {1, 2, 3}};
  const std::string matrix = "[[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]]";
  EXPECT_EQ(read_from("{\"target_from_source\": " + matrix + "}"), shift);
  EXPECT_EQ(read_from("{\"T\": " + matrix + "}"), shift);
  EXPECT_EQ(read_from(matrix), shift);
  EXPECT_EQ(read_from(R"({"R": [[1,0,0],[0,1,0],[0,0,1]], "t": [1,2,3]})"), shift);
  EXPECT_EQ(read_from(R"({"R": [[1,0],[0,1]], "t": [4,5]})"), Transform(Rigid2{Mat2::identity(), {4, 5}}));
}

TEST(PoseFile, refuses_with_file_line_and_reason) {
  expect_refusal("", {"pose: the file is empty"});
  expect_refusal("1 0 0 0\n0 1 x 0\n", {"pose: line 2", "'x'"});
  expect_refusal("1 0 0 0\n0 1\n", {"pose: line 2", "2 numbers"});
  expect_refusal("1 0 0 0\n0 1 0\n0 0 1 0\n", {"rows differ"});
  expect_refusal("1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0 0 1\n", {"line 5", "fifth row"});
  expect_refusal("1 0 0 0\n", {"1x4"});
  expect_refusal("0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 1\n", {"no inverse"});
  expect_refusal("1 0 0 nan\n0 1 0 0\n0 0 1 0\n", {"finite"});
  expect_refusal("1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 1 1\n", {"last row"});
  expect_refusal("# rigid3\n2 0 0 0\n0 2 0 0\n0 0 2 0\n", {"rigid3"});
}

TEST(PoseFile, refuses_json_with_line_or_key) {
  expect_refusal("{\n\"T\": [[1,\n}", {"line 3"});
  expect_refusal("{\"pose\": 1}", {"no pose", "target_from_source"});
  expect_refusal("{\"T\": 7}", {"\"T\"", "rows"});
  expect_refusal("{\"T\": [[1,0,0,\"a\"]]}", {"\"T\"", "string is not a number"});
  expect_refusal("{\"T\": [[1,0,0,null],[0,1,0,0],[0,0,1,0]]}", {"null is not a number"});
  expect_refusal("{\"T\": [[1,2,3,4,5]]}", {"5 numbers"});
  expect_refusal("{\"R\": [[1,0,0],[0,1,0],[0,0,1]], \"t\": [1,2]}", {"\"t\"", "2 numbers for the 3 rows"});
  expect_refusal("{\"model\": \"wobbly\", \"T\": [[1]]}", {"\"model\"", "wobbly"});
  expect_refusal("{\"model\": \"rigid2\", \"T\": [[1,0,0,0],[0,1,0,0],[0,0,1,0]]}", {"3x4", "rigid2"});
  expect_refusal("{\"T\": [[1e999]]}", {"pose: "});
}

TEST(PoseFile, write_failure_leaves_nothing) {
  const Folder folder;
  EXPECT_THROW(write_pose(folder / "no/pose.txt", small_motion()), FileError);
  EXPECT_THROW(read_pose(folder / "none.txt"), FileError);
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace dovetail::test
