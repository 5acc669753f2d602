// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

/// Poses of chamfer alignment: any model, any reference.
class Evaluate : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "roads.geojson", streets_.geojson);
    write_points(folder_ / "seen.csv", Transform(Rigid2{exp_so2(0.02), {9, 4}}) * streets_.seen);
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }

  Folder folder_;
  Streets streets_ = streets();
};

TEST_F(Evaluate, of_a_chamfer_answer_onto_a_map) {
  for (const char* model : {"rigid", "affine", "projective"}) {
    SCOPED_TRACE(model);
    ASSERT_EQ(
        run({"register", "chamfer", "seen.csv", "roads.geojson", "--model", model, "--json", "run.json"}).exit_code, 0);
    const Outcome done =
        run({"evaluate", "run.json", "seen.csv", "roads.geojson", "--inlier-distance", "5", "--json", "-"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const nlohmann::json told = nlohmann::json::parse(done.out), found = read_json(folder_ / "run.json");
    for (const char* key : {"target_from_source", "model", "target_frame"}) EXPECT_EQ(told[key], found[key]) << key;
    EXPECT_GT(told["inlier_ratio"].get<double>(), 0.99);
    EXPECT_NEAR(told["rmse"].get<double>(), 1.0, 0.2);  // the metre of noise across the streets
    const Outcome same = run({"evaluate", "run.json", "seen.csv", "roads.geojson", "--json", "-"});
    EXPECT_EQ(nlohmann::json::parse(same.out)["inlier_distance"], found["inlier_distance"]);
  }
}

TEST_F(Evaluate, of_a_wrong_pose_says_so) {
  write_pose(folder_ / "far.txt", Affine2{{1, 0.1, 0, 1}, {5000, 0}});
  EXPECT_EQ(run({"evaluate", "far.txt", "seen.csv", "roads.geojson"}).exit_code, 1);
}

TEST_F(Evaluate, of_a_mesh_looks_at_its_surface) {
  PointCloud floor;
  floor.positions = {{0, 0, 0}, {100, 0, 0}, {100, 100, 0}, {0, 100, 0}, {0, 0, 50}, {100, 0, 50}};
  floor.faces.add({0, 1, 2, 3});
  floor.faces.add({0, 1, 5, 4});
  write_points(folder_ / "corner.ply", floor);
  PointCloud scan;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j) scan.positions.push_back({10 + 2.0 * i, 10 + 2.0 * j, 0});
    for (int j = 0; j < 20; ++j) scan.positions.push_back({10 + 2.0 * i, 0, 5 + 2.0 * j});
  }
  write_points(folder_ / "scan.ply", scan);
  ASSERT_NE(run({"register", "chamfer", "scan.ply", "corner.ply", "--json", "run.json"}).exit_code, 3);
  const Outcome done = run({"evaluate", "run.json", "scan.ply", "corner.ply", "--inlier-distance", "2", "--json", "-"});
  EXPECT_GT(nlohmann::json::parse(done.out)["inlier_ratio"].get<double>(), 0.95) << done.err;
}

TEST_F(Evaluate, names_what_does_not_fit) {
  ASSERT_EQ(run({"field", "build", "roads.geojson", "--out", "roads.field", "--quiet"}).exit_code, 0);
  write_pose(folder_ / "pose.txt", small_motion());
  const Outcome field = run({"evaluate", "pose.txt", "seen.csv", "roads.field"});
  EXPECT_EQ(field.exit_code, 2);
  EXPECT_NE(field.err.find("the reference it was made from, roads.geojson"), std::string::npos) << field.err;
  const Outcome solid = run({"evaluate", "pose.txt", "seen.csv", "roads.geojson"});
  EXPECT_EQ(solid.exit_code, 3);
  EXPECT_NE(solid.err.find("pose.txt is a pose in 3 dimensions"), std::string::npos) << solid.err;
}

}  // namespace
}  // namespace dovetail::test
