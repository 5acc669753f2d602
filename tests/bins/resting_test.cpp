// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dovetail/bins.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "io/resting.h"

// Files of resting poses: what was written is read, what is damaged is refused.

namespace dovetail::test {
namespace {

struct TemporaryFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      (std::string("dovetail_resting_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json");
  ~TemporaryFile() { std::filesystem::remove(path); }
};

RestingPoses two_bins() {
  RestingPoses poses;
  poses.parts = {{"a \"quoted\" part.stl", 0xfedcba9876543210u, 104.25}, {"built-in:cube", 7, 0.1}};
  poses.bins.resize(2);
  poses.bins[0] = {18446744073709551615u, 400, 300, 0.1 + 0.2, {}};
  poses.bins[1] = {3, 1, 2, 0, {}};
  poses.bins[0].parts = {{1, {exp_so3(Vec3{0.3, -2, 0.7}), {1.0 / 3, -2e-17, 5e10}}}, {0, Rigid3::identity()}};
  return poses;
}

TEST(Resting, what_was_written_is_read) {
  const TemporaryFile file;
  const RestingPoses poses = two_bins();
  write_resting_poses(file.path, poses);
  const RestingPoses read = read_resting_poses(file.path);
  EXPECT_EQ(read.unit, "mm");
  ASSERT_EQ(read.parts.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.parts[i].name, poses.parts[i].name);
    EXPECT_EQ(read.parts[i].checksum, poses.parts[i].checksum);
    EXPECT_EQ(read.parts[i].diameter, poses.parts[i].diameter);
  }
  ASSERT_EQ(read.bins.size(), 2u);
  EXPECT_EQ(read.bins[0].seed, 18446744073709551615u);
  EXPECT_EQ(read.bins[0].height, 0.1 + 0.2);
  ASSERT_EQ(read.bins[0].parts.size(), 2u);
  EXPECT_TRUE(read.bins[1].parts.empty());
  const RestingPart &was = poses.bins[0].parts[0], &is = read.bins[0].parts[0];
  EXPECT_EQ(is.part, 1u);
  EXPECT_EQ(is.scene_from_part.translation, was.scene_from_part.translation);
  // To a quaternion and back costs a few roundings.
  EXPECT_LT(rotation_angle(is.scene_from_part.rotation * transpose(was.scene_from_part.rotation)), 1e-14);
}

TEST(Resting, what_is_damaged_is_refused_with_file_place_and_reason) {
  const std::string sound =
      R"({"schema": "dovetail.resting/1", "unit": "mm",)"
      R"("parts": [{"name": "a", "checksum": "00000000000000ff", "diameter": 2}],)"
      R"("bins": [{"seed": 1, "size": [3, 2, 1], "parts": [{"part": 0, "rotation": [1, 0, 0, 0], "translation": [0, 0, 1]}]}]})";
  EXPECT_EQ(io::parse_resting_poses("sound", sound).parts[0].checksum, 255u);
  const auto refusal = [&](const std::string& what, const std::string& with) -> std::string {
    std::string text = sound;
    text.replace(text.find(what), what.size(), with);
    try {
      io::parse_resting_poses("poses.json", text);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  struct Damage {
    const char *what, *with, *place, *reason;
  };
  for (const Damage& damage : {
           Damage{"resting/1", "resting/2", "schema", "another version"},
           {"dovetail.resting/1", "bop", "schema", "no file of resting poses"},
           {"\"unit\"", "\"unitt\"", "", "\"unit\" is missing"},
           {"\"mm\"", "\"ell\"", "unit", "mm, cm, m, inch"},
           {"\"mm\"", "5", "unit", "a text was expected"},
           {"00ff", "0xff", "parts[0].checksum", "16 hexadecimal digits"},
           {"00ff", "ff", "parts[0].checksum", "16 hexadecimal digits"},
           {"\"diameter\": 2", "\"diameter\": 0", "parts[0].diameter", "more than 0"},
           {"\"seed\": 1", "\"seed\": -1", "bins[0].seed", "from 0 on"},
           {"\"seed\": 1", "\"seed\": 1.5", "bins[0].seed", "from 0 on"},
           {"[3, 2, 1]", "[3, 2]", "bins[0].size", "3 were expected"},
           {"[3, 2, 1]", "[3, -2, 1]", "bins[0].size", "more than 0"},
           {"\"part\": 0", "\"part\": 1", "bins[0].parts[0].part", "indices of the 1 parts"},
           {"[1, 0, 0, 0]", "[1, 0, 0, 1]", "bins[0].parts[0].rotation", "1 was expected"},
           {"[0, 0, 1]", "[0, 0, null]", "bins[0].parts[0].translation", "finite"},
           {"}]}]}", "", "", "line 1"},
       }) {
    const std::string told = refusal(damage.what, damage.with);
    for (const char* part : {"poses.json", damage.place, damage.reason}) {
      EXPECT_NE(told.find(part), std::string::npos) << damage.what << " -> " << damage.with << ": " << told;
    }
  }
  EXPECT_THROW(read_resting_poses("absent.json"), FileError);
}

TEST(Resting, what_cannot_be_is_not_written) {
  const TemporaryFile file;
  RestingPoses poses = two_bins();
  poses.bins[0].parts[0].part = 2;
  EXPECT_THROW(write_resting_poses(file.path, poses), InvalidArgument);
  poses = two_bins();
  poses.bins[0].parts[0].scene_from_part.translation[1] = std::nan("");
  EXPECT_THROW(write_resting_poses(file.path, poses), InvalidArgument);
  poses = two_bins();
  poses.unit = "ell";
  EXPECT_THROW(write_resting_poses(file.path, poses), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(file.path));
}

TEST(Resting, a_geometry_is_known_again) {
  const PointCloud bolt = built_in_part(BuiltInPart::hex_bolt);
  const std::uint64_t sum = geometry_checksum(bolt);
  EXPECT_NE(sum, geometry_checksum(built_in_part(BuiltInPart::hex_nut)));
  // Faces in another order, points numbered anew.
  PointCloud other;
  for (std::size_t i = bolt.faces.size(); i-- > 0;) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t k = bolt.faces.start[i]; k < bolt.faces.start[i + 1]; ++k) {
      corners.push_back(static_cast<std::uint32_t>(other.size()));
      other.positions.push_back(bolt.positions[bolt.faces.index[k]]);
    }
    ASSERT_EQ(corners.size(), 3u);
    other.faces.add({corners[1], corners[2], corners[0]});
  }
  EXPECT_EQ(geometry_checksum(other), sum);
  for (Vec3& p : other.positions) p = {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
  EXPECT_EQ(geometry_checksum(other), sum);
  std::swap(other.faces.index[0], other.faces.index[1]);
  EXPECT_NE(geometry_checksum(other), sum) << "a face that shows its other side";
  EXPECT_THROW(geometry_checksum(PointCloud{}), InvalidArgument);
  other.faces.index[0] = static_cast<std::uint32_t>(other.size());
  EXPECT_THROW(geometry_checksum(other), InvalidArgument);
  EXPECT_NEAR(resting_kind("cube", built_in_part(BuiltInPart::cube)).diameter, 60 * std::sqrt(3.0), 1e-9);
}

TEST(Resting, bins_become_poses) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 1}};
  Bin bin;
  bin.seed = 5, bin.length = 30, bin.parts.resize(2);
  const std::string names[] = {"cube.stl"};
  const RestingPoses poses = resting_poses(parts, names, std::span(&bin, 1));
  ASSERT_EQ(poses.bins.size(), 1u);
  EXPECT_EQ(poses.bins[0].seed, 5u);
  EXPECT_EQ(poses.bins[0].length, 30);
  EXPECT_EQ(poses.bins[0].parts.size(), 2u);
  EXPECT_EQ(poses.parts[0].checksum, geometry_checksum(cube));
  EXPECT_THROW(resting_poses(parts, {}, std::span(&bin, 1)), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
