// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/fit.h"
#include "pairs.h"

namespace dovetail {
namespace {

using namespace test;

TEST(FitRigid2, RecoversAnglesAndIgnoresNothing) {
  RandomStream random(12, 0);
  for (double angle : {0.0, 1e-9, 1.0, pi / 2, -3.0, pi}) {
    for (double scale : {0.25, 1.0, 8.0}) {
      const Similarity2 truth = {exp_so2(angle), {1, -2}, scale};
      Pairs pairs;
      for (int i = 0; i < 50; ++i) {
        const Vec2 p = {random.normal(), random.normal() + 1};
        const Vec2 q = truth * p;
        pairs.add({p[0], p[1], 0}, {q[0], q[1], 0}, random.uniform(0.1, 2.0));
      }
      const auto similarity = fit_similarity2(pairs.moments());
      EXPECT_TRUE(similarity.unique());
      EXPECT_LT(difference(similarity.target_from_source.matrix(), truth.matrix()), exact_tolerance * scale * 8);
      // The best rotation does not depend on the scale.
      const auto rigid = fit_rigid2(pairs.moments());
      EXPECT_TRUE(rigid.unique());
      EXPECT_LT(difference(rigid.target_from_source.rotation, truth.rotation), exact_tolerance);
    }
  }
}

TEST(FitRigid2, NoisyPlaneAgreesWithTheSolidFitKeptInPlane) {
  RandomStream random(13, 0);
  Pairs pairs;
  const Mat3 r = exp_so3(Vec3{0, 0, -2.2});
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = {random.normal(), random.normal(), 0};
    pairs.add(p, r * p + Vec3{0.1 * random.normal(), 0.1 * random.normal(), 0}, random.uniform(0.5, 1.0));
  }
  const Mat3 solid = svd_fit(pairs, false).rotation;
  const Mat2 planar = fit_rigid2(pairs.moments()).target_from_source.rotation;
  EXPECT_LT(difference(planar, Mat2{solid(0, 0), solid(0, 1), solid(1, 0), solid(1, 1)}), 1e-13);
}

TEST(FitRigid2, LineIsEnoughAndAPointIsNot) {
  Pairs line, point;
  for (int i = 0; i < 5; ++i) {
    line.add({1.0 * i, 2.0 * i, 0}, {-2.0 * i, 1.0 * i, 0});
    point.add({0.7, 0.3, 0}, {0.1, 0.9, 0});
  }
  EXPECT_TRUE(fit_rigid2(line.moments()).unique());
  EXPECT_LT(difference(fit_rigid2(line.moments()).target_from_source.rotation, exp_so2(pi / 2)), 4 * eps);
  EXPECT_EQ(fit_rigid2(point.moments()).free_directions, 1);
  EXPECT_EQ(fit_similarity2(point.moments()).free_directions, 2);
}

}  // namespace
}  // namespace dovetail
