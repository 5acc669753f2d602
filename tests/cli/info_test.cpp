// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace dovetail::test {
namespace {

class InfoOfFiles : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  Folder folder_;
};

TEST_F(InfoOfFiles, TellsWhatAMeshAndPointsHold) {
  write_text(folder_ / "corner.off", "OFF\n4 2 0\n0 0 0\n40 0 0\n0 30 0\n0 0 20\n3 0 1 2\n3 0 2 3\n");
  const Outcome mesh = run({"info", "corner.off"});
  EXPECT_EQ(mesh.exit_code, 0) << mesh.err;
  EXPECT_NE(mesh.out.find("a mesh"), std::string::npos) << mesh.out;
  EXPECT_NE(mesh.out.find("40 x 30 x 20"), std::string::npos) << mesh.out;
  EXPECT_NE(mesh.out.find("mm, if this is a part"), std::string::npos) << mesh.out;
  write_text(folder_ / "points.xyz", "0 0 0\n1 0 0\n2 0 0\nnan 0 0\n0 5 1\n");
  const Outcome points = run({"info", "points.xyz"});
  EXPECT_EQ(points.exit_code, 0) << points.err;
  EXPECT_NE(points.out.find("1 not finite"), std::string::npos) << points.out;
  EXPECT_NE(points.out.find("spacing"), std::string::npos) << points.out;
}

TEST_F(InfoOfFiles, RefusesWhatItCannotRead) {
  EXPECT_EQ(run({"info", "nothing.ply"}).exit_code, 3);
  write_text(folder_ / "cut.posedb", "DVTPOSES and no more");
  const Outcome cut = run({"info", "cut.posedb"});
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.err.find("cut.posedb"), std::string::npos) << cut.err;
}

}  // namespace
}  // namespace dovetail::test
