// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/poses.h"
#include "support/problems.h"
#include "support/shapes.h"
#include "support/tolerances.h"

namespace dovetail::test {

/// Tamaki et al.: σ² from 0.01 to 1e-5 by 0.9 per iteration, outliers beyond 0.1, for a bunny of 0.15; one start.
inline EmIcp papers_schedule(Weighting weighting) {
  return {.weighting = weighting,
          .sigma_start = 0.1,
          .sigma_end = 0.0031622776,
          .annealing = 0.9,
          .outlier_distance = 0.1,
          .starts = 1};
}

/// Any rotation, each as likely as another, about a point.
inline Transform random_rotation(RandomStream& random, const Vec3& about) {
  Quaternion<double> q;
  do {
    for (int i = 0; i < 4; ++i) q[i] = random.normal();
  } while (squared_norm(q) < 1e-6);
  const Mat3 r = matrix_from_quaternion((1 / norm(q)) * q);
  return Rigid3{r, about - r * about};
}

}  // namespace dovetail::test
