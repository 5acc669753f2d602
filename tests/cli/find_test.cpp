// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

/// A bracket on a table, as a camera sees it.
class FindCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!scanner_available()) GTEST_SKIP() << "built without Embree";
    PointCloud table;
    table.positions = {{-400, -400, 0}, {400, -400, 0}, {400, 400, 0}, {-400, 400, 0}};
    table.faces.add({0, 1, 2, 3});
    const PointCloud part = built_in_part();
    ScanOptions camera;
    camera.width = 240, camera.height = 180;
    camera.mesh_from_sensor = look_at({250, -420, 480}, {0, 0, 20});
    const Transform on_table = Rigid3{exp_so3(Vec3{0, 0, 0.7}), {-60, -20, 0}};
    const std::vector<ScenePart> parts = {{&part, on_table}, {&table, Transform()}};
    write_points(folder_ / "bracket.ply", part);
    write_points(folder_ / "scene.pcd", scan(parts, camera));
    write_pose(folder_ / "table_from_camera.txt", camera.mesh_from_sensor);
    truth_ = on_table;
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }

  Folder folder_;
  Transform truth_;
};

TEST_F(FindCommand, tells_where_a_part_is_in_another_frame_and_colours_the_scene) {
  const Outcome done = run({"find", "bracket.ply", "--in", "scene.pcd", "--scene-to", "table_from_camera.txt", "--json",
                            "found.json", "--out", "found.ply"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("1 found"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("bracket"), std::string::npos) << done.out;
  const nlohmann::json object = read_json(folder_ / "found.json")["objects"][0];
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(object["frame_from_object"][i][3].get<double>(), truth_.matrix(i, 3), 1);  // of 120
  }
  EXPECT_EQ(read_points(folder_ / "found.ply").colors.size(), 240u * 180u);
}

TEST_F(FindCommand, refuses_what_it_cannot_understand) {
  const auto refused = [&](std::vector<std::string> more, int code, const char* text) {
    std::vector<std::string> words = {"find", "bracket.ply", "--in", "scene.pcd"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome done = run(words);
    EXPECT_EQ(done.exit_code, code) << done.err;
    EXPECT_NE(done.err.find(text), std::string::npos) << done.err;
  };
  refused({"--region", "1,2,3"}, 2, "six numbers");
  refused({"--region", "0,0,0,1,-1,1"}, 2, "dovetail: --region: from");
  refused({"--viewpoint", "here"}, 2, "three numbers");
  refused({"--instances", "-1"}, 2, "instances");
  refused({"--scene-to", "no.txt"}, 3, "no.txt");
  write_text(folder_ / "mirror.txt", "-1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write_text(folder_ / "double.txt", "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n");
  write_text(folder_ / "shear.txt", "1 0.5 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write_text(folder_ / "words.txt", "none\n");
  refused({"--scene-to", "mirror.txt"}, 3,
          "--scene-to: mirror.txt: is a mirror image; allowed: a rotation and a shift");
  refused({"--scene-to", "double.txt"}, 3, "--scene-to: double.txt: scales by 2; allowed: a rotation and a shift");
  refused({"--json", "bracket.ply"}, 2, "would be lost");
}

}  // namespace
}  // namespace dovetail::test
