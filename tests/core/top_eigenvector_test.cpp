// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/top_eigenvector.h"

#include <gtest/gtest.h>

#include "core/eigen_symmetric.h"
#include "core/random.h"
#include "core/rotation.h"

namespace dovetail {
namespace {

/// Horn's matrix of a scatter with the given singular values, turned at random.
Symmetric<double, 4> horn_of(std::uint64_t seed, const Vec3& singular, double size) {
  RandomStream random(5, seed);
  Vec3 a, b;
  for (int i = 0; i < 3; ++i) a[i] = random.uniform(-3, 3), b[i] = random.uniform(-3, 3);
  const Mat3 diagonal{singular[0], 0, 0, 0, singular[1], 0, 0, 0, singular[2]};
  return horn_matrix(size * (exp_so3(a) * diagonal * exp_so3(b)));
}

TEST(TopEigenvector, MatchesJacobi) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const double size : {1e-100, 1.0, 1e100}) {
      RandomStream random(6, seed);
      const Vec3 singular{1, random.uniform(0.1, 1), random.uniform(-0.5, 1)};
      const auto n = horn_of(seed, singular, size);
      const TopEigenvector top = top_eigenvector(n);
      const auto jacobi = eigen_symmetric(n);
      if (!top.separate) continue;
      EXPECT_NEAR(top.value / jacobi.values[3], 1, 1e-13);
      EXPECT_NEAR(std::abs(dot(top.vector, jacobi.vector(3))), 1, 1e-13);
      const double off = norm(top.vector - (dot(top.vector, jacobi.vector(3)) < 0 ? -1.0 : 1.0) * jacobi.vector(3));
      EXPECT_LT(off, 1e-11);
    }
  }
}

TEST(TopEigenvector, UsualScattersAreSeparate) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_TRUE(top_eigenvector(horn_of(seed, {1, 0.5, 0.2}, 1)).separate);
    EXPECT_TRUE(top_eigenvector(horn_of(seed, {1, 1, 0}, 1)).separate) << "a plane";
  }
}

TEST(TopEigenvector, WhatIsNotSeparateIsToldSo) {
  EXPECT_FALSE(top_eigenvector(Symmetric<double, 4>{}).separate);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_FALSE(top_eigenvector(horn_of(seed, {1, 0, 0}, 1)).separate) << "a line";
    EXPECT_FALSE(top_eigenvector(horn_of(seed, {1, 1e-6, 0}, 1)).separate);
    EXPECT_FALSE(top_eigenvector(horn_of(seed, {1, 0.7, -0.7}, 1)).separate) << "a reflection with two ways out";
  }
}

}  // namespace
}  // namespace dovetail
