// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"

// What a result must not claim.

namespace dovetail {
namespace {

using namespace test;

class Doubt : public testing::TestWithParam<int> {
 protected:
  MethodOptions method() const {
    const MethodOptions methods[] = {Icp{}, EmIcp{}, Softassign{}, Chamfer{}};
    return methods[GetParam()];
  }
  PointCloud target = bumpy_surface(3000, 11);
  PointCloud source = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05}).inverse() * bumpy_surface(3000, 12);
  dovetail::Run run = on(Machine::cpu);
};
INSTANTIATE_TEST_SUITE_P(Methods, Doubt, testing::Range(0, 4), [](const auto& test) {
  return std::string(std::array{"icp", "em_icp", "softassign", "chamfer"}[static_cast<std::size_t>(test.param)]);
});

TEST_P(Doubt, StoppedBeforeItsFirstIterationAPoseIsNotUsable) {
  run.time_limit_ms = 1e-3;
  const Registration late = register_points(source, target, method(), run);
  EXPECT_EQ(late.termination, Termination::time_limit);
  EXPECT_FALSE(late.usable());
  EXPECT_TRUE(mentions(late.message, "stopped at the time limit before")) << late.message;
  EXPECT_FALSE(late.margin || late.expected_error);
  EXPECT_TRUE(late.covariance.empty());
  EXPECT_TRUE(late.alternatives.empty()) << "each of them takes time to judge";

  run.time_limit_ms = 0;
  const std::atomic<bool> cancel = true;
  run.cancel = &cancel;
  const Registration cancelled = register_points(source, target, method(), run);
  EXPECT_EQ(cancelled.termination, Termination::stopped_by_callback);
  EXPECT_FALSE(cancelled.usable());
  EXPECT_TRUE(mentions(cancelled.message, "stopped as asked before")) << cancelled.message;
}

TEST_P(Doubt, MetresAgainstMillimetresAreNotUsable) {
  PointCloud large = target;
  for (Vec3& p : large.positions) p *= 1000;
  for (const auto& [a, b] : {std::pair{&source, &large}, {&large, &source}}) {
    const Registration r = register_points(*a, *b, method(), run);
    EXPECT_FALSE(r.usable()) << r.message;
    const bool asked = mentions(r.message, "different units") ||
                       std::any_of(r.warnings.begin(), r.warnings.end(),
                                   [](const std::string& w) { return mentions(w, "different units"); });
    EXPECT_TRUE(asked) << r.message;
  }
}

TEST_P(Doubt, ThereAreAsManyRowsAsIterations) {
  const Registration r = register_points(source, target, method(), run);
  ASSERT_TRUE(r.usable()) << r.message;
  EXPECT_EQ(r.trace.size(), static_cast<std::size_t>(r.iterations));
  EXPECT_EQ(r.trace.front().iteration, 0);
  EXPECT_EQ(r.trace.back().iteration, r.iterations - 1);
  EXPECT_TRUE(mentions(r.message, "after " + std::to_string(r.iterations) + " iterations")) << r.message;
  EXPECT_LE(r.score, 1);
  for (const Registration& other : r.alternatives) EXPECT_FALSE(mentions(other.message, "0 iterations"));
}

TEST(Refined, CountsTheIterationsOfBothMethods) {
  const PointCloud target = bumpy_surface(3000, 11),
                   source = motion({0, 0, 1}, 5, {}).inverse() * bumpy_surface(3000, 12);
  EmIcp em;
  const Registration alone = register_points(source, target, em, on(Machine::cpu));
  EXPECT_EQ(alone.finished_by, "");
  em.refine = Refinement::icp;
  const Registration both = register_points(source, target, em, on(Machine::cpu));
  EXPECT_EQ(both.finished_by, "icp");
  EXPECT_GT(both.iterations, alone.iterations);
  EXPECT_EQ(both.trace.size(), static_cast<std::size_t>(both.iterations));
  EXPECT_TRUE(mentions(both.message, "after " + std::to_string(both.iterations) + " iterations")) << both.message;
}

}  // namespace
}  // namespace dovetail
