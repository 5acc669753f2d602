// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <numbers>

#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "find/score.h"
#include "scenes/objects.h"
#include "scenes/resting.h"

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi;

SoughtObject sought(BuiltInPart part) {
  const Object object = symmetric_object(part);
  return {object.name, object.mesh, {}, object.symmetries, object.free_axis, {}, diameter_of(object.mesh.positions)};
}

Transform pose(const Vec3& turn, const Vec3& shift) { return Rigid3{exp_so3(turn), shift}; }

const Transform truth = pose({0.4, -0.3, 1.1}, {10, 20, 300});

TEST(PoseError, of_a_shift_is_its_length) {
  const SoughtObject bracket = sought(BuiltInPart::bracket);
  const PoseError error = error_of(bracket, pose({}, {3, 4, 0}) * truth, truth);
  EXPECT_NEAR(error.mssd * bracket.diameter, 5, 1e-9);
  EXPECT_NEAR(error.degrees, 0, 1e-6);  // an angle near zero by its cosine
  EXPECT_NEAR(error.shift, 5, 1e-9);
}

TEST(PoseError, of_a_turn_is_that_of_the_farthest_corner) {
  const SoughtObject cube = sought(BuiltInPart::cube);
  const PoseError error = error_of(cube, truth * pose({0, 0, 0.1}, {}), truth);
  EXPECT_NEAR(error.degrees, 0.1 * 180 / pi, 1e-6);
  EXPECT_NEAR(error.mssd * cube.diameter, 2 * std::sin(0.05) * 30 * std::sqrt(2.0), 1e-9);
}

TEST(PoseError, symmetries_make_no_difference) {
  const SoughtObject cube = sought(BuiltInPart::cube), nut = sought(BuiltInPart::hex_nut);
  EXPECT_NEAR(error_of(cube, truth * pose({0.5 * pi, 0, 0}, {}), truth).mssd, 0, 1e-9);
  EXPECT_NEAR(error_of(nut, truth * pose({0, 0, pi / 3}, {}), truth).mssd, 0, 1e-9);
  EXPECT_GT(error_of(nut, truth * pose({0, 0, pi / 6}, {}), truth).mssd, 0.1);
  EXPECT_GT(error_of(sought(BuiltInPart::mug), truth * pose({0, 0, pi / 6}, {}), truth).mssd, 0.1);
}

TEST(PoseError, any_turn_about_a_free_axis_makes_no_difference) {
  const SoughtObject glass = sought(BuiltInPart::glass), cylinder = sought(BuiltInPart::cylinder);
  for (const double turn : {0.01, 0.7654321, 3.0}) {
    EXPECT_LT(error_of(glass, truth * pose({0, 0, turn}, {}), truth).mssd, 1e-6);  // where the search by thirds ends
    EXPECT_LT(error_of(cylinder, truth * pose({pi, 0, 0}, {}) * pose({0, 0, turn}, {}), truth).mssd, 1e-6);
  }
  EXPECT_GT(error_of(glass, truth * pose({pi, 0, 0}, {}), truth).mssd, 0.1);  // upside down it is another
}

/// Two mugs, one of them hidden too far to be asked for, and a glass.
Case laid() {
  Case c;
  c.search = true;
  c.objects = {sought(BuiltInPart::mug), sought(BuiltInPart::glass)};
  c.placed = {{"mug", 0, pose({}, {0, 0, 0}), 0, 0.5, true},
              {"mug", 0, pose({}, {200, 0, 0}), 0, 0.1, false},
              {"glass", 1, pose({}, {0, 200, 0}), 0, 0.6, true}};
  c.limits = {0, 0, 0.1};
  return c;
}

TEST(Score, each_answer_takes_the_nearest_free_instance) {
  const Case c = laid();
  const Found mug{0, pose({}, {1, 0, 0}), 0.9, true}, hidden{0, pose({}, {201, 0, 0}), 0.8, true};
  const Found glass{1, pose({}, {0, 201, 0}), 0.7, false};
  const Score all = score(c, {hidden, mug, glass});
  EXPECT_EQ(all.asked, 2u);
  EXPECT_EQ(all.found, 2u);
  EXPECT_EQ(all.found_usable, 1u);
  EXPECT_EQ(all.false_usable, 0u);
  EXPECT_TRUE(all.right());
  EXPECT_EQ(all.answers[0].placed, 1u);
  EXPECT_EQ(all.answers[1].placed, 0u);
  const Score twice = score(c, {mug, mug, glass});  // the second is far from the instance that is left
  EXPECT_EQ(twice.found, 2u);
  EXPECT_EQ(twice.false_usable, 1u);
  EXPECT_FALSE(score(c, {mug}).right());
}

TEST(Score, only_as_many_answers_count_as_there_are_instances) {
  const Case c = laid();
  const Found wrong{1, pose({}, {500, 0, 0}), 0.9, true}, glass{1, pose({}, {0, 200, 0}), 0.7, true};
  EXPECT_EQ(score(c, {wrong, glass}).found, 0u);
  EXPECT_EQ(score(c, {glass, wrong}).found, 1u);
  EXPECT_EQ(score(c, {glass, wrong}).false_usable, 0u);
}

TEST(Score, of_an_absent_object_is_right_where_no_answer_claims_it) {
  Case c = laid();
  c.objects = {sought(BuiltInPart::bracket)};
  for (Placed& p : c.placed) p.object.reset(), p.asked = false;
  Found answer{0, pose({}, {0, 0, 0}), 0.1, false};
  EXPECT_TRUE(score(c, {}).right());
  EXPECT_TRUE(score(c, {answer}).right());
  answer.usable = true;
  EXPECT_FALSE(score(c, {answer}).right());
}

TEST(Limits, all_that_are_set_have_to_be_kept) {
  const PoseError error{0.05, 1.5, 0.03};
  EXPECT_TRUE(within({2, 0.05, 0}, error));
  EXPECT_FALSE(within({1, 0.05, 0}, error));
  EXPECT_FALSE(within({2, 0.02, 0}, error));
  EXPECT_TRUE(within({0, 0, 0.1}, error));
  EXPECT_FALSE(within({0, 0, 0.05}, error));  // below, not at
}

}  // namespace
}  // namespace dovetail::bench::find
