// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"

namespace dovetail::test {
namespace {

/// The text behind a name of the summary.
std::string line_of(const std::string& summary, const std::string& name) {
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  " + name + " ")) return line.substr(15);
  }
  return {};
}

TEST(Summary, is_good_for_survey_coordinates) {
  const Folder folder;
  const Transform away = Rigid3{exp_so3(Vec3{0.3, -0.2, 2.5}), {4.5e6, 5.1e5, 120}};
  const PointCloud target = away * hills();
  const Transform truth = away * small_motion();
  write_points(folder / "target.ply", target);
  write_points(folder / "source.ply", hills());
  write_pose(folder / "start.txt", truth);
  const Outcome done = run_program(
      folder, {"register", "icp", "source.ply", "target.ply", "--start", "start.txt", "--json", "run.json"});
  ASSERT_EQ(done.exit_code, 0) << done.out << done.err;
  const Transform found = read_pose(folder / "run.json");

  double angle = 0;
  Vec3 axis{}, shift{};
  ASSERT_EQ(std::sscanf(line_of(done.out, "rotation").c_str(), "%lf degrees about (%lf, %lf, %lf)", &angle, &axis[0],
                        &axis[1], &axis[2]),
            4)
      << done.out;
  ASSERT_EQ(std::sscanf(line_of(done.out, "translation").c_str(), "(%lf, %lf, %lf)", &shift[0], &shift[1], &shift[2]),
            3)
      << done.out;
  const Transform told = Rigid3{exp_so3(axis * (angle * 3.14159265358979323846 / 180)), shift};
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{100, 75, 30}}) {
    EXPECT_LT(distance_between(found, told, p), 1e-4) << done.out;  // a millionth of 100
  }
}

TEST(Summary, tells_all_of_an_affine_and_of_a_projective_pose) {
  const Folder folder;
  const Transform stretched = Affine2{{1.1, 0.02, 0, 0.95}, {2, -1}};
  write_points(folder / "a.csv", curve());
  write_points(folder / "b.csv", stretched * curve());
  write_pose(folder / "affine.txt", stretched);
  const std::string affine = run_program(folder, {"evaluate", "affine.txt", "a.csv", "b.csv"}).out;
  EXPECT_EQ(line_of(affine, "scale"), "1.02225242") << affine;  // the root of 1.1 × 0.95
  EXPECT_NE(line_of(affine, "stretch").find("1.10"), std::string::npos) << affine;
  EXPECT_NE(line_of(affine, "matrix").find("0.02"), std::string::npos) << affine;
  EXPECT_EQ(line_of(affine, "translation"), "(2, -1)") << affine;

  const Transform leaning = Projective2{{1, 0.02, 3, 0, 1, 4, 0.000123, 0, 1}};
  write_points(folder / "b.csv", leaning * curve());
  write_pose(folder / "projective.txt", leaning);
  const std::string projective = run_program(folder, {"evaluate", "projective.txt", "a.csv", "b.csv"}).out;
  EXPECT_NE(projective.find("0.000123"), std::string::npos) << projective;
}

}  // namespace
}  // namespace dovetail::test
