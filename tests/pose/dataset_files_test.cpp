// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <fstream>

#include "dovetail/error.h"
#include "dovetail/pose_evaluation.h"
#include "pose/temporary_folder.h"
#include "support/bop_dataset.h"

// Files of a data set that are absent, wrong, or do not fit each other.

namespace dovetail::test {
namespace {

namespace fs = std::filesystem;

class DatasetFiles : public testing::Test {
 protected:
  DatasetFiles() {
    set_.write_models();
    set_.write_scene(three_images());
    set_.write_targets({{0, 1, 1}, {3, 1, 1}, {7, 2, 1}});
    set_.write_results(estimates_of_three_images());
    options_.vsd = false;
  }
  PoseEvaluation evaluate() const {
    return evaluate_pose_estimates(set_.folder() / "results.csv", {set_.folder()}, options_);
  }
  /// The file is named, and so is each of these.
  void expect_refusal(const std::vector<std::string>& parts) const {
    try {
      evaluate();
      ADD_FAILURE() << "was taken; expected: " << parts.front();
    } catch (const FileError& error) {
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << "\n" << error.what();
      }
    }
  }
  bool has_note(const PoseEvaluation& result, const std::string& text) const {
    for (const std::string& note : result.notes) {
      if (note.find(text) != std::string::npos) return true;
    }
    return false;
  }
  void remove(const std::string& name) const { fs::remove_all(set_.folder() / name); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(set_.folder() / name) << text; }

  TemporaryFolder folder_;
  BopDataset set_{folder_.path()};
  PoseEvaluationOptions options_;
};

TEST_F(DatasetFiles, without_models_eval_models_are_taken) {
  const PoseEvaluation before = evaluate();
  EXPECT_FALSE(has_note(before, "models_eval"));
  remove("models_eval");
  set_.write_models("models");
  const PoseEvaluation after = evaluate();
  EXPECT_EQ(after.models, "models");
  EXPECT_TRUE(has_note(after, "models_eval is not there"));
  EXPECT_EQ(*after.bop24, *before.bop24);
  remove("models");
  expect_refusal({"models_info.json"});
}

TEST_F(DatasetFiles, without_targets_of_detection_those_of_localisation_serve) {
  const double before = *evaluate().bop24;
  remove("test_targets_bop24.json");
  const PoseEvaluation after = evaluate();
  EXPECT_TRUE(has_note(after, "test_targets_bop24.json is not there"));
  EXPECT_EQ(*after.bop24, before);
  remove("test_targets_bop19.json");
  expect_refusal({"test_targets_bop19.json", "test_targets_bop24.json"});
}

TEST_F(DatasetFiles, without_targets_of_localisation_detection_is_scored) {
  remove("test_targets_bop19.json");
  const PoseEvaluation result = evaluate();
  EXPECT_TRUE(has_note(result, "localisation"));
  EXPECT_FALSE(result.all.localisation);
  EXPECT_FALSE(result.bop19);
  EXPECT_GT(*result.bop24, 0.5);
}

TEST_F(DatasetFiles, without_camera_json_the_depth_image_tells_the_width) {
  remove("camera.json");
  if (vsd_available()) {
    const PoseEvaluation result = evaluate();
    EXPECT_TRUE(has_note(result, "camera.json is not there"));
    EXPECT_NEAR(result.all.localisation->mspd.mean(), 0.6, 1e-9);
  }
  remove("test/000001/depth/000000.png");
  expect_refusal({"depth/000000.png"});
}

TEST_F(DatasetFiles, vsd_has_to_be_left_out_where_there_is_no_depth) {
  const PoseEvaluation without = evaluate();
  EXPECT_TRUE(has_note(without, "VSD was not asked for"));
  EXPECT_FALSE(without.bop19);
  EXPECT_FALSE(without.all.localisation->vsd);
  remove("test/000001/depth/000003.png");
  options_.vsd = true;
  if (vsd_available()) {
    expect_refusal({"depth/000003.png"});
  } else {
    EXPECT_TRUE(has_note(evaluate(), "VSD is not in this build"));
  }
}

TEST_F(DatasetFiles, what_is_absent_is_named) {
  remove("results.csv");
  expect_refusal({"results.csv"});
  set_.write_results(estimates_of_three_images());
  remove("models_eval/obj_000002.ply");
  expect_refusal({"obj_000002.ply"});
  set_.write_models();
  for (const char* file : {"scene_camera.json", "scene_gt.json", "scene_gt_info.json"}) {
    remove(std::string("test/000001/") + file);
    expect_refusal({file});
    set_.write_scene(three_images());
  }
  EXPECT_GT(*evaluate().bop24, 0.5);
  EXPECT_THROW(evaluate_pose_estimates("none.csv", {set_.folder() / "nowhere"}), FileError);
}

TEST_F(DatasetFiles, what_was_asked_for_by_name_has_to_be_there) {
  for (std::filesystem::path PoseDataset::*which :
       {&PoseDataset::targets, &PoseDataset::detection_targets, &PoseDataset::camera}) {
    PoseDataset other{set_.folder()};
    other.*which = "other.json";
    EXPECT_THROW(evaluate_pose_estimates(set_.folder() / "results.csv", other, options_), FileError);
    fs::copy_file(set_.folder() / (PoseDataset().*which), set_.folder() / "other.json");
    EXPECT_EQ(*evaluate_pose_estimates(set_.folder() / "results.csv", other, options_).bop24, *evaluate().bop24);
    remove("other.json");
  }
}

TEST_F(DatasetFiles, ids_have_to_be_known) {
  set_.write_results({{0, 1, 0.5, at(0, 0, 500)}, {0, 9, 0.5, at(0, 0, 500)}});
  expect_refusal({"results.csv", "line 3", "object 9", "models_info.json"});
  set_.write_results(estimates_of_three_images());
  set_.write_targets({{5, 1, 1}});
  expect_refusal({"scene_gt.json", "image 5", "target"});
  set_.write_targets({{0, 1, 1}});
  set_.write_json("test/000001/scene_camera.json", nlohmann::json::object());
  expect_refusal({"scene_camera.json", "image 0", "target"});
  set_.write_scene({{0, {{1, at(0, 0, 500), 1}}}});
  set_.write_json("models_eval/models_info.json", {{"2", {{"diameter", 100}}}});
  set_.write_results({});
  expect_refusal({"scene_gt.json", "0[0].obj_id", "object 1"});
}

TEST_F(DatasetFiles, files_that_contradict_each_other_are_named) {
  set_.write_targets({{0, 1, 1}, {3, 1, 3}});
  expect_refusal({"test_targets_bop19.json", "object 1 in image 3 of scene 1", "inst_count 3", "1 to 2"});
  set_.write_targets({{0, 1, 1}, {3, 2, 1}});
  expect_refusal({"test_targets_bop19.json", "object 2 in image 3 of scene 1", "scene_gt.json has none"});
  set_.write_targets({{0, 9, 1}});
  expect_refusal({"test_targets_bop19.json", "object 9 in image 0 of scene 1", "models_info.json"});
  set_.write_targets({});
  expect_refusal({"names no targets"});
  set_.write_targets({{0, 1, 1}, {3, 1, 1}});
  for (const char* share : {"7", "-1", "1.0001"}) {
    write("test/000001/scene_gt_info.json", std::string(R"({"0": [{"visib_fract": )") + share +
                                                R"(}], "3": [{"visib_fract": 1}, {"visib_fract": 1}],
                                                    "7": [{"visib_fract": 1}]})");
    expect_refusal({"scene_gt_info.json", "0[0].visib_fract", share, "allowed: 0 to 1"});
  }
  set_.write_scene(three_images());
  set_.write_results({{0, 1, 0.5, at(0, 0, 500), -0.5}});
  expect_refusal({"results.csv", "line 2", "time -0.5", "0 or more", "-1"});
  set_.write_results({{0, 1, 0.5, at(0, 0, 500), -1}});
  EXPECT_FALSE(evaluate().seconds_per_image);
  // The box of object 1 has a diagonal of 107.7 mm.
  for (const double diameter : {0.1, 53.0, 216.0, 100000.0}) {
    set_.write_json("models_eval/models_info.json", {{"1", {{"diameter", diameter}}}, {"2", {{"diameter", 100}}}});
    expect_refusal({"obj_000001.ply", "107.703", "models_info.json", "mm"});
  }
}

TEST_F(DatasetFiles, depth_images_have_the_size_of_the_camera) {
  if (!vsd_available()) GTEST_SKIP() << "built without Embree";
  options_.vsd = true;
  EXPECT_TRUE(evaluate().bop19);
  set_.write_json("camera.json", {{"width", 320}, {"height", 200}});
  expect_refusal({"depth/000000.png: 320 x 240 pixels", "320 x 200"});
}

TEST_F(DatasetFiles, options_have_ranges) {
  options_.estimates_per_image = 0;
  EXPECT_THROW(evaluate(), InvalidArgument);
  options_.estimates_per_image = 100;
  options_.vsd_delta = -1;
  EXPECT_THROW(evaluate(), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
