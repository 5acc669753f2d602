// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/prepare.h"
#include "dovetail/registration.h"
#include "dovetail/rotation.h"
#include "dovetail/workspace.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"

// The caller's mistakes: an exception that names the argument, its value and what is allowed. (Data that does not
// determine an answer is in degenerate_test.cpp.)

namespace dovetail {
namespace {

using namespace test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const PointCloud& surface() {
  static const PointCloud cloud = bumpy_surface(500);
  return cloud;
}

std::string refusal(const PointCloud& source, const PointCloud& target, const Icp& icp, const Run& run) {
  return message_of<InvalidArgument>([&] { register_points(source, target, icp, run); });
}

TEST(BadInput, CloudsWithoutPoints) {
  EXPECT_TRUE(mentions(refusal({}, surface(), {}, {}), "source"));
  EXPECT_TRUE(mentions(refusal(surface(), {}, {}, {}), "target"));
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([] { evaluate_pose({}, surface(), Transform()); }), "source"));
}

TEST(BadInput, ACloudOfThePlaneAndOneOfSpace) {
  const std::string message = refusal(curve(100), surface(), {}, {});
  EXPECT_TRUE(mentions(message, "2") && mentions(message, "3")) << message;
}

TEST(BadInput, WeightsOfTheWrongNumber) {
  auto run = on(Machine::cpu);
  run.weights.assign(499, 1.0);
  const std::string message = refusal(surface(), surface(), {}, run);
  EXPECT_TRUE(mentions(message, "weights") && mentions(message, "499") && mentions(message, "500")) << message;
}

TEST(BadInput, WeightsThatAreNoWeights) {
  for (const double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    auto run = on(Machine::cpu);
    run.weights.assign(500, 1.0);
    run.weights[123] = bad;
    EXPECT_TRUE(mentions(refusal(surface(), surface(), {}, run), "weights")) << bad;
  }
  auto run = on(Machine::cpu);
  run.weights.assign(500, 0.0);
  EXPECT_TRUE(mentions(refusal(surface(), surface(), {}, run), "weights"));
}

TEST(BadInput, StartsOfTheWrongKind) {
  auto run = on(Machine::cpu);
  run.start = motion2(5, 0, 0);
  std::string message = refusal(surface(), surface(), {}, run);
  EXPECT_TRUE(mentions(message, "start") && mentions(message, "rigid2")) << message;

  run.start = Transform();
  message = refusal(curve(100), curve(100), {}, run);
  EXPECT_TRUE(mentions(message, "start") && mentions(message, "rigid3")) << message;

  run.start = Transform(Similarity3{Mat3::identity(), {}, 1.1});
  message = refusal(surface(), surface(), {}, run);
  EXPECT_TRUE(mentions(message, "start") && mentions(message, "similarity3") && mentions(message, "rigid")) << message;

  run.start.reset();
  run.starts = {Transform(), motion2(5, 0, 0)};
  message = refusal(surface(), surface(), {}, run);
  EXPECT_TRUE(mentions(message, "start") && mentions(message, "rigid2")) << message;
}

TEST(BadInput, StartsThatAreNoPoses) {
  for (const int entry : {0, 3, 12, 15}) {
    Mat4 m = Mat4::identity();
    m[entry] = nan;
    auto run = on(Machine::cpu);
    run.start = Transform(Model::rigid3, m);
    EXPECT_FALSE(refusal(surface(), surface(), {}, run).empty()) << entry;
    run.start.reset();
    run.starts = {Transform(Model::rigid3, m)};
    EXPECT_FALSE(refusal(surface(), surface(), {}, run).empty()) << entry;
  }
  auto run = on(Machine::cpu);
  run.start = Transform(Model::rigid3, 2.0 * Mat4::identity());
  EXPECT_FALSE(refusal(surface(), surface(), {}, run).empty());
}

TEST(BadInput, APoseToEvaluateOfTheWrongKind) {
  EXPECT_THROW(evaluate_pose(surface(), surface(), motion2(5, 0, 0), on(Machine::cpu)), InvalidArgument);
  EXPECT_THROW(evaluate_pose(curve(100), curve(100), Transform(), on(Machine::cpu)), InvalidArgument);
  Mat4 m = Mat4::identity();
  m(0, 3) = nan;
  EXPECT_THROW(evaluate_pose(surface(), surface(), Transform(Model::rigid3, m), on(Machine::cpu)), InvalidArgument);
}

TEST(BadInput, AMachineThatIsNotThereIsAnError) {
  if (has_cuda()) GTEST_SKIP() << "there is a GPU here";
  const std::string message =
      message_of<MachineError>([] { register_points(surface(), surface(), {}, on(Machine::cuda)); });
  EXPECT_TRUE(mentions(message, "cuda")) << message;
  EXPECT_EQ(register_points(surface(), surface(), {}, on(Machine::automatic)).machine, "cpu");
}

TEST(BadInput, APerPointArrayOfTheWrongLengthIsRefused) {
  PointCloud odd = bumpy_surface_with_normals(500);
  odd.normals.resize(7);
  EXPECT_THROW(register_points(odd, surface(), {}, on(Machine::cpu)), InvalidArgument);
  EXPECT_THROW(register_points(surface(), odd, {}, on(Machine::cpu)), InvalidArgument);
}

TEST(BadInput, ViewsThatMakeNoSense) {
  const std::vector<float> numbers(3000, 1.0f);
  const auto told = [&](const PointsView& view) {
    return message_of<InvalidArgument>([&] { evaluate_pose(view, surface(), Transform()); });
  };
  EXPECT_TRUE(mentions(told(PointsView(static_cast<const float*>(nullptr), 10)), "null"));
  EXPECT_TRUE(mentions(told(PointsView(numbers.data(), 10, 3, static_cast<std::size_t>(-3))), "stride"));
  EXPECT_TRUE(mentions(told(PointsView(numbers.data(), 10, 3, 2)), "stride"));
  EXPECT_TRUE(mentions(told(PointsView(numbers.data(), 10, 7)), "allowed: 2, 3"));
}

TEST(BadInput, CloudsWhoseArraysDoNotFit) {
  PointCloud faces = surface();
  faces.faces.add({0, 1, 4000000000u});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { downsample(faces, 0.1); }), "faces"));
  PointCloud attributes = surface();
  attributes.attributes.push_back({"short", 1, std::vector<float>(3, 7.0f)});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { drop_invalid(attributes); }), "short"));
}

TEST(BadInput, AWorkspaceThatWasMovedFrom) {
  Workspace first(Machine::cpu);
  const Workspace second(std::move(first));
  auto run = on(Machine::cpu);
  run.workspace = &first;  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(mentions(refusal(surface(), surface(), {}, run), "workspace"));
}

// An array of normals that nobody filled in is none, and weights may be in any unit.
TEST(OddInput, ZeroNormalsAndHugeWeightsGiveTheSameAnswer) {
  const PointCloud source = Transform(Rigid3{exp_so3(Vec3{0.05, -0.03, 0.04}), {0.02, 0.01, -0.02}}) * surface();
  Reference reference;
  reference.points = surface();
  const Registration plain = register_points(source, surface(), Icp{}, on(Machine::cpu));
  PointCloud with_zeros = surface();
  with_zeros.normals.assign(with_zeros.size(), Vec3f{});
  const Registration zeros = register_points(source, with_zeros, Icp{}, on(Machine::cpu));
  EXPECT_EQ(zeros.target_from_source.matrix, plain.target_from_source.matrix);
  EXPECT_EQ(zeros.score, plain.score);
  for (const double weight : {1e300, 1e38, 1e-300}) {
    auto run = on(Machine::cpu);
    run.weights.assign(source.size(), weight);
    const Registration icp = register_points(source, surface(), Icp{}, run);
    EXPECT_TRUE(icp.usable()) << weight << ": " << icp.message;
    auto once = on(Machine::cpu);
    once.weights.assign(source.size(), 1.0);
    const Registration weighted = register_points(source, reference, Chamfer{}, run);
    const Registration ones = register_points(source, reference, Chamfer{}, once);
    EXPECT_NEAR(distance_between(weighted.target_from_source, ones.target_from_source, {}), 0, 1e-6) << weight;
  }
}

}  // namespace
}  // namespace dovetail
