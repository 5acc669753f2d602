// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/program.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "support/png_writer.h"

namespace dovetail::test {
namespace {

/// A few bent streets near Monaco as GeoJSON, and points on them as a plane sees them: in metres, moved and turned.
class ChamferCommand : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "roads.geojson", streets_.geojson);
    write_points(folder_ / "seen.csv", observed_);
  }
  Outcome run(std::vector<std::string> words) const { return run_program(folder_, words); }

  /// How far an answer is from the truth; the program chose its own frame, which may lie a little off ours.
  double error_of(const nlohmann::json& json) const {
    const GeoFrame theirs{json["target_frame"]["longitude"], json["target_frame"]["latitude"]};
    const Transform found = read_pose(folder_ / "run.json");
    double worst = 0;
    for (std::size_t i = 0; i < observed_.size(); i += 50) {
      const Vec3 there = found * observed_.positions[i], here = truth_ * observed_.positions[i];
      const Vec2 degrees = unproject(theirs, there[0], there[1]), metres = project(frame_, degrees[0], degrees[1]);
      worst = std::max(worst, std::hypot(metres[0] - here[0], metres[1] - here[1]));
    }
    return worst;
  }

  Folder folder_;
  Streets streets_ = streets();
  GeoFrame frame_ = streets_.frame;
  Transform truth_ = Similarity2::exp({0.05, 30, -40, 0.03});
  PointCloud observed_ = truth_.inverse() * streets_.seen;
};

TEST_F(ChamferCommand, aligns_points_to_a_map_and_states_its_frame) {
  const Outcome done =
      run({"register", "chamfer", "seen.csv", "roads.geojson", "--model", "similarity", "--json", "run.json"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_NE(done.out.find("+proj=tmerc"), std::string::npos) << done.out;
  const nlohmann::json json = read_json(folder_ / "run.json");
  EXPECT_EQ(json["method"], "chamfer");
  EXPECT_EQ(json["model"], "similarity2");
  EXPECT_EQ(json["target_frame"]["projection"], "transverse_mercator");
  EXPECT_EQ(json["covariance"].size(), 4u);
  EXPECT_EQ(json["options"]["model"], "similarity");
  EXPECT_EQ(json["options"]["storage"], "auto");
  EXPECT_GT(json["margin"].get<double>(), 0);
  EXPECT_LT(error_of(json), 1.0);
}

TEST_F(ChamferCommand, a_field_built_before_gives_the_same_answer) {
  const Outcome built = run({"field", "build", "roads.geojson", "--out", "roads.field"});
  EXPECT_EQ(built.exit_code, 0) << built.out << built.err;
  EXPECT_NE(built.out.find("dense"), std::string::npos) << built.out;
  const Outcome info = run({"field", "info", "roads.field"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("roads.geojson"), std::string::npos) << info.out;
  ASSERT_EQ(
      run({"register", "chamfer", "seen.csv", "roads.field", "--model", "similarity", "--json", "run.json"}).exit_code,
      0);
  ASSERT_EQ(run({"register", "chamfer", "seen.csv", "roads.geojson", "--model", "similarity", "--json", "map.json"})
                .exit_code,
            0);
  EXPECT_EQ(read_json(folder_ / "run.json")["target_from_source"],
            read_json(folder_ / "map.json")["target_from_source"]);
  EXPECT_EQ(read_json(folder_ / "run.json")["target_frame"], read_json(folder_ / "map.json")["target_frame"]);
}

TEST_F(ChamferCommand, aligns_pixels_to_an_image) {
  PngImage image = grey_image(120, 80, std::vector<std::uint16_t>(120 * 80, 0));
  PointCloud pixels;
  pixels.dimension = 2;
  const auto set = [&](int x, int y) {
    image.samples[static_cast<std::size_t>(y * 120 + x)] = 255;
    pixels.positions.push_back({static_cast<double>(x), static_cast<double>(y), 0});
  };
  for (int x = 20; x < 100; ++x) set(x, 20), set(x, 60 - (x - 20) / 8);
  for (int y = 21; y < 60; ++y) set(20, y), set(99, y / 2 + 10);
  std::ofstream(folder_ / "image.png", std::ios::binary) << png_bytes(image);
  const Transform truth = Rigid2::exp({0.04, 3, -2});
  write_points(folder_ / "pixels.xyz", truth.inverse() * pixels);
  const Outcome done = run({"register", "chamfer", "pixels.xyz", "image.png", "--json", "run.json"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  const Transform found = read_pose(folder_ / "run.json");
  EXPECT_LT(distance_between(found, truth, {60, 40, 0}), 0.3);
  EXPECT_TRUE(read_json(folder_ / "run.json")["target_frame"].is_null());
}

TEST_F(ChamferCommand, mistakes_are_told) {
  std::ofstream(folder_ / "none.geojson") << R"({"type":"FeatureCollection","features":[]})";
  const Outcome none = run({"register", "chamfer", "seen.csv", "none.geojson"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_NE(none.err.find("none.geojson"), std::string::npos) << none.err;
  EXPECT_EQ(run({"register", "chamfer", "seen.csv", "roads.geojson", "--model", "wobbly"}).exit_code, 2);
  EXPECT_EQ(run({"field", "build", "roads.geojson", "--out", "nowhere/roads.field"}).exit_code, 3);
  EXPECT_EQ(run({"field", "build", "absent.geojson", "--out", "roads.field"}).exit_code, 3);
  ASSERT_EQ(run({"field", "build", "roads.geojson", "--out", "roads.field", "--cell", "5", "--quiet"}).exit_code, 0);
  std::filesystem::resize_file(folder_ / "roads.field", 5000);
  const Outcome cut = run({"register", "chamfer", "seen.csv", "roads.field"});
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.err.find("roads.field"), std::string::npos) << cut.err;
  const Outcome far = run({"register", "chamfer", "seen.csv", "roads.geojson", "--search-shift", "-3"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_NE(far.err.find("search_shift"), std::string::npos) << far.err;
}

}  // namespace
}  // namespace dovetail::test
