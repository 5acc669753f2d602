// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

class Errors : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "a.ply", hills());
    write_points(folder_ / "line.ply", line());
  }
  /// The run has to fail with that code, nothing on stdout, and one message on stderr that holds all the words.
  void expect_failure(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& words) {
    const Outcome done = run_program(folder_, arguments);
    EXPECT_EQ(done.exit_code, code) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_TRUE(done.err.starts_with("dovetail: ")) << done.err;
    for (const std::string& word : words) EXPECT_NE(done.err.find(word), std::string::npos) << done.err;
  }

  Folder folder_;
};

TEST_F(Errors, unknown_method_lists_those_there_are) {
  expect_failure({"register", "ipc", "a.ply", "a.ply"}, 2, {"'ipc'", "icp"});
  expect_failure({"register", "a.ply", "a.ply"}, 2, {"'a.ply'", "icp"});
  expect_failure({"register"}, 2, {"icp"});
  expect_failure({"options", "ipc"}, 2, {"'ipc'", "icp"});
}

TEST_F(Errors, option_out_of_range_names_it_its_value_and_what_is_allowed) {
  expect_failure({"register", "icp", "a.ply", "a.ply", "--max-distance", "far"}, 2,
                 {"max_distance", "'far'", "more than 0"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--levels", "99"}, 2, {"levels", "'99'", "1 to 12"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--metric", "nearest"}, 2,
                 {"metric", "'nearest'", "point_to_plane"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--machine", "tpu"}, 2, {"machine", "'tpu'", "cpu"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--machine", "cuda:x"}, 2, {"machine", "'cuda:x'", "cuda:N"});
  expect_failure({"convert", "a.ply", "b.ply", "--encoding", "morse"}, 2, {"encoding", "'morse'", "binary_big_endian"});
  expect_failure({"convert", "a.ply", "b.ply", "--precision", "half"}, 2, {"precision", "'half'", "double"});
  expect_failure({"convert", "a.ply", "b.ply", "--normals", "99"}, 2, {"neighbours", "99"});
  expect_failure({"convert", "a.ply", "b.ply", "--voxel", "-1"}, 2, {"voxel", "-1"});
}

TEST_F(Errors, flags_and_files_that_do_not_belong) {
  expect_failure({"register", "icp", "a.ply", "a.ply", "--bogus", "3"}, 2, {"--bogus"});
  expect_failure({"register", "icp", "a.ply"}, 2, {"TARGET"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "a.ply"}, 2, {"a.ply"});
  expect_failure({"align"}, 2, {});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--estimate-scale"}, 2, {"estimate_scale", "point_to_point"});
}

TEST_F(Errors, files_that_fail) {
  expect_failure({"register", "icp", "none.ply", "a.ply"}, 3, {"none.ply", "No such file"});
  write_text(folder_ / "broken.ply", read_text(folder_ / "a.ply").substr(0, 700));
  expect_failure({"register", "icp", "broken.ply", "a.ply"}, 3, {"broken.ply", "truncated"});
  write_text(folder_ / "empty.ply", "");
  expect_failure({"convert", "empty.ply", "b.ply"}, 3, {"empty.ply", "empty"});
  expect_failure({"apply", "none.json", "a.ply", "b.ply"}, 3, {"none.json"});
}

TEST_F(Errors, outputs_are_checked_before_the_work) {
  expect_failure({"register", "icp", "none.ply", "a.ply", "--out", "moved.foo"}, 2, {"moved.foo", ".ply"});
  expect_failure({"register", "icp", "none.ply", "a.ply", "--json", "no/run.json"}, 3, {"no/run.json", "folder no"});
  expect_failure({"register", "icp", "none.ply", "a.ply", "--pose", "no/pose.txt"}, 3, {"no/pose.txt"});
  expect_failure({"convert", "none.ply", "b"}, 2, {".ply"});
}

TEST_F(Errors, an_absent_gpu_never_falls_back) {
  for (const MachineInfo& machine : available_machines()) {
    if (machine.name.starts_with("cuda:")) GTEST_SKIP() << "there is a GPU here";
  }
  expect_failure({"register", "icp", "a.ply", "a.ply", "--machine", "cuda"}, 3, {"cuda"});
  expect_failure({"register", "icp", "a.ply", "a.ply", "--machine", "cuda:3"}, 3, {"cuda"});
}

TEST_F(Errors, a_result_that_is_not_usable_leaves_json_but_no_cloud) {
  const Outcome done = run_program(folder_, {"register", "icp", "line.ply", "a.ply", "--json", "run.json", "--out",
                                             "moved.ply", "--pose", "pose.txt"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.out.find("NOT USABLE"), std::string::npos);
  EXPECT_NE(done.err.find("moved.ply not written"), std::string::npos) << done.err;
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"a.ply", "line.ply", "run.json"}));
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_EQ(json["usable"], false);
  EXPECT_EQ(json["termination"], "degenerate");
}

TEST_F(Errors, help_is_no_error_and_shows_an_example) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"register"},
                                                                                       {"register", "icp"},
                                                                                       {"evaluate"},
                                                                                       {"symmetry"},
                                                                                       {"apply"},
                                                                                       {"convert"},
                                                                                       {"options"},
                                                                                       {"info"},
                                                                                       {"demo"}}) {
    std::vector<std::string> words = command;
    words.push_back("--help");
    const Outcome done = run_program(folder_, words);
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_EQ(done.err, "");
    EXPECT_NE(done.out.find("Example"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("dovetail " + command[0]), std::string::npos) << done.out;
  }
  EXPECT_EQ(run_program(folder_, {"--version"}).out, "dovetail " + build_info().version + "\n");
}

}  // namespace
}  // namespace dovetail::test
