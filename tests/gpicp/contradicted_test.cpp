// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "dovetail/registration.h"
#include "support/shapes.h"

namespace dovetail::test {
namespace {

/// A tenth of the source stands where the target's sensor looked through, and nothing of it fits: the only answer there
/// is scores below 0, and is told all the same.
TEST(RegisterGpicp, answers_where_every_pose_is_contradicted) {
  const PointCloud source = Transform(Rigid3{Mat3::identity(), {0, 0, 1}}) * bumpy_surface(4000, 1);
  const PointCloud target = Transform(Rigid3{Mat3::identity(), {0, 0, 2}}) * bumpy_surface(6000, 2);
  Gpicp options;
  options.starts_from = StartsFrom::random, options.starts = 1, options.max_iterations = 1;
  dovetail::Run run;
  run.start = Rigid3{Mat3::identity(), {0.55, 0, 0}};
  const Registration result = register_points(source, target, options, run);
  EXPECT_FALSE(result.usable());
}

}  // namespace
}  // namespace dovetail::test
