// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

/// What is wrong with a file's data is told with the file's name, and ends with code 3.
class Blame : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "solid.ply", hills());
    write_points(folder_ / "flat.csv", curve());
  }
  void expect(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const Outcome done = run_program(folder_, words);
    EXPECT_EQ(done.exit_code, 3) << done.err;
    EXPECT_EQ(done.out, "");
    for (const std::string& part : parts) EXPECT_NE(done.err.find(part), std::string::npos) << part << "\n" << done.err;
  }

  Folder folder_;
};

TEST_F(Blame, a_start_that_is_no_rotation) {
  write_text(folder_ / "guess.txt", "1.003 0 0 5\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  expect({"register", "icp", "solid.ply", "solid.ply", "--start", "guess.txt"},
         {"guess.txt: the pose is affine3", "0.002 off a rotation", "allowed as a start: rigid"});
  expect({"register", "chamfer", "solid.ply", "solid.ply", "--start", "guess.txt"}, {"guess.txt", "here rigid3"});
  write_text(folder_ / "double.txt", "2 0 5\n0 2 0\n0 0 1\n");
  expect({"register", "chamfer", "flat.csv", "flat.csv", "--start", "double.txt"}, {"double.txt", "scales by 2"});
  EXPECT_NE(run_program(folder_, {"register", "chamfer", "flat.csv", "flat.csv", "--start", "double.txt", "--model",
                                  "similarity", "--quiet"})
                .exit_code,
            3);
}

TEST_F(Blame, files_of_different_dimensions) {
  for (const char* method : {"icp", "em-icp", "softassign", "chamfer"}) {
    expect({"register", method, "flat.csv", "solid.ply"}, {"flat.csv has 2 dimensions and solid.ply has 3"});
  }
  write_pose(folder_ / "pose.txt", small_motion());
  expect({"evaluate", "pose.txt", "solid.ply", "flat.csv"}, {"solid.ply has 3 dimensions and flat.csv has 2"});
}

TEST_F(Blame, weights_that_do_not_fit) {
  write_text(folder_ / "few.txt", "1\n1\n");
  expect({"register", "icp", "flat.csv", "flat.csv", "--weights", "few.txt"},
         {"few.txt: 2 weights for the 400 points of flat.csv"});
  write_text(folder_ / "minus.txt", "1\n-1\n");
  expect({"register", "icp", "flat.csv", "flat.csv", "--weights", "minus.txt"}, {"minus.txt: line 2: -1"});
}

TEST_F(Blame, a_reference_without_usable_points) {
  write_text(folder_ / "none.csv", "x,y\nnan,nan\nnan,nan\n");
  expect({"register", "chamfer", "flat.csv", "none.csv"}, {"none.csv: none of its points can be used"});
  expect({"field", "build", "none.csv", "--out", "none.field"}, {"none.csv: none of its points can be used"});
}

TEST_F(Blame, what_is_no_reference) {
  expect({"register", "chamfer", ".", "solid.ply"}, {".: is a folder"});
  expect({"register", "chamfer", "solid.ply", "."}, {".: is a folder"});
  write_text(folder_ / "run.json", R"({"schema": "dovetail.registration/1"})");
  expect({"register", "chamfer", "run.json", "flat.csv"}, {"run.json: is JSON, but no GeoJSON"});
}

}  // namespace
}  // namespace dovetail::test
