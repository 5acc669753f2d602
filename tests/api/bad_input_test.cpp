// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/registration.h"
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

}  // namespace
}  // namespace dovetail
