// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/mesh_check.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

class Apply : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  Folder folder_;
};

TEST_F(Apply, a_mirrored_mesh_still_shows_its_outside) {
  write_points(folder_ / "part.ply", built_in_part(BuiltInPart::t_pipe));
  write_text(folder_ / "mirror.txt", "1 0 0 5\n0 1 0 0\n0 0 -1 0\n0 0 0 1\n");
  ASSERT_EQ(run({"apply", "mirror.txt", "part.ply", "mirrored.ply"}).exit_code, 0);
  const MeshCheck check = check_mesh(read_points(folder_ / "mirrored.ply"));
  EXPECT_EQ(check.inside_out, 0u);
  EXPECT_TRUE(check.sound());
}

TEST_F(Apply, refuses_a_pose_of_another_dimension) {
  write_points(folder_ / "flat.csv", curve());
  write_points(folder_ / "solid.ply", hills());
  write_pose(folder_ / "flat.txt", small_motion_2d());
  write_pose(folder_ / "solid.txt", small_motion());
  for (const auto& [pose, file] : {std::pair{"flat.txt", "solid.ply"}, {"solid.txt", "flat.csv"}}) {
    const Outcome done = run({"apply", pose, file, "out.ply"});
    EXPECT_EQ(done.exit_code, 3);
    for (const char* part : {pose, file, "dimensions"}) EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
  }
  EXPECT_EQ(folder_.files().size(), 4u);
}

TEST_F(Apply, counts_the_points_beyond_the_horizon) {
  write_pose(folder_ / "pose.txt", Projective2{{1, 0, 0, 0, 1, 0, -0.1, 0, 1}});  // its horizon is x = 10
  write_text(folder_ / "in.csv", "x,y\n0,0\n5,5\n6,1\n10,3\n12,3\n");
  const Outcome done = run({"apply", "pose.txt", "in.csv", "out.csv"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("2 of the 5 points of in.csv lie on or beyond the horizon"), std::string::npos) << done.err;
  const PointCloud moved = read_points(folder_ / "out.csv");
  ASSERT_EQ(moved.size(), 5u);
  EXPECT_NEAR(moved.positions[1][0], 10, 1e-12);
  for (const std::size_t i : {3u, 4u}) EXPECT_TRUE(std::isnan(moved.positions[i][0])) << i;
  EXPECT_EQ(run({"apply", "pose.txt", "in.csv", "out.las"}).exit_code, 2) << "LAS has no invalid points";
  write_text(folder_ / "in.csv", "x,y\n0,0\n5,5\n");
  EXPECT_EQ(run({"apply", "pose.txt", "in.csv", "out.csv"}).err, "");
}

TEST_F(Apply, writes_doubles_where_floats_would_lose_the_shape) {
  PointCloud cloud = hills();
  cloud.precision = Precision::float32;
  write_points(folder_ / "in.ply", cloud);
  write_pose(folder_ / "near.txt", small_motion());
  write_pose(folder_ / "utm.txt", Rigid3{Mat3::identity(), {500000, 4500000, 100}});
  EXPECT_EQ(run({"apply", "near.txt", "in.ply", "near.ply"}).exit_code, 0);
  EXPECT_EQ(read_points(folder_ / "near.ply").precision, Precision::float32);
  EXPECT_EQ(run({"apply", "utm.txt", "in.ply", "far.ply"}).exit_code, 0);
  const PointCloud moved = read_points(folder_ / "far.ply"), in = read_points(folder_ / "in.ply");
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(moved.positions[i][1], in.positions[i][1] + 4500000, 1e-8) << i;
  }
}

TEST_F(Apply, warns_of_a_result_that_is_not_usable) {
  write_points(folder_ / "in.ply", line());
  EXPECT_EQ(run({"register", "icp", "in.ply", "in.ply", "--json", "bad.json", "--quiet"}).exit_code, 1);
  const Outcome done = run({"apply", "bad.json", "in.ply", "out.ply"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_NE(done.err.find("bad.json says that its pose is not usable"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace dovetail::test
