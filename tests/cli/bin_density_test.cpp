// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "dovetail/bins.h"
#include "dovetail/io.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

class BinDensity : public testing::Test {
 protected:
  void SetUp() override {
    if (!bins_available() || !scanner_available()) GTEST_SKIP() << "built without Bullet or Embree";
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  Folder folder_;
};

// A cube lies on one of its faces: one orientation, however often it was dropped.
TEST_F(BinDensity, of_a_built_in_part_needs_no_mesh) {
  ASSERT_EQ(
      run({"bin", "poses", "built-in:cube", "--count", "3", "--bins", "2", "--plane", "--out", "lying.json", "--quiet"})
          .exit_code,
      0);
  const Outcome done = run({"bin", "density", "lying.json", "--out", "density"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("built-in:cube, 6 poses, symmetry O"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("100.0%"), std::string::npos) << done.out;
  const nlohmann::json density = read_json(folder_ / "density/cube.density.json");
  EXPECT_EQ(density["schema"], "dovetail.density/1");
  EXPECT_EQ(density["poses"], 6);
  ASSERT_EQ(density["orientations"].size(), 1u);
  EXPECT_EQ(density["orientations"][0]["count"], 6);
  for (const char* picture : {"cube.orientations.png", "cube.sphere.png", "cube.euler.png"}) {
    EXPECT_EQ(read_text(folder_ / (std::string("density/") + picture)).substr(1, 3), "PNG") << picture;
  }
}

TEST_F(BinDensity, is_written_whole_or_not_at_all) {
  ASSERT_EQ(
      run({"bin", "poses", "built-in:cube", "--count", "1", "--bins", "1", "--plane", "--out", "lying.json", "--quiet"})
          .exit_code,
      0);
  nlohmann::json lying = read_json(folder_ / "lying.json");
  nlohmann::json none = lying, twice = lying;
  none["bins"] = nlohmann::json::array();
  twice["parts"].push_back(twice["parts"][0]);
  write_text(folder_ / "none.json", none.dump());
  write_text(folder_ / "twice.json", twice.dump());
  const std::vector<std::string> before = folder_.files();
  expect_refusal(run({"bin", "density", "none.json", "--out", "density"}), 3, {"none.json: "});
  expect_refusal(run({"bin", "density", "twice.json", "--out", "density"}), 3, {"twice.json: ", "both named 'cube'"});
  expect_refusal(run({"bin", "density", "lying.json", "--out", ""}), 2, {"--out"});
  EXPECT_EQ(folder_.files(), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "density"));
  // Into a folder with other files in it, which stay.
  ASSERT_EQ(run({"bin", "density", "lying.json", "--out", ".", "--quiet"}).exit_code, 0);
  EXPECT_EQ(folder_.files().size(), before.size() + 4);
}

// A part's file is in its own unit, the resting poses are in millimetres; and parts are known by their geometry.
TEST_F(BinDensity, files_are_read_as_they_were_when_parts_were_dropped) {
  PointCloud box = built_in_part(BuiltInPart::box), cube = built_in_part(BuiltInPart::cube);
  for (Vec3& p : box.positions) p *= 0.001;
  for (Vec3& p : cube.positions) p *= 0.001;
  write_points(folder_ / "box.ply", box);
  write_points(folder_ / "cube.ply", cube);
  ASSERT_EQ(run({"bin", "poses", "box.ply", "cube.ply", "--unit", "m", "--count", "2", "--bins", "1", "--plane",
                 "--out", "lying.json", "--quiet"})
                .exit_code,
            0);
  const Outcome done =
      run({"bin", "density", "lying.json", "cube.ply", "box.ply", "--unit", "m", "--most", "1", "--out", "density"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(read_json(folder_ / "density/box.density.json")["poses"], 2);
  EXPECT_EQ(read_json(folder_ / "density/cube.density.json")["poses"], 2);
  expect_refusal(run({"bin", "density", "lying.json", "--out", "other"}), 2, {"PART", "box.ply is needed"});
  expect_refusal(run({"bin", "density", "lying.json", "box.ply", "--unit", "mm", "--out", "other"}), 3,
                 {"box.ply", "geometry or size"});
  expect_refusal(run({"bin", "density", "lying.json", "box.ply", "--unit", "ell", "--out", "other"}), 2, {"--unit"});
  expect_refusal(run({"bin", "density", "absent.json", "--out", "other"}), 3, {"absent.json"});
}

}  // namespace
}  // namespace dovetail::test
