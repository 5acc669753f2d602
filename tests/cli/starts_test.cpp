// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

/// The source is far away: only a start finds the way back.
class Starts : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "target.ply", hills());
    write_points(folder_ / "source.ply", truth_.inverse() * hills());
    write_pose(folder_ / "good.txt", small_motion() * truth_);
    write_pose(folder_ / "bad.txt", Rigid3{exp_so3(Vec3{0, 0, 3}), {-500, 900, 70}});
  }
  Outcome run(std::vector<std::string> more) const {
    std::vector<std::string> words = {"register", "icp", "source.ply", "target.ply", "--json", "run.json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }
  double error() const { return distance_between(read_pose(folder_ / "run.json"), truth_, {1000, -2000, 500}); }

  Folder folder_;
  Transform truth_ = Rigid3{exp_so3(Vec3{0.02, 0.03, -0.04}), {-1000, 2000, -500}};
};

TEST_F(Starts, none_is_not_usable_here) { EXPECT_EQ(run({}).exit_code, 1); }
TEST_F(Starts, identity_is_the_default) { EXPECT_EQ(run({"--start", "identity"}).exit_code, 1); }

TEST_F(Starts, centroid) {
  EXPECT_EQ(run({"--start", "centroid"}).exit_code, 0);
  EXPECT_LT(error(), 1e-2);
  EXPECT_EQ(read_json(folder_ / "run.json")["options"]["start_at_centroid"], true);
}

TEST_F(Starts, text_matrix) {
  EXPECT_EQ(run({"--start", "good.txt"}).exit_code, 0);
  EXPECT_LT(error(), 1e-2);
  EXPECT_EQ(read_json(folder_ / "run.json")["options"]["start"].size(), 4u);
}

TEST_F(Starts, a_result_is_a_start) {
  ASSERT_EQ(run({"--start", "good.txt"}).exit_code, 0);
  std::filesystem::rename(folder_ / "run.json", folder_ / "first.json");
  EXPECT_EQ(run({"--start", "first.json", "--starts", "1"}).exit_code, 0);
  EXPECT_LT(error(), 1e-2);
}

TEST_F(Starts, several_are_ranked) {
  EXPECT_EQ(run({"--start", "bad.txt", "--start", "good.txt", "--starts", "1"}).exit_code, 0);
  EXPECT_LT(error(), 1e-2);
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_EQ(json["options"]["more_starts"].size(), 2u);
  EXPECT_TRUE(json["margin"].is_number());
}

TEST_F(Starts, files_that_hold_no_pose) {
  const Outcome missing = run({"--start", "nowhere.txt"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.err.find("nowhere.txt"), std::string::npos) << missing.err;
  write_text(folder_ / "words.txt", "1 0 0 0\n0 1 zero 0\n");
  const Outcome words = run({"--start", "words.txt"});
  EXPECT_EQ(words.exit_code, 3);
  EXPECT_NE(words.err.find("words.txt: line 2:"), std::string::npos) << words.err;
}

TEST_F(Starts, of_the_wrong_kind) {
  write_text(folder_ / "flat.txt", "1 0 3\n0 1 4\n0 0 1\n");
  const Outcome flat = run({"--start", "flat.txt"});
  EXPECT_EQ(flat.exit_code, 3);
  EXPECT_NE(flat.err.find("rigid2"), std::string::npos) << flat.err;
  write_text(folder_ / "stretch.txt", "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n");
  const Outcome stretch = run({"--start", "stretch.txt"});
  EXPECT_EQ(stretch.exit_code, 3);
  EXPECT_NE(stretch.err.find("similarity3"), std::string::npos) << stretch.err;
}

TEST_F(Starts, a_word_that_is_no_file_is_told_with_the_nearest_one) {
  const Outcome done = run({"--start", "identiy"});
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_NE(done.err.find("identiy: there is no such file; did you mean identity?"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace dovetail::test
