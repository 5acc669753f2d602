// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/fit.h"

#include <limits>
#include <vector>

#include "pairs.h"

namespace dovetail {
namespace {

using namespace test;

TEST(FitRigid3, RecoversEveryRotationExactly) {
  RandomStream random(1, 0);
  for (double angle : {0.0, 1e-9, 1e-3, 1.0, pi / 2, 3.0, pi - 1e-9, pi}) {
    for (int shape : {2, 3}) {
      const Similarity3 truth = {rotation_by(angle, random), random_vector<3>(random), 1.0};
      const auto fit = fit_rigid3(make_pairs(truth, shape, 0.0, random).moments());
      EXPECT_TRUE(fit.unique());
      EXPECT_LT(difference(fit.target_from_source.matrix(), truth.matrix()), exact_tolerance) << angle << ' ' << shape;
      EXPECT_LT(rotation_defect(fit.target_from_source.rotation), 16 * eps);
    }
  }
}

TEST(FitRigid3, HalfTurnsAboutTheAxes) {
  RandomStream random(2, 0);
  for (const Mat3& r :
       {Mat3{1, 0, 0, 0, -1, 0, 0, 0, -1}, Mat3{-1, 0, 0, 0, 1, 0, 0, 0, -1}, Mat3{-1, 0, 0, 0, -1, 0, 0, 0, 1}}) {
    const auto fit = fit_rigid3(make_pairs({r, {1, 2, 3}, 1.0}, 3, 0.0, random).moments());
    EXPECT_TRUE(fit.unique());
    EXPECT_LT(difference(fit.target_from_source.rotation, r), exact_tolerance);
  }
}

TEST(FitRigid3, AgreesWithSvdUnderNoiseAndWeights) {
  RandomStream random(3, 0);
  for (double noise : {1e-3, 0.1, 1.0}) {
    for (int shape : {2, 3}) {
      for (int i = 0; i < 10; ++i) {
        const Similarity3 truth = {random.rotation(), random_vector<3>(random), 1.0};
        const Pairs pairs = make_pairs(truth, shape, noise, random, true);
        EXPECT_LT(difference(fit_rigid3(pairs.moments()).target_from_source.matrix(), svd_fit(pairs, false).matrix()),
                  1e-12);  // two roundings of the same well-conditioned answer
      }
    }
  }
}

TEST(FitRigid3, IsTheMinimum) {
  RandomStream random(4, 0);
  const Pairs pairs = make_pairs({random.rotation(), {0, 0, 0}, 1.0}, 3, 0.2, random, true);
  const Moments m = pairs.moments();
  const auto best = Similarity3::from(fit_rigid3(m).target_from_source);
  for (int i = 0; i < 50; ++i) {
    const auto other = Similarity3::from(Rigid3::exp(1e-3 * random_vector<6>(random))) * best;
    EXPECT_GT(m.cost(other), m.cost(best));
  }
}

// Mirrored targets: the best orthogonal map is a reflection, the best rotation must be returned.
TEST(FitRigid3, NeverReturnsAReflection) {
  RandomStream random(5, 0);
  Pairs pairs;
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = {3 * random.normal(), 2 * random.normal(), random.normal()};
    pairs.add(p, {p[0], p[1], -p[2]});
  }
  const auto fit = fit_rigid3(pairs.moments());
  EXPECT_TRUE(fit.unique());
  EXPECT_LT(rotation_defect(fit.target_from_source.rotation), 16 * eps);
  EXPECT_LT(difference(fit.target_from_source.matrix(), svd_fit(pairs, false).matrix()), 1e-12);
}

TEST(FitRigid3, PlanarPointsAtZeroHeight) {
  RandomStream random(6, 0);
  Pairs pairs;
  const Mat3 r = exp_so3(Vec3{0, 0, 2.0});
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = {random.normal(), random.normal(), 0};
    pairs.add(p, r * p + Vec3{1, 2, 0});
  }
  const auto fit = fit_rigid3(pairs.moments());
  EXPECT_TRUE(fit.unique());
  EXPECT_LT(difference(fit.target_from_source.matrix(), Rigid3{r, {1, 2, 0}}.matrix()), exact_tolerance);
}

TEST(FitRigid3, CollinearPointsLeaveOneDirectionFree) {
  RandomStream random(7, 0);
  for (double angle : {0.0, 1.0, pi}) {
    const Similarity3 truth = {rotation_by(angle, random), random_vector<3>(random), 1.0};
    const Pairs pairs = make_pairs(truth, 1, 0.0, random);
    const auto fit = fit_rigid3(pairs.moments());
    EXPECT_EQ(fit.free_directions, 1);
    const Similarity3 found = Similarity3::from(fit.target_from_source);
    for (std::size_t i = 0; i < pairs.source.size(); ++i) {
      EXPECT_LT(difference(found * pairs.source[i], pairs.target[i]),
                1e-7);  // sqrt of the tolerance that calls it equal
    }
    // Of all rotations that fit, the smallest: no larger than the truth.
    EXPECT_LE(rotation_angle(found.rotation), angle + 1e-7);
  }
}

TEST(FitRigid3, CollinearPointsRoundedToFloatAreStillCollinear) {
  RandomStream random(8, 0);
  const Similarity3 truth = {random.rotation(), {1, 2, 3}, 1.0};
  Pairs pairs = make_pairs(truth, 1, 0.0, random);
  for (Vec3& p : pairs.source) p = p.cast<float>().cast<double>();
  for (Vec3& q : pairs.target) q = q.cast<float>().cast<double>();
  EXPECT_EQ(fit_rigid3(pairs.moments()).free_directions, 1);
}

TEST(FitRigid3, ToleranceIsTheCallersWhereSumsAreLessExact) {
  RandomStream random(8, 1);
  const Similarity3 truth = {random.rotation(), {1, 2, 3}, 1.0};
  Moments m = make_pairs(truth, 1, 0.0, random).moments();
  for (double& x : m.qp.data) x *= 1.0 + 1e-8 * random.normal();  // as if summed in float
  EXPECT_TRUE(fit_rigid3(m).unique());
  EXPECT_EQ(fit_rigid3(m, 1e-6).free_directions, 1);
}

TEST(FitRigid3, AThinRodIsNotCollinear) {
  RandomStream random(9, 0);
  const Similarity3 truth = {random.rotation(), {1, 2, 3}, 1.0};
  Pairs pairs;
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = {random.normal(), 1e-4 * random.normal(), 1e-4 * random.normal()};
    pairs.add(p, truth * p);
  }
  const auto fit = fit_rigid3(pairs.moments());
  EXPECT_TRUE(fit.unique());
  // The spin is determined by sums 1e-8 of the largest: eight digits fewer.
  EXPECT_LT(difference(fit.target_from_source.rotation, truth.rotation), 1e-6);
}

TEST(FitRigid3, CoincidingPointsLeaveEveryRotationFree) {
  Pairs pairs;
  for (int i = 0; i < 7; ++i) pairs.add({0.1, 5.3, 7.7}, {1, 2.2, 3}, 0.3);
  const auto fit = fit_rigid3(pairs.moments());
  EXPECT_EQ(fit.free_directions, 3);
  EXPECT_EQ(fit.target_from_source.rotation, Mat3::identity());
  EXPECT_LT(difference(fit.target_from_source * Vec3{0.1, 5.3, 7.7}, Vec3{1, 2.2, 3}), 8 * 8 * eps);
  EXPECT_EQ(fit_similarity3(pairs.moments()).free_directions, 4);
}

TEST(FitRigid3, WeightsOfAnySizeGiveTheSameAnswer) {
  RandomStream random(16, 0);
  const Similarity3 truth = {random.rotation(), random_vector<3>(random), 1.0};
  for (double weight : {1e-290, 1e-100, 1e100, 1e290}) {
    Pairs pairs = make_pairs(truth, 3, 0.0, random);
    for (double& w : pairs.weight) w = weight;
    EXPECT_TRUE(fit_rigid3(pairs.moments()).unique());
    EXPECT_LT(difference(fit_rigid3(pairs.moments()).target_from_source.matrix(), truth.matrix()), exact_tolerance);
  }
  Moments vanished = Moments::zero();
  vanished.add(1e-310, {1, 2, 3}, {4, 5, 6});  // its reciprocal is infinite
  EXPECT_EQ(fit_rigid3(vanished).free_directions, 6);
}

TEST(FitRigid3, NoWeightAndNonFiniteSumsGiveTheIdentity) {
  Moments bad = Moments::zero();
  bad.add(1.0, {1, 2, 3}, {4, 5, 6});
  bad.add(1.0, {std::numeric_limits<double>::quiet_NaN(), 0, 0}, {4, 5, 6});
  Moments infinite = Moments::zero();
  infinite.add(1.0, {1, 2, 3}, {std::numeric_limits<double>::infinity(), 5, 6});
  for (const Moments& m : {Moments::zero(), bad, infinite}) {
    EXPECT_EQ(fit_rigid3(m).free_directions, 6);
    EXPECT_EQ(fit_rigid3(m).target_from_source.matrix(), Mat4::identity());
    EXPECT_EQ(fit_similarity3(m).free_directions, 7);
    EXPECT_EQ(fit_rigid2(m).free_directions, 3);
    EXPECT_EQ(fit_similarity2(m).free_directions, 4);
    EXPECT_EQ(fit_similarity2(m).target_from_source.matrix(), Mat3::identity());
  }
}

// Every source point paired with every target point: no rotation is better than another.
TEST(FitRigid3, UncorrelatedPairsAreReported) {
  RandomStream random(10, 0);
  Moments m = Moments::zero();
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i) points.push_back(random_vector<3>(random));
  for (const Vec3& p : points) {
    for (const Vec3& q : points) m.add(1.0, p, q);
  }
  EXPECT_EQ(fit_rigid3(m).free_directions, 3);
  EXPECT_EQ(fit_similarity3(m).free_directions, 4);
  EXPECT_EQ(fit_similarity3(m).target_from_source.scale, 1.0);
}

TEST(FitSimilarity3, RecoversScaleAndAgreesWithUmeyama) {
  RandomStream random(11, 0);
  for (double scale : {1e-6, 0.5, 1.0, 3.0, 1e6}) {
    const Similarity3 truth = {random.rotation(), scale * random_vector<3>(random), scale};
    const auto exact = fit_similarity3(make_pairs(truth, 3, 0.0, random).moments());
    EXPECT_TRUE(exact.unique());
    EXPECT_NEAR(exact.target_from_source.scale / scale, 1.0, exact_tolerance);
    EXPECT_LT(difference(exact.target_from_source.rotation, truth.rotation), exact_tolerance);
    EXPECT_LT(difference(exact.target_from_source.translation, truth.translation), 10 * scale * exact_tolerance);
    const Pairs noisy = make_pairs(truth, 2, 0.2 * scale, random, true);
    const auto fit = fit_similarity3(noisy.moments());
    const auto oracle = svd_fit(noisy, true);
    EXPECT_NEAR(fit.target_from_source.scale / oracle.scale, 1.0, 1e-12);
    EXPECT_LT(difference(fit.target_from_source.rotation, oracle.rotation), 1e-12);
  }
}

}  // namespace
}  // namespace dovetail
