// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <array>

#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"

// Whether a result knows that it is right.

namespace dovetail {
namespace {

using namespace test;

double degrees_between(const Transform& found, const Transform& truth) {
  return pose_error(found, truth, Vec3{}).degrees;
}

/// The surface of a box with unequal sides, which half turns map onto itself.
PointCloud box(std::size_t count, std::uint64_t seed) {
  return sample(count, seed, [](RandomStream& random) {
    const double side[3] = {0.6, 0.45, 0.3};
    Vec3 p{};
    for (int axis = 0; axis < 3; ++axis) p[axis] = random.uniform(-0.5 * side[axis], 0.5 * side[axis]);
    const int face = static_cast<int>(random.below(6));
    p[face / 2] = (face % 2 == 0 ? -0.5 : 0.5) * side[face / 2];
    return p;
  });
}

/// Points of the bumpy surface at one height.
PointCloud slice(double height, double half_width, std::uint64_t seed) {
  PointCloud cloud = bumpy_surface(400'000, seed);
  std::erase_if(cloud.positions, [&](const Vec3& p) { return std::fabs(p[2] - height) > half_width; });
  for (Vec3& p : cloud.positions) p[2] = height;
  return cloud;
}

class Confidence : public testing::TestWithParam<int> {
 protected:
  MethodOptions method() const {
    const MethodOptions methods[] = {Icp{}, EmIcp{}, Softassign{}, Chamfer{}};
    return methods[GetParam()];
  }
  Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  PointCloud target = bumpy_surface(3000, 11), source = truth.inverse() * bumpy_surface(3000, 12);
  dovetail::Run run = on(Machine::cpu);
};
INSTANTIATE_TEST_SUITE_P(Methods, Confidence, testing::Range(0, 4), [](const auto& test) {
  return std::string(std::array{"icp", "em_icp", "softassign", "chamfer"}[static_cast<std::size_t>(test.param)]);
});

TEST_P(Confidence, OfARightAnswerIsHigh) {
  const Registration r = register_points(source, target, method(), run);
  EXPECT_LT(degrees_between(r.target_from_source, truth), 1);
  ASSERT_TRUE(r.confidence);
  EXPECT_GT(*r.confidence, r.method == "chamfer" ? 0.7 : 0.9) << r.message;  // a field tells less than two surfaces
  EXPECT_TRUE(r.usable());
  EXPECT_FALSE(r.evidence.empty());
}

TEST_P(Confidence, OfAnotherObjectIsLow) {
  const Registration r = register_points(bumpy_sphere(3000, 5), target, method(), run);
  ASSERT_TRUE(r.confidence);
  EXPECT_LT(*r.confidence, 0.5) << r.message;
  EXPECT_FALSE(r.usable());
}

TEST(ConfidenceOfIcp, OfAnotherObjectSaysThatLittleIsInCommonEvenWhereItStillMoves) {
  Icp few;
  few.max_iterations = 3;
  const Registration r = register_points(bumpy_sphere(3000, 5), bumpy_surface(3000, 11), few);
  EXPECT_FALSE(r.usable());
  ASSERT_EQ(r.termination, Termination::max_iterations);
  EXPECT_TRUE(mentions(r.message, "no more in common than unrelated surfaces have, and still moving")) << r.message;
}

TEST_P(Confidence, IsWhatUsableFollows) {
  run.min_confidence = 0;
  EXPECT_TRUE(register_points(bumpy_sphere(3000, 5), target, method(), run).usable());
  run.min_confidence = 1;
  const Registration r = register_points(source, target, method(), run);
  EXPECT_FALSE(r.usable());
  EXPECT_TRUE(mentions(r.message, "confidence")) << r.message;
}

TEST_P(Confidence, OfAnAlternativeIsNoHigher) {
  for (const PointCloud& from : {source, bumpy_sphere(2000, 5), box(2000, 3)}) {
    const Registration r = register_points(from, target, method(), run);
    for (const Registration& other : r.alternatives) {
      ASSERT_TRUE(other.confidence);
      EXPECT_LE(*other.confidence, *r.confidence);
      EXPECT_EQ(other.evidence.size(), r.evidence.size());
    }
  }
}

TEST_P(Confidence, HasTheSameBitsOnAnyNumberOfThreads) {
  run.threads = 1;
  const Registration one = register_points(source, target, method(), run);
  run.threads = 3;
  const Registration three = register_points(source, target, method(), run);
  EXPECT_EQ(one.confidence, three.confidence);
  ASSERT_EQ(one.evidence.size(), three.evidence.size());
  for (std::size_t i = 0; i < one.evidence.size(); ++i) EXPECT_EQ(one.evidence[i].value, three.evidence[i].value);
}

TEST(ConfidenceOfIcp, KnowsThatAStartWasTooFarOff) {
  int usable = 0;
  for (int i = 0; i < 10; ++i) {
    RandomStream random(7, static_cast<std::uint64_t>(i));
    const Transform far = motion(random.unit_vector(), 120, 0.3 * random.unit_vector());
    const Registration r = register_points(far * bumpy_surface(3000, 12), bumpy_surface(3000, 11));
    if (degrees_between(r.target_from_source, far.inverse()) < 5) continue;
    usable += r.usable() ? 1 : 0;
  }
  EXPECT_EQ(usable, 0);
}

TEST(ConfidenceOfIcp, ASymmetricPartHasAnotherPoseThatFitsAsWell) {
  const Transform moved = motion({0.2, 1, 0.4}, 8, {0.02, -0.01, 0.03});
  const Registration r = register_points(moved * box(4000, 1), box(4000, 2));
  EXPECT_FALSE(r.usable());
  EXPECT_LE(*r.confidence, 0.5);
  EXPECT_TRUE(mentions(r.message, "another pose fits as well: a turn by 180 degrees")) << r.message;
  EXPECT_LT(degrees_between(r.target_from_source, moved.inverse()), 1) << "the one nearest to the start is told";
}

/// Three faces of a cube that meet in a corner, as a camera sees them.
PointCloud corner_of_a_cube(int count, std::uint64_t seed) {
  RandomStream random(seed, 0);
  PointCloud cloud;
  for (int i = 0; i < count; ++i) {
    Vec3 p{random.uniform(), random.uniform(), random.uniform()};
    p[i % 3] = 1;
    cloud.positions.push_back(p);
  }
  return cloud;
}

TEST(ConfidenceOfIcp, FacesThatLookAlikeHaveTurnsBetweenThem) {
  // The turns are about the cube's diagonal, which is neither an axis of the points nor the normal of a face.
  const Transform moved = motion({0.2, 1, 0.4}, 8, {0.02, -0.01, 0.03});
  const Registration r = register_points(moved * corner_of_a_cube(4000, 1), corner_of_a_cube(4000, 2));
  EXPECT_FALSE(r.usable());
  EXPECT_LE(*r.confidence, 0.34) << "three poses fit alike";
  EXPECT_TRUE(mentions(r.message, "another pose fits as well: a turn by 120 degrees")) << r.message;
}

TEST(ConfidenceOfSoftMethods, FacesThatLookAlikeHaveTurnsBetweenThemThoughNoStartEndedThere) {
  const Transform moved = motion({0.2, 1, 0.4}, 8, {0.02, -0.01, 0.03});
  EmIcp em_icp;
  em_icp.starts = 2;  // too few to come upon the other poses
  const Registration r = register_points(moved * corner_of_a_cube(2000, 1), corner_of_a_cube(2000, 2), em_icp);
  EXPECT_FALSE(r.usable());
  EXPECT_LE(*r.confidence, 0.34) << "three poses fit alike";
  EXPECT_TRUE(mentions(r.message, "another pose fits as well: a turn by 120 degrees")) << r.message;
}

/// EM-ICP and Softassign, which search from any rotation and still see few of the poses of a symmetric part.
class SoftConfidence : public testing::TestWithParam<bool> {
 protected:
  MethodOptions method() const { return GetParam() ? MethodOptions{EmIcp{}} : MethodOptions{Softassign{}}; }
};
INSTANTIATE_TEST_SUITE_P(Methods, SoftConfidence, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "em_icp" : "softassign"); });

TEST_P(SoftConfidence, ASymmetricPartHasAnotherPoseThatFitsAsWell) {
  for (const double degrees : {8.0, 180.0}) {  // at the pose itself, and at an equivalent one that is not the truth
    const Transform moved = motion({0.2, 1, 0.4}, degrees, {0.02, -0.01, 0.03});
    const Registration r = register_points(moved * box(4000, 1), box(4000, 2), method(), on(Machine::cpu));
    EXPECT_FALSE(r.usable()) << r.message;
    EXPECT_LE(*r.confidence, 0.5);
    EXPECT_TRUE(mentions(r.message, "another pose fits as well: a turn by 180 degrees")) << r.message;
  }
}

TEST_P(SoftConfidence, FacesThatLookAlikeHaveTurnsBetweenThem) {
  const Transform moved = motion({0.2, 1, 0.4}, 8, {0.02, -0.01, 0.03});
  const Registration r =
      register_points(moved * corner_of_a_cube(4000, 1), corner_of_a_cube(4000, 2), method(), on(Machine::cpu));
  EXPECT_FALSE(r.usable());
  EXPECT_LE(*r.confidence, 0.34) << "three poses fit alike";
  EXPECT_TRUE(mentions(r.message, "another pose fits as well: a turn by 120 degrees")) << r.message;
}

TEST_P(SoftConfidence, RivalsHaveTheSameBitsOnAnyNumberOfThreads) {
  dovetail::Run run = on(Machine::cpu);
  run.threads = 1;
  const Registration one = register_points(box(2000, 1), box(2000, 2), method(), run);
  run.threads = 3;
  const Registration three = register_points(box(2000, 1), box(2000, 2), method(), run);
  ASSERT_FALSE(one.alternatives.empty());
  ASSERT_EQ(one.alternatives.size(), three.alternatives.size());
  EXPECT_EQ(one.confidence, three.confidence);
  for (std::size_t i = 0; i < one.alternatives.size(); ++i) {
    EXPECT_EQ(one.alternatives[i].log_odds, three.alternatives[i].log_odds) << i;
  }
}

TEST(ConfidenceOfIcp, ASymmetricPartIsNeverUsableWhereverItStarts) {
  for (int i = 0; i < 10; ++i) {
    RandomStream random(8, static_cast<std::uint64_t>(i));
    const Transform far = motion(random.unit_vector(), random.uniform(60, 180), 0.4 * random.unit_vector());
    const Registration r = register_points(far * box(3000, 1), box(3000, 2));
    EXPECT_FALSE(r.usable()) << "start " << i << ": " << r.message;
  }
}

TEST(ConfidenceOfIcp, WhatSlidesOrTurnsFreelyIsNotUsable) {
  const Transform moved = motion({0, 0, 1}, 3, {0.05, 0.02, 0});
  for (const auto& [source, target] : {std::pair{plane(3000, 1), plane(3000, 2)},
                                       {cylinder(4000, 1), cylinder(4000, 2)},
                                       {sphere(4000, 1), sphere(4000, 2)}}) {
    const Registration r = register_points(moved * source, target);
    EXPECT_FALSE(r.usable());
    EXPECT_TRUE(mentions(r.message, "the common part does not hold")) << r.message;
  }
}

TEST(ConfidenceOfIcp, ASliceIsMatchedAndJudgedWithoutNormalsOfItsOwn) {
  const PointCloud flat = slice(0.05, 2e-4, 3);
  ASSERT_GT(flat.size(), 150u);
  ASSERT_LT(flat.size(), 3000u);
  const Transform moved = motion({0, 0, 1}, 4, {0.02, -0.01, 0.01});
  const Registration r = register_points(moved * flat, bumpy_surface(6000, 11));
  EXPECT_LT(degrees_between(r.target_from_source, moved.inverse()), 2) << r.message;
  EXPECT_TRUE(r.usable()) << r.message;
}

TEST(ConfidenceOfAPose, IsThatOfTheAnswer) {
  const Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  const PointCloud target = bumpy_surface(3000, 11), source = truth.inverse() * bumpy_surface(3000, 12);
  EXPECT_GT(*evaluate_pose(source, target, truth).confidence, 0.9);
  EXPECT_GT(*evaluate_pose(source, target, motion({1, 0, 0}, 1, {0.003, 0, 0}) * truth).confidence, 0.9);
  EXPECT_LT(*evaluate_pose(source, target, motion({1, 0, 0}, 9, {0, 0, 0}) * truth).confidence, 0.1);
  EXPECT_LT(*evaluate_pose(source, target, motion({0, 0, 1}, 100, {0, 0, 0}) * truth).confidence, 0.1);
  EXPECT_LT(*evaluate_pose(source, target, motion({0, 0, 1}, 0, {0.3, 0, 0}) * truth).confidence, 0.1);
}

TEST(ConfidenceOfAPose, SaysWhyItIsLow) {
  const Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  const PointCloud target = bumpy_surface(3000, 11), source = truth.inverse() * bumpy_surface(3000, 12);
  const Registration off = evaluate_pose(source, target, motion({1, 0, 0}, 9, {0, 0, 0}) * truth);
  EXPECT_TRUE(mentions(off.message, "do not rest at this pose")) << off.message;
  const Registration turned = evaluate_pose(box(4000, 1), box(4000, 2), motion({0, 0, 1}, 180, {0, 0, 0}));
  EXPECT_TRUE(mentions(turned.message, "another pose fits as well")) << turned.message;
}

}  // namespace
}  // namespace dovetail
