// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

class Outputs : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "target.ply", hills());
    write_points(folder_ / "source.ply", small_motion().inverse() * hills());
  }
  Outcome run(const std::vector<std::string>& more, const std::string& target = "target.ply") const {
    std::vector<std::string> words = {"register", "icp", "source.ply", target};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }

  Folder folder_;
};

/// The target is not there: a refusal that does not speak of it came before anything was read.
TEST_F(Outputs, that_cannot_be_written_are_refused_before_the_work) {
  std::filesystem::create_directory(folder_ / "taken.json");
  expect_refusal(run({"--json", "taken.json"}, "none.ply"), 3, {"taken.json: is a folder"});
  expect_refusal(run({"--pose", "/proc/pose.txt"}, "none.ply"), 3, {"/proc/pose.txt: cannot be written"});
  expect_refusal(run({"--out", "/proc/moved.ply"}, "none.ply"), 3, {"/proc/moved.ply: cannot be written"});
  const std::string long_name(300, 'n');
  expect_refusal(run({"--json", long_name}, "none.ply"), 3, {"cannot be written", "too long"});
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"source.ply", "taken.json", "target.ply"})) << "trials are gone";
}

TEST_F(Outputs, an_older_file_stays_where_it_is_refused) {
  write_text(folder_ / "run.json", "older");
  EXPECT_EQ(run({"--json", "run.json", "--metric", "none"}).exit_code, 2);
  EXPECT_EQ(run({"--json", "run.json"}, "none.ply").exit_code, 3);
  EXPECT_EQ(read_text(folder_ / "run.json"), "older");
}

TEST_F(Outputs, two_to_one_place_are_refused) {
  expect_refusal(run({"--json", "same.ply", "--out", "same.ply"}), 2, {"--json", "--out", "same.ply"});
  expect_refusal(run({"--json", "a.txt", "--pose", "./a.txt"}), 2, {"--json", "--pose", "a.txt"});
  expect_refusal(run({"--json", "-", "--pose", "-"}), 2, {"--json and --pose both go to stdout"});
  EXPECT_EQ(run({"--json", "/dev/null", "--pose", "/dev/null", "--quiet"}).exit_code, 0);
}

TEST_F(Outputs, a_file_that_is_read_is_not_written_over_by_another_kind) {
  expect_refusal(run({"--json", "source.ply"}), 2, {"--json: source.ply is read"});
  expect_refusal(run({"--pose", "./target.ply"}), 2, {"--pose", "target.ply is read"});
  expect_refusal(run_program(folder_, {"field", "build", "target.ply", "--out", "target.ply"}), 2, {"--out"});
  EXPECT_EQ(run({"--out", "source.ply"}).exit_code, 0) << "moved in place";
}

/// A pipe gives its bytes only once.
TEST_F(Outputs, inputs_may_be_pipes) {
  write_pose(folder_ / "pose.txt", small_motion());
  write_text(folder_ / "all.sh",
             "set -e\n" DOVETAIL_PROGRAM " register icp <(cat source.ply) <(cat target.ply) --quiet\n" DOVETAIL_PROGRAM
             " register chamfer <(cat source.ply) <(cat target.ply) --quiet --start <(cat pose.txt)\n" DOVETAIL_PROGRAM
             " apply <(cat pose.txt) <(cat source.ply) moved.ply\n" DOVETAIL_PROGRAM
             " evaluate <(cat pose.txt) <(cat source.ply) <(cat target.ply) --quiet\n");
  const std::string command = "cd '" + folder_.path().string() + "' && bash all.sh";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT
}

TEST_F(Outputs, empty_names_are_refused) {
  for (const char* flag : {"--json", "--out", "--pose", "--weights"}) {
    expect_refusal(run({flag, ""}), 2, {flag, "name"});
  }
  expect_refusal(run_program(folder_, {"evaluate", "p.txt", "source.ply", "target.ply", "--json", ""}), 2, {"--json"});
  expect_refusal(run_program(folder_, {"field", "build", "source.ply", "--out", ""}), 2, {"--out"});
  expect_refusal(run_program(folder_, {"demo", "--out", ""}), 2, {"--out"});
  EXPECT_EQ(run_program(folder_, {"convert", "source.ply", ""}).exit_code, 2);
  EXPECT_EQ(folder_.files().size(), 2u);
}

TEST_F(Outputs, one_that_fails_keeps_no_other_from_being_written) {
  const Outcome done = run({"--json", "/dev/full", "--out", "moved.ply", "--pose", "pose.txt"});
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_NE(done.err.find("dovetail: /dev/full: cannot be written"), std::string::npos) << done.err;
  EXPECT_NE(done.out.find("usable"), std::string::npos);
  EXPECT_EQ(read_points(folder_ / "moved.ply").size(), hills().size());
  EXPECT_LT(distance_between(read_pose(folder_ / "pose.txt"), small_motion(), {50, 37, 5}), 1e-2);
}

TEST_F(Outputs, a_format_without_a_place_for_the_points_is_refused_before_the_work) {
  expect_refusal(run({"--out", "moved.stl"}), 2, {"moved.stl: an STL file holds triangles"});
  PointCloud holes = hills();
  holes.positions[3] = Vec3{1, 1, 1} * std::numeric_limits<double>::quiet_NaN();
  write_points(folder_ / "source.ply", holes);
  expect_refusal(run({"--out", "moved.las"}), 2, {"moved.las: a LAS file cannot hold invalid points"});
  expect_refusal(run_program(folder_, {"convert", "source.ply", "a.stl"}), 2, {"a.stl: an STL file holds triangles"});
  EXPECT_EQ(folder_.files().size(), 2u);
}

TEST_F(Outputs, the_pose_may_go_to_stdout_alone) {
  const Outcome done = run({"--pose", "-", "--json", "run.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  write_text(folder_ / "pose.txt", done.out);
  EXPECT_EQ(read_pose(folder_ / "pose.txt"), read_pose(folder_ / "run.json"));
  EXPECT_TRUE(done.out.starts_with("# rigid3")) << done.out;
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"pose.txt", "run.json", "source.ply", "target.ply"}));
}

}  // namespace
}  // namespace dovetail::test
