// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "dovetail/error.h"
#include "gpicp/table_scene.h"

namespace dovetail::test {
namespace {

class FindObjects : public testing::Test {
 protected:
  void SetUp() override {
    if (!scanner_available()) GTEST_SKIP() << "built without Embree";
  }
  const TableScene scene_;
};

TEST_F(FindObjects, finds_a_part_on_a_table) {
  const PointCloud seen = scene_.seen();
  const ObjectToFind wanted[] = {{"bracket", &scene_.bracket}};
  const Found found = find_objects(wanted, seen);
  ASSERT_EQ(found.objects.size(), 1u) << found.message;
  const Transform apart = found.objects[0].scene_from_object.inverse() * scene_.truth();
  EXPECT_LT(rotation_angle(apart.as<Rigid3>().rotation), 0.01);  // noise of 0.2 on a part of 120, 3,000 points of it
  EXPECT_LT(norm(apart * Vec3{60, 40, 30} - Vec3{60, 40, 30}), 0.8);
  EXPECT_GT(*found.objects[0].confidence, 0.9);
  EXPECT_FALSE(found.objects[0].covariance.empty());
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["schema"], "dovetail.found/1");
  EXPECT_EQ(json["objects"][0]["object"], "bracket");
  EXPECT_EQ(json["objects"][0]["quaternion_wxyz"].size(), 4u);
  const PointCloud coloured = coloured_scene(found, seen, wanted);
  const auto& numbers = std::get<std::vector<std::int32_t>>(coloured.attributes.back().values);
  EXPECT_GT(std::count(numbers.begin(), numbers.end(), 0), 500);
}

TEST_F(FindObjects, tells_how_far_it_is_and_tries_given_poses) {
  dovetail::Run run;
  run.starts = {scene_.truth()};
  std::vector<FindProgress> heard;
  const Found found = find_objects({{{"bracket", &scene_.bracket}}}, scene_.seen(), {}, run,
                                   [&](const FindProgress& at) { heard.push_back(at); });
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].object, "bracket");
  EXPECT_EQ(heard[0].found, 0u);
  EXPECT_EQ(found.objects.size(), 1u);
}

TEST_F(FindObjects, a_part_that_looks_the_same_turned_round_has_no_rival_there) {
  // A box of which nothing tells one end from the other: turned by 180 degrees about any axis it is the same.
  PointCloud box;
  for (int i = 0; i < 8; ++i) box.positions.push_back({i & 1 ? 60.0 : 0, i & 2 ? 40.0 : 0, i & 4 ? 25.0 : 0});
  for (const std::array<std::uint32_t, 4>& f : {std::array<std::uint32_t, 4>{0, 2, 3, 1},
                                                {4, 5, 7, 6},
                                                {0, 1, 5, 4},
                                                {2, 6, 7, 3},
                                                {0, 4, 6, 2},
                                                {1, 3, 7, 5}}) {
    box.faces.add({f[0], f[1], f[2], f[3]});
  }
  const PointCloud top = table();
  const std::vector<ScenePart> parts = {{&box, scene_.on_table}, {&top, Transform()}};
  const Found found = find_objects({{{"box", &box}}}, scan(parts, scene_.options));
  ASSERT_EQ(found.objects.size(), 1u) << to_json(found);
  EXPECT_GT(*found.objects[0].confidence, 0.8) << to_json(found);
}

TEST_F(FindObjects, says_that_a_part_is_not_there) {
  const PointCloud flange = built_in_part(BuiltInPart::flange);
  const Found found = find_objects({{{"flange", &flange}}}, scene_.seen());
  EXPECT_TRUE(found.objects.empty()) << to_json(found);
  EXPECT_NE(found.message.find("flange"), std::string::npos);
}

TEST_F(FindObjects, a_few_points_are_not_enough_however_well_they_fit) {
  // Twenty corners and edges of the bracket itself, told that it is there.
  PointCloud few;
  for (std::size_t i = 0; i < 20; ++i) {
    few.positions.push_back(scene_.truth() * scene_.bracket.positions[i % scene_.bracket.positions.size()] +
                            Vec3{0.01 * static_cast<double>(i), 0, 0});
  }
  dovetail::Run run;
  run.starts = {scene_.truth()};
  const Found found = find_objects({{{"bracket", &scene_.bracket}}}, few, {}, run);
  EXPECT_TRUE(found.objects.empty());
  for (const FoundObject& o : found.doubtful) EXPECT_LT(*o.confidence, 0.1);
}

TEST_F(FindObjects, has_the_same_bits_whatever_the_threads) {
  const PointCloud seen = scene_.seen();
  dovetail::Run run;
  run.machine = Machine::cpu, run.threads = 1;
  const Found one = find_objects({{{"bracket", &scene_.bracket}}}, seen, {}, run);
  run.threads = 2;
  const Found two = find_objects({{{"bracket", &scene_.bracket}}}, seen, {}, run);
  ASSERT_EQ(one.objects.size(), two.objects.size());
  for (std::size_t i = 0; i < one.objects.size(); ++i) {
    EXPECT_EQ(one.objects[i].scene_from_object, two.objects[i].scene_from_object);
    EXPECT_EQ(one.objects[i].log_odds, two.objects[i].log_odds);
  }
}

TEST_F(FindObjects, tells_poses_in_another_frame) {
  Found found = find_objects({{{"bracket", &scene_.bracket}}}, scene_.seen());
  ASSERT_FALSE(found.objects.empty());
  const Transform robot = Rigid3{exp_so3(Vec3{0, 0, 1}), {100, 0, 0}};
  set_frame(found, robot);
  EXPECT_EQ(*found.objects[0].frame_from_object, robot * found.objects[0].scene_from_object);
  EXPECT_THROW(set_frame(found, Similarity3{Mat3::identity(), {}, 2}), InvalidArgument);
}

TEST_F(FindObjects, refuses_what_cannot_be_and_warns_of_units) {
  const PointCloud seen = scene_.seen(), empty;
  const ObjectToFind bracket{"bracket", &scene_.bracket};
  EXPECT_THROW(find_objects({}, seen), InvalidArgument);
  EXPECT_THROW(find_objects({{{"nothing", &empty}}}, seen), InvalidArgument);
  EXPECT_THROW(find_objects({{bracket}}, empty), InvalidArgument);
  Find somewhere_else;
  somewhere_else.region = Box{{1e6, 1e6, 1e6}, {2e6, 2e6, 2e6}};
  EXPECT_THROW(find_objects({{bracket}}, seen, somewhere_else), InvalidArgument);
  Find inside_out;
  inside_out.region = Box{{1, 1, 1}, {0, 2, 2}};
  EXPECT_THROW(find_objects({{bracket}}, seen, inside_out), InvalidArgument);
  PointCloud metres = scene_.bracket;
  for (Vec3& p : metres.positions) p = 0.001 * p;
  const Found small = find_objects({{{"bracket", &metres}}}, seen);
  EXPECT_TRUE(small.objects.empty());
  ASSERT_EQ(small.warnings.size(), 1u);
  EXPECT_NE(small.warnings[0].find("units"), std::string::npos);
  // A scan of a part is a little smaller than the part.
  PointCloud scan = sample_object({"bracket", &scene_.bracket});
  for (const double share : {0.9, 0.5}) {
    PointCloud smaller = scan;
    for (Vec3& p : smaller.positions) p = share * p;
    dovetail::Run short_run;
    short_run.time_limit_ms = 1;
    const Found found = find_objects({{bracket}}, smaller, {}, short_run);
    EXPECT_EQ(found.warnings.size(), share > 0.8 ? 0u : 1u) << share;
  }
  PointCloud huge = scene_.bracket;
  for (Vec3& p : huge.positions) p = 1000.0 * p;
  const Found large = find_objects({{{"bracket", &huge}}}, seen);
  EXPECT_TRUE(large.objects.empty());
  EXPECT_EQ(large.warnings.size(), 1u);
}

}  // namespace
}  // namespace dovetail::test
