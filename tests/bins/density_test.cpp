// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/pose_density.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "io/depth_png.h"
#include "io/file.h"

// Densities of made-up resting poses, of which it is known what they are.

namespace dovetail::test {
namespace {

/// A rotation that brings `up` of the part upwards, turned about the vertical.
Mat3 standing(const Vec3& up, double turn) {
  const Vec3 z{0, 0, 1}, axis = cross(up, z);
  const double angle = std::acos(std::clamp(dot(up, z), -1.0, 1.0));
  const Mat3 raise = norm(axis) > 1e-9 ? exp_so3(axis * (angle / norm(axis)))
                                       : (up[2] > 0 ? Mat3::identity() : exp_so3(Vec3{M_PI, 0, 0}));
  return exp_so3(Vec3{0, 0, turn}) * raise;
}

RestingPoses poses_of(const std::vector<std::pair<Vec3, int>>& ups) {
  RestingPoses poses;
  poses.parts = {{"made-up", 1, 1}};
  poses.bins.resize(1);
  RandomStream random(5, 0);
  for (const auto& [up, count] : ups) {
    for (int i = 0; i < count; ++i) {
      const Mat3 shaken =
          standing(up, random.uniform(-M_PI, M_PI)) * exp_so3(0.02 * (random.rotation() * Vec3{1, 0, 0}));
      poses.bins[0].parts.push_back({0, {shaken, {}}});
    }
  }
  return poses;
}

Symmetry turned_about_z(int order) {
  Symmetry symmetry;
  symmetry.kind = order == 0 ? SymmetryKind::revolution : SymmetryKind::cyclic;
  symmetry.order = order;
  symmetry.axes = {{{0, 0, 1}, {}, order}};
  symmetry.rotations.clear();
  for (int i = 0; i < std::max(1, order); ++i) {
    const double angle = order == 0 ? 0 : 2 * M_PI * i / order;
    symmetry.rotations.push_back(Transform(Rigid3{exp_so3(Vec3{0, 0, angle}), {}}));
  }
  return symmetry;
}

TEST(PoseDensity, finds_what_is_frequent) {
  const PoseDensity density = pose_density(poses_of({{{0, 0, 1}, 50}, {{1, 0, 0}, 30}, {{0, -1, 0}, 20}}), 0, {});
  EXPECT_EQ(density.poses, 100u);
  ASSERT_EQ(density.orientations.size(), 3u);
  EXPECT_DOUBLE_EQ(density.orientations[0].share, 0.5);
  EXPECT_DOUBLE_EQ(density.orientations[1].share, 0.3);
  EXPECT_EQ(density.orientations[2].count, 20u);
  // The grid is 3 degrees wide, the poses are shaken by 1.1, and any place within reach of them all is as good.
  EXPECT_GT(density.orientations[0].up[2], std::cos(0.2));
  EXPECT_GT(density.orientations[1].up[0], std::cos(0.2));
  EXPECT_LT(density.orientations[2].up[1], -std::cos(0.2));
  for (const auto& steps : density.euler) EXPECT_NEAR(std::accumulate(steps.begin(), steps.end(), 0.0), 1, 1e-12);
}

TEST(PoseDensity, counts_up_to_symmetry) {
  const RestingPoses poses = poses_of({{{1, 0, 0}, 40}, {{-1, 0, 0}, 30}, {{0, 1, 0}, 20}, {{0, 0, 1}, 10}});
  EXPECT_DOUBLE_EQ(pose_density(poses, 0, {}).orientations[0].share, 0.4);
  EXPECT_DOUBLE_EQ(pose_density(poses, 0, turned_about_z(2)).orientations[0].share, 0.7);
  EXPECT_DOUBLE_EQ(pose_density(poses, 0, turned_about_z(4)).orientations[0].share, 0.9);
  const PoseDensity free = pose_density(poses, 0, turned_about_z(0));
  EXPECT_DOUBLE_EQ(free.orientations[0].share, 0.9);
  EXPECT_NEAR(free.orientations[0].up[2], 0, 0.2);
  ASSERT_EQ(free.orientations.size(), 2u);
}

TEST(PoseDensity, is_one_in_the_mean) {
  RestingPoses poses = poses_of({});
  RandomStream random(8, 0);
  for (int i = 0; i < 4000; ++i) poses.bins[0].parts.push_back({0, {random.rotation(), {}}});
  for (const int order : {1, 2, 0}) {
    const PoseDensity density = pose_density(poses, 0, order == 1 ? Symmetry{} : turned_about_z(order));
    const double sum = std::accumulate(density.density.begin(), density.density.end(), 0.0);
    // Caps overlap differently from direction to direction; near a free axis they are small, and few poses are in them.
    EXPECT_NEAR(sum / static_cast<double>(density.density.size()), 1, 0.02) << order;
  }
  const PoseDensity all = pose_density(poses, 0, {}), one = pose_density(poses_of({{{0, 0, 1}, 9}}), 0, {});
  EXPECT_EQ(density_distance(all, all), 0);
  EXPECT_GT(density_distance(all, one), 0.95);
}

TEST(PoseDensity, writes_pictures_and_numbers) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "dovetail_density_pictures";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const PoseDensity density = pose_density(poses_of({{{0, 0, 1}, 50}, {{1, 0, 0}, 30}}), 0, {});
  write_density_pictures(folder, "bolt", density, built_in_part(BuiltInPart::hex_bolt));
  const auto read = [&](const char* name) {
    const io::FileBytes bytes(folder / name);
    return io::read_depth_png(name, bytes.view());
  };
  const io::DepthPng sphere = read("bolt.sphere.png");
  ASSERT_EQ(sphere.width, 2 * sphere.height);
  const std::size_t row = sphere.height / 2 * sphere.width;
  EXPECT_GT(sphere.steps[row + sphere.width / 4], 40000) << "+z is in the middle of the left disc, and dense";
  EXPECT_EQ(sphere.steps[row + 3 * sphere.width / 4], 0) << "-z is in the middle of the right one, and empty";
  EXPECT_EQ(sphere.steps[0], 65535) << "beside the discs there is nothing";
  EXPECT_GT(read("bolt.euler.png").width, 100u);
  if (scanner_available()) {
    const io::DepthPng seen = read("bolt.orientations.png");
    EXPECT_EQ(seen.width, 5 * seen.height);
    EXPECT_LT(seen.steps[seen.height / 2 * seen.width + seen.height / 2], 60000)
        << "the bolt is in the middle of its tile";
  }
  const auto json = nlohmann::json::parse(to_json(density, "bolt"));
  EXPECT_EQ(json["schema"], "dovetail.density/1");
  EXPECT_EQ(json["orientations"][0]["count"], 50);
  std::filesystem::remove_all(folder);
}

TEST(PoseDensity, what_cannot_be_is_refused) {
  const RestingPoses poses = poses_of({{{0, 0, 1}, 5}});
  EXPECT_THROW(pose_density(poses, 1, {}), InvalidArgument);
  EXPECT_THROW(pose_density(poses, 0, {}, 10, 0), InvalidArgument);
  EXPECT_THROW(pose_density(poses_of({}), 0, {}), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
