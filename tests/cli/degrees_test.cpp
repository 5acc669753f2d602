// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

/// Observed points in degrees: brought into the map's frame, or into a frame of their own that is told.
class Degrees : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "roads.geojson", streets_.geojson);
    moved_ = shift_ * streets_.seen;
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  nlohmann::json align(const std::string& observed, const std::string& reference) const {
    const Outcome done = run({"register", "chamfer", observed, reference, "--json", "run.json", "--out", "out.csv"});
    EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
    return read_json(folder_ / "run.json");
  }

  Folder folder_;
  Streets streets_ = streets();
  Transform shift_ = Rigid2{exp_so2(0.0), {12, -7}};
  PointCloud moved_;
};

TEST_F(Degrees, a_table_is_brought_into_the_maps_frame) {
  for (const char* header :
       {"lon,lat", "lat,lon", "id,lat,lon", "longitude,latitude,height", "id,name,lat,speed,lon"}) {
    SCOPED_TRACE(header);
    write_text(folder_ / "seen.csv", degrees_table(streets_.frame, moved_, header));
    const nlohmann::json json = align("seen.csv", "roads.geojson");
    EXPECT_EQ(json["model"], "rigid2");
    EXPECT_EQ(json["source_frame"], json["target_frame"]);
    // The program's frame lies a few metres from ours, its axes along ours: the shift is the same within a metre.
    const Transform found = read_pose(folder_ / "run.json");
    EXPECT_NEAR(found.matrix(0, 3), -12, 1.0);
    EXPECT_NEAR(found.matrix(1, 3), 7, 1.0);
  }
}

// The other methods take degrees as numbers; evaluate and apply then do so too.
TEST_F(Degrees, a_pose_between_numbers_is_applied_to_numbers) {
  write_text(folder_ / "a.csv", degrees_table(streets_.frame, streets_.seen, "lon,lat"));
  write_text(folder_ / "b.csv", degrees_table(streets_.frame, moved_, "lon,lat"));
  ASSERT_EQ(run({"register", "icp", "b.csv", "a.csv", "--json", "run.json"}).exit_code, 0);
  const nlohmann::json found = read_json(folder_ / "run.json");
  ASSERT_EQ(run({"evaluate", "run.json", "b.csv", "a.csv", "--json", "check.json"}).exit_code, 0);
  EXPECT_NEAR(read_json(folder_ / "check.json")["rmse"].get<double>(), found["rmse"].get<double>(), 1e-9);
  EXPECT_EQ(run({"apply", "run.json", "b.csv", "moved.csv"}).exit_code, 0);
}

TEST_F(Degrees, a_table_and_geojson_give_the_same_answer) {
  std::string points;
  for (const Vec3& p : moved_.positions) {
    const Vec2 at = unproject(streets_.frame, p[0], p[1]);
    points += fmt::format(",[{},{}]", at[0], at[1]);
  }
  write_text(folder_ / "seen.geojson", R"({"type":"MultiPoint","coordinates":[)" + points.substr(1) + "]}");
  write_text(folder_ / "seen.csv", degrees_table(streets_.frame, moved_, "lon,lat"));
  const nlohmann::json a = align("seen.geojson", "roads.geojson"), b = align("seen.csv", "roads.geojson");
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(a["target_from_source"][i][j].get<double>(), b["target_from_source"][i][j].get<double>(), 1e-3);
    }
  }
}

TEST_F(Degrees, onto_metres_they_have_a_frame_of_their_own) {
  write_points(folder_ / "map.csv", streets_.seen);  // in metres, of a frame that nobody tells
  write_text(folder_ / "seen.csv", degrees_table(streets_.frame, moved_, "lat,lon"));
  const Outcome shown = run({"register", "chamfer", "seen.csv", "map.csv"});
  EXPECT_NE(shown.out.find("source frame +proj=tmerc"), std::string::npos) << shown.out;
  const nlohmann::json json = align("seen.csv", "map.csv");
  EXPECT_TRUE(json["target_frame"].is_null());
  ASSERT_EQ(json["source_frame"]["projection"], "transverse_mercator");
  const GeoFrame frame{json["source_frame"]["longitude"], json["source_frame"]["latitude"]};
  const Vec2 degrees = unproject(streets_.frame, moved_.positions[0][0], moved_.positions[0][1]);
  const Vec2 metres = project(frame, degrees[0], degrees[1]);
  const Vec3 there = read_pose(folder_ / "run.json") * Vec3{metres[0], metres[1], 0};
  EXPECT_LT(norm(there - streets_.seen.positions[0]), 1.0);
}

TEST_F(Degrees, apply_follows_the_results_frames) {
  write_points(folder_ / "map.csv", streets_.seen);
  write_text(folder_ / "seen.csv", degrees_table(streets_.frame, moved_, "lat,lon"));
  align("seen.csv", "map.csv");
  const Outcome done = run({"apply", "run.json", "seen.csv", "moved.csv"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(read_text(folder_ / "moved.csv"), read_text(folder_ / "out.csv"));
  // Metres are possible, but only the caller knows of which frame.
  write_points(folder_ / "metres.csv", moved_);
  EXPECT_NE(run({"apply", "run.json", "metres.csv", "b.csv"}).err.find("source_frame"), std::string::npos);
  write_pose(folder_ / "pose.txt", shift_);
  const Outcome refused = run({"apply", "pose.txt", "seen.csv", "b.csv"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("seen.csv holds longitudes and latitudes"), std::string::npos) << refused.err;
}

TEST_F(Degrees, that_are_none_are_refused) {
  write_text(folder_ / "seen.csv", "lat,lon\n371.2,7\n43,7\n");
  const Outcome done = run({"register", "chamfer", "seen.csv", "roads.geojson"});
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_NE(done.err.find("seen.csv: point 0: latitude 371.2"), std::string::npos) << done.err;
  write_text(folder_ / "seen.csv", "id,lat\n1,43\n");
  EXPECT_NE(run({"register", "chamfer", "seen.csv", "roads.geojson"}).err.find("names 'lat', but not"),
            std::string::npos);
}

}  // namespace
}  // namespace dovetail::test
