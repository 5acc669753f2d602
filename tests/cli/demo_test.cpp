// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "dovetail/bins.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

TEST(DemoCommand, finds_every_pose_and_writes_what_it_says) {
  const Folder folder;
  const Outcome done = run_program(folder, {"demo", "--out", "here", "--machine", "cpu"});
  if (!scanner_available()) {
    EXPECT_EQ(done.exit_code, 3);
    EXPECT_NE(done.err.find("Embree"), std::string::npos) << done.err;
    GTEST_SKIP() << "built without Embree";
  }
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out.find("FAILED"), std::string::npos) << done.out;
  std::size_t points = read_points(folder / "here/view1.ply").size();
  for (int i = 2; i <= 6; ++i) {
    const std::string number = std::to_string(i);
    const Transform truth = read_pose(folder / ("here/truth" + number + ".txt"));
    const Transform guess = read_pose(folder / ("here/guess" + number + ".txt"));
    const Transform found = read_pose(folder / ("here/result" + number + ".json"));
    EXPECT_NEAR(rotation_angle_between(guess, truth), 0.2617993877991494, 1e-9);  // 15 degrees: no free lunch
    EXPECT_LT(rotation_angle_between(found, truth), 1e-3);
    points += read_points(folder / ("here/view" + number + ".ply")).size();
  }
  EXPECT_EQ(read_points(folder / "here/merged.ply").size(), points);
  if (report_available()) {
    EXPECT_NE(done.out.find("Open here/report.html in a browser"), std::string::npos) << done.out;
    const std::string page = read_text(folder / "here/report.html");
    EXPECT_NE(page.find("view6.ply"), std::string::npos);
    EXPECT_EQ(page.find("t_pipe in bin") != std::string::npos, bins_available() && vsd_available());
  }
}

}  // namespace
}  // namespace dovetail::test
