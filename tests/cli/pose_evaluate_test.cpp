// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "dovetail/pose_evaluation.h"
#include "support/bop_dataset.h"

namespace dovetail::test {
namespace {

class PoseEvaluate : public testing::Test {
 protected:
  void SetUp() override {
    const BopDataset set(folder_.path() / "bins");
    std::filesystem::create_directories(set.folder());
    set.write_models();
    set.write_scene(three_images());
    set.write_targets({{0, 1, 1}, {3, 1, 1}, {7, 2, 1}});
    set.write_results(estimates_of_three_images());
  }
  Outcome run(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"pose", "evaluate", "bins/results.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }

  Folder folder_;
};

TEST_F(PoseEvaluate, tells_a_person) {
  const Outcome done = run({"--dataset", "bins"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  // The figures are those of tests/pose/dataset_test.cpp.
  for (const char* text :
       {"BOP19", "MSSD 60.00   MSPD 60.00   of 3 targets", "ADD-S 33.33", "mAP 92.52",
        "recall 66.67   precision 50.00   F1 57.14   AP 75.00", "0.833 s an image", "3 images, 5 of 5 estimates"}) {
    EXPECT_NE(done.out.find(text), std::string::npos) << text << "\n" << done.out;
  }
  if (vsd_available()) {
    EXPECT_NE(done.out.find("AR 52.22   VSD 36.67"), std::string::npos) << done.out;
  }
  EXPECT_EQ(run({"--dataset", "bins", "--quiet"}).out, "");
}

TEST_F(PoseEvaluate, json_is_what_the_library_finds) {
  const Outcome done = run({"--dataset", "bins", "--no-vsd", "--estimates-per-image", "7", "--json", "-"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const nlohmann::json told = nlohmann::json::parse(done.out);
  EXPECT_EQ(told["schema"], "dovetail.pose_evaluation/1");
  EXPECT_EQ(told["bop19"], nullptr);
  EXPECT_EQ(told["options"]["vsd"], false);
  EXPECT_EQ(told["options"]["estimates_per_image"], 7);
  PoseEvaluationOptions options;
  options.vsd = false;
  const PoseEvaluation found = evaluate_pose_estimates(folder_ / "bins/results.csv", {folder_ / "bins"}, options);
  EXPECT_EQ(told["localisation"], nlohmann::json::parse(to_json(found))["localisation"]);
  EXPECT_EQ(told["objects"], nlohmann::json::parse(to_json(found))["objects"]);
  EXPECT_EQ(run({"--dataset", "bins", "--no-vsd", "--json", "scores.json", "--quiet"}).exit_code, 0);
  EXPECT_EQ(read_json(folder_ / "scores.json")["detection"], told["detection"]);
}

TEST_F(PoseEvaluate, what_is_wrong_is_refused) {
  expect_refusal(run({}), 2, {"--dataset is required"});
  expect_refusal(run({"--dataset", "nowhere"}), 3, {"nowhere", "is not there"});
  expect_refusal(run({"--dataset", "bins", "--split", "val"}), 3, {"val/000001/scene_camera.json"});
  expect_refusal(run({"--dataset", "bins", "--vsd-delta", "-1"}), 2, {"vsd_delta", "-1", "0 or more"});
  expect_refusal(run({"--dataset", "bins", "--json", "bins/results.csv"}), 2, {"is read, and would be lost"});
  expect_refusal(run({"--dataset", "bins", "--targets", "none.json", "--detection-targets", "none.json"}), 3,
                 {"none.json"});
  write_text(folder_ / "bins/results.csv", "scene_id,im_id,obj_id,score,R,t,time\n1,2,3\n");
  expect_refusal(run({"--dataset", "bins"}), 3, {"bins/results.csv: line 2: 3 fields"});
  expect_refusal(run_program(folder_, {"pose", "evalute"}), 2, {"did you mean evaluate?"});
}

}  // namespace
}  // namespace dovetail::test
