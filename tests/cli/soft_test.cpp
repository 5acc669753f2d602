// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

class SoftCommand : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    write_points(folder_ / "target.ply", hills());
    write_points(folder_ / "source.ply", truth_.inverse() * hills());
  }
  Outcome run(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"register", GetParam(), "source.ply", "target.ply"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }

  Folder folder_;
  Transform truth_ = Rigid3::exp({1.5, -1.0, 1.2, 20, -10, 30});  // 125 degrees: far beyond ICP's reach
};
INSTANTIATE_TEST_SUITE_P(Methods, SoftCommand, testing::Values("em-icp", "softassign"),
                         [](const auto& test_info) { return test_info.param == "em-icp" ? "em_icp" : "softassign"; });

TEST_P(SoftCommand, finds_any_rotation) {
  const Outcome done = run({"--json", "run.json", "--out", "moved.ply"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_NE(done.out.find("usable"), std::string::npos);
  const Transform found = read_pose(folder_ / "run.json");
  EXPECT_LT(rotation_angle_between(found, truth_), 2e-3);
  EXPECT_LT(distance_between(found, truth_, {50, 37, 5}), 0.2);  // of 100 across, points 2 apart
  EXPECT_EQ(read_points(folder_ / "moved.ply").size(), hills().size());
}

TEST_P(SoftCommand, json_tells_method_options_and_convergence) {
  ASSERT_EQ(run({"--json", "run.json", "--starts", "auto", "--quiet"}).exit_code, 0);
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_EQ(json["method"], GetParam() == "em-icp" ? "em_icp" : "softassign");
  EXPECT_EQ(json["options"]["starts"], 0);
  EXPECT_EQ(json["options"]["accuracy"], 1e-6);
  EXPECT_EQ(json["iterations"], json["trace"].size());
  double before = 1e300;
  for (const auto& row : json["trace"]) {
    EXPECT_LE(row["sigma"].get<double>(), before);
    before = row["sigma"].get<double>();
    EXPECT_TRUE(row["objective"].is_number());
    EXPECT_FALSE(row.contains("max_distance"));
  }
  EXPECT_GT(json["margin"].get<double>(), 0);
}

TEST_P(SoftCommand, icp_can_follow) {
  ASSERT_EQ(run({"--json", "run.json", "--refine", "icp", "--quiet"}).exit_code, 0);
  const Transform found = read_pose(folder_ / "run.json");
  EXPECT_LT(rotation_angle_between(found, truth_), 1e-5);
  EXPECT_LT(distance_between(found, truth_, {50, 37, 5}), 1e-3);
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_TRUE(json["trace"].back().contains("max_distance")) << "the last rows are ICP's";
  EXPECT_TRUE(json["trace"].front().contains("sigma"));
  EXPECT_EQ(json["iterations"], json["trace"].size());
}

TEST_P(SoftCommand, options_and_help_name_every_flag) {
  const std::string table = run_program(folder_, {"options", GetParam()}).out;
  const std::string help = run_program(folder_, {"register", GetParam(), "--help"}).out;
  const std::vector<OptionInfo> all = GetParam() == "em-icp" ? list_options<EmIcp>() : list_options<Softassign>();
  for (const OptionInfo& info : all) {
    std::string flag = "--" + info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_NE(table.find(flag), std::string::npos) << flag;
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
  EXPECT_EQ(table.find("--metric"), std::string::npos) << "only the method asked for";
}

TEST_P(SoftCommand, mistakes_are_named) {
  const Outcome done = run({"--annealing", "1.5"});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_NE(done.err.find("annealing"), std::string::npos);
  EXPECT_NE(done.err.find("0.01 to 0.999"), std::string::npos);
}

}  // namespace
}  // namespace dovetail::test
