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
  EXPECT_NE(mesh.out.find("1 hole, the largest"), std::string::npos) << mesh.out;
  write_text(folder_ / "points.xyz", "0 0 0\n1 0 0\n2 0 0\nnan 0 0\n0 5 1\n");
  const Outcome points = run({"info", "points.xyz"});
  EXPECT_EQ(points.exit_code, 0) << points.err;
  EXPECT_NE(points.out.find("1 not finite"), std::string::npos) << points.out;
  EXPECT_NE(points.out.find("spacing"), std::string::npos) << points.out;
}

constexpr const char* sound_tetrahedron =
    "OFF\n4 4 0\n0 0 0\n40 0 0\n0 40 0\n0 0 40\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
/// One of its faces the other way round, and one twice.
constexpr const char* broken_tetrahedron =
    "OFF\n4 5 0\n0 0 0\n40 0 0\n0 40 0\n0 0 40\n3 0 2 1\n3 0 1 3\n3 1 3 2\n3 0 3 2\n3 0 3 2\n";

TEST_F(InfoOfFiles, TellsWhatIsWrongWithAMesh) {
  write_text(folder_ / "sound.off", sound_tetrahedron);
  const Outcome sound = run({"info", "sound.off"});
  EXPECT_NE(sound.out.find("closed, volume 10666.7"), std::string::npos) << sound.out;
  EXPECT_NE(sound.out.find("sound\n"), std::string::npos) << sound.out;
  write_text(folder_ / "broken.off", broken_tetrahedron);
  const Outcome broken = run({"info", "broken.off"});
  EXPECT_NE(broken.out.find("1 flipped triangle: mended"), std::string::npos) << broken.out;
  EXPECT_NE(broken.out.find("1 triangle that is there twice: mended"), std::string::npos) << broken.out;
  EXPECT_NE(broken.out.find("closed, volume 10666.7"), std::string::npos) << broken.out;
}

// In one line on stderr, from every command that takes a part.
TEST_F(InfoOfFiles, CommandsWarnOfBrokenParts) {
  write_text(folder_ / "broken.off", broken_tetrahedron);
  const Outcome symmetry = run({"symmetry", "broken.off", "--quiet"});
  EXPECT_EQ(symmetry.exit_code, 0);
  EXPECT_EQ(symmetry.err, "dovetail: warning: broken.off: 1 flipped triangle; 1 triangle that is there twice\n");
  const Outcome built = run({"pose", "build", "broken.off", "--unit", "mm", "--sampling", "uniform", "--references",
                             "4", "--image-size", "16", "--out", "b.posedb", "--quiet"});
  EXPECT_NE(built.err.find("broken.off: 1 flipped triangle (mended); 1 triangle that is there twice (mended)"),
            std::string::npos)
      << built.err;
  write_text(folder_ / "sound.off", sound_tetrahedron);
  EXPECT_EQ(run({"symmetry", "sound.off", "--quiet"}).err, "");
  // A scan was never meant to be closed.
  write_text(folder_ / "open.off", "OFF\n4 2 0\n0 0 0\n40 0 0\n0 30 0\n0 0 20\n3 0 1 2\n3 0 2 3\n");
  EXPECT_EQ(run({"symmetry", "open.off", "--quiet"}).err, "");
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
