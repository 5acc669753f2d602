// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "dovetail/bins.h"
#include "dovetail/io.h"
#include "dovetail/pose_database.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

class PoseBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (!bins_available() || !scanner_available()) GTEST_SKIP() << "built without Bullet or Embree";
  }
  Outcome run(std::vector<std::string> words) const { return run_program(folder_, words); }
  /// A small database, from two bins of three parts each unless told otherwise.
  Outcome build(std::vector<std::string> words) const {
    words.insert(words.begin(), {"pose", "build"});
    words.insert(words.end(), {"--references", "20", "--image-size", "16", "--seed", "5"});
    return run(words);
  }
  PoseDatabase database(const std::string& name) const { return PoseDatabase::load(folder_ / name); }
  Folder folder_;
};

TEST_F(PoseBuild, simulates_bins_where_nothing_tells_how_parts_lie) {
  const Outcome done = build({"built-in:hex_bolt", "--bins", "2", "--count", "3", "--out", "bolt.posedb"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_NE(done.out.find("from 6 resting poses"), std::string::npos) << done.out;
  const PoseDatabase built = database("bolt.posedb");
  ASSERT_EQ(built.parts().size(), 1u);
  EXPECT_EQ(built.parts()[0].name, "hex_bolt");
  EXPECT_EQ(built.parts()[0].references.size(), 20u);
  EXPECT_EQ(built.parts()[0].resting, 6u);
  const Outcome info = run({"info", "bolt.posedb"});
  EXPECT_NE(info.out.find("hex_bolt"), std::string::npos) << info.out;
}

TEST_F(PoseBuild, stored_resting_poses_serve_as_well_as_simulated_ones) {
  ASSERT_EQ(build({"built-in:hex_bolt", "--bins", "2", "--count", "3", "--out", "a.posedb", "--quiet"}).exit_code, 0);
  ASSERT_EQ(run({"bin", "poses", "built-in:hex_bolt", "--bins", "2", "--count", "3", "--seed", "5", "--out",
                 "lying.json", "--quiet"})
                .exit_code,
            0);
  ASSERT_EQ(build({"built-in:hex_bolt", "--density", "lying.json", "--out", "b.posedb", "--quiet"}).exit_code, 0);
  const PoseDatabase simulated = database("a.posedb"), stored = database("b.posedb");
  const PoseReferences &a = simulated.parts()[0], &b = stored.parts()[0];
  EXPECT_EQ(a.resting, b.resting);
  // Rotations pass through quaternions in the file, rounded in their last digits.
  EXPECT_NEAR(a.cover_95, b.cover_95, 0.1);
  EXPECT_NEAR(a.cover_median, b.cover_median, 0.1);
  expect_refusal(build({"built-in:hex_nut", "--density", "lying.json", "--out", "c.posedb"}), 3,
                 {"lying.json", "no resting poses of hex_nut", "built-in:hex_bolt"});
}

TEST_F(PoseBuild, parts_are_dropped_apart_or_together) {
  const std::vector<std::string> parts = {
      "built-in:hex_bolt", "built-in:hex_nut", "--bins", "1", "--count", "4", "--quiet"};
  std::vector<std::string> words = parts;
  words.insert(words.end(), {"--out", "apart.posedb"});
  ASSERT_EQ(build(words).exit_code, 0);
  words = parts;
  words.insert(words.end(), {"--mixed", "--out", "mixed.posedb"});
  ASSERT_EQ(build(words).exit_code, 0);
  const PoseDatabase apart = database("apart.posedb"), mixed = database("mixed.posedb");
  ASSERT_EQ(mixed.parts().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(apart.parts()[i].resting, 4u) << "four of each, in a bin of its own";
    EXPECT_EQ(mixed.parts()[i].resting, 2u) << "four in all";
  }
}

TEST_F(PoseBuild, symmetry_may_be_given) {
  write_points(folder_ / "box.ply", built_in_part(BuiltInPart::box));
  ASSERT_EQ(run({"symmetry", "box.ply", "--json", "box.json", "--quiet"}).exit_code, 0);
  nlohmann::json half = read_json(folder_ / "box.json");
  half["kind"] = "none", half["order"] = 1, half["axes"] = nlohmann::json::array();
  half["rotations"].erase(half["rotations"].begin() + 1, half["rotations"].end());
  write_text(folder_ / "half.json", half.dump());
  ASSERT_EQ(build({"built-in:box", "--symmetry", "half.json", "--sampling", "uniform", "--out", "c.posedb", "--quiet"})
                .exit_code,
            0);
  EXPECT_EQ(group_name(database("c.posedb").parts()[0].symmetry), "C1") << "a box has D2 of its own";
  expect_refusal(build({"built-in:cube", "--symmetry", "box.json", "--sampling", "uniform", "--out", "d.posedb"}), 3,
                 {"box.json: is not the symmetry of built-in:cube", "diameter of", "103.9"});
  expect_refusal(build({"built-in:cube", "built-in:box", "--symmetry", "box.json", "--out", "d.posedb"}), 2,
                 {"--symmetry", "1 files for 2 parts"});
}

// The symmetry was found in the file's metres; the database is in millimetres.
TEST_F(PoseBuild, symmetry_is_brought_into_the_parts_unit) {
  PointCloud box = built_in_part(BuiltInPart::box);
  for (Vec3& p : box.positions) p = 0.001 * (p + Vec3{10, 20, 30});
  write_points(folder_ / "box_m.ply", box);
  ASSERT_EQ(run({"symmetry", "box_m.ply", "--json", "box.json", "--quiet"}).exit_code, 0);
  const std::vector<std::string> words = {"box_m.ply", "--unit", "m", "--sampling", "uniform", "--quiet", "--out"};
  std::vector<std::string> given = words, found = words;
  given.insert(given.end(), {"given.posedb", "--symmetry", "box.json"});
  found.push_back("found.posedb");
  ASSERT_EQ(build(given).exit_code, 0);
  ASSERT_EQ(build(found).exit_code, 0);
  const PoseDatabase from_file = database("given.posedb"), own = database("found.posedb");
  const Symmetry &a = from_file.parts()[0].symmetry, &b = own.parts()[0].symmetry;
  EXPECT_NEAR(a.diameter, b.diameter, 1e-6 * b.diameter);
  EXPECT_NEAR(norm(a.center - b.center), 0, 1e-6 * b.diameter);
  EXPECT_NEAR(norm(a.box_high - b.box_high), 0, 1e-6 * b.diameter);
  ASSERT_EQ(a.rotations.size(), 4u);
  // A rotation keeps the centre, wherever the part lies in its file.
  for (const Transform& rotation : a.rotations) EXPECT_NEAR(norm(rotation * b.center - b.center), 0, 1e-6 * b.diameter);
}

TEST_F(PoseBuild, resting_poses_without_the_part_in_a_bin_are_told_as_that) {
  ASSERT_EQ(
      run({"bin", "poses", "built-in:cube", "--bins", "1", "--count", "1", "--out", "a.json", "--quiet"}).exit_code, 0);
  nlohmann::json empty = read_json(folder_ / "a.json");
  empty["bins"] = nlohmann::json::array();
  write_text(folder_ / "none.json", empty.dump());
  expect_refusal(build({"built-in:cube", "--density", "none.json", "--out", "c.posedb"}), 3,
                 {"none.json", "none rests in its 0 bins"});
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--sampling", "uniform"}, {"--bins", "2"}, {"--count", "3"}, {"--friction", "0.3"}, {"--mixed"}}) {
    std::vector<std::string> words = {"built-in:cube", "--density", "a.json", "--out", "c.posedb"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refusal(build(words), 2, {more.front(), "--density"});
  }
}

TEST_F(PoseBuild, what_is_wrong_is_refused) {
  expect_refusal(build({"a/part.stl", "b/part.ply", "--out", "c.posedb"}), 2,
                 {"a/part.stl and b/part.ply are both named 'part'", "rename"});

  expect_refusal(build({"built-in:cube", "--bins", "0", "--out", "c.posedb"}), 2, {"--bins: 0"});
  expect_refusal(build({"built-in:cube", "--count", "0", "--out", "c.posedb"}), 2, {"--count: 0"});
  expect_refusal(build({"absent.stl", "--out", "c.posedb"}), 3, {"absent.stl"});
  expect_refusal(build({"built-in:cube", "--density", "absent.json", "--out", "c.posedb"}), 3, {"absent.json"});
  EXPECT_TRUE(folder_.files().empty());
}

}  // namespace
}  // namespace dovetail::test
