// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/normal_equations.h"

#include <vector>

#include "core/fit.h"
#include "core/ldlt.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

struct Problem {
  std::vector<Vec3> source, target;
  std::vector<double> weight;
  Moments moments = Moments::zero();

  Problem(const Similarity3& truth, double noise, RandomStream& random) {
    for (int i = 0; i < 100; ++i) {
      source.push_back(random_vector<3>(random) + Vec3{1, -2, 0.5});
      target.push_back(truth * source.back() + noise * random_vector<3>(random));
      weight.push_back(random.uniform(0.1, 2.0));
      moments.add(weight.back(), source.back(), target.back());
    }
  }
  double cost(const Similarity3& t) const {
    double sum = 0;
    for (std::size_t i = 0; i < source.size(); ++i) sum += weight[i] * squared_norm(t * source[i] - target[i]);
    return sum;
  }
};

TEST(NormalEquations, AddSumsOuterProducts) {
  RandomStream random(1, 0);
  NormalEquations<6> all = NormalEquations<6>::zero(), a = all, b = all;
  Matrix<double, 6, 6> jtj{};
  Vector<double, 6> jtr{};
  double cost = 0, weight = 0;
  for (int i = 0; i < 40; ++i) {
    const auto row = random_vector<6>(random);
    const double r = random.normal(), w = random.uniform();
    all.add(w, row, r);
    (i < 13 ? a : b).add(w, row, r);
    jtj += w * (row * transpose(row));
    jtr += (w * r) * row;
    cost += w * r * r, weight += w;
  }
  a += b;
  for (const auto& e : {all, a}) {
    EXPECT_LT(difference(e.jtj.to_matrix(), jtj), 1e-13);  // 40 terms of size 1
    EXPECT_LT(difference(e.jtr, jtr), 1e-13);
    EXPECT_NEAR(e.cost, cost, 1e-13);
    EXPECT_NEAR(e.weight, weight, 1e-13);
  }
}

// The oracle is the plain sum over points, its Jacobian taken numerically from the step itself.
TEST(PointToPointEquations, AgreeWithBruteForce) {
  RandomStream random(2, 0);
  for (double scale : {1.0, 0.3}) {
    const Problem problem({random.rotation(), {1, 2, 3}, 1.2}, 0.5, random);
    const Similarity3 pose = {random.rotation(), random_vector<3>(random), scale};
    const Vec3 centre = random_vector<3>(random);
    const auto e = point_to_point_equations(problem.moments, pose, centre);
    NormalEquations<7> oracle = NormalEquations<7>::zero();
    constexpr double h = 1e-5;
    for (std::size_t i = 0; i < problem.source.size(); ++i) {
      const Vec3 x = pose * problem.source[i];
      Matrix<double, 3, 7> j{};
      for (int k = 0; k < 7; ++k) {
        Vector<double, 7> d{};
        d[k] = h;
        const Vec3 slope = (step_about(centre, d) * x - step_about(centre, -d) * x) * (1 / (2 * h));
        for (int row = 0; row < 3; ++row) j(row, k) = slope[row];
      }
      const Vec3 r = x - problem.target[i];
      for (int row = 0; row < 3; ++row) {
        Vector<double, 7> jacobian_row{};
        for (int k = 0; k < 7; ++k) jacobian_row[k] = j(row, k);
        oracle.add(problem.weight[i], jacobian_row, r[row]);
      }
    }
    // Central differences are good to 1e-10 of each of some hundred terms of size up to 30.
    EXPECT_LT(difference(e.jtj.to_matrix(), oracle.jtj.to_matrix()), 1e-6);
    EXPECT_LT(difference(e.jtr, oracle.jtr), 1e-6);
    EXPECT_NEAR(e.cost, oracle.cost, 1e-10);
    EXPECT_NEAR(3 * e.weight, oracle.weight, 1e-12);
  }
}

TEST(PointToPointEquations, GradientIsHalfTheSlopeOfTheCost) {
  RandomStream random(3, 0);
  const Problem problem({random.rotation(), {1, 2, 3}, 1.0}, 0.3, random);
  const Similarity3 pose = {random.rotation(), random_vector<3>(random), 1.1};
  const Vec3 centre = problem.moments.target_mean();
  const auto e = point_to_point_equations(problem.moments, pose, centre);
  for (int k = 0; k < 7; ++k) {
    constexpr double h = 1e-5;
    Vector<double, 7> d{};
    d[k] = h;
    const double slope =
        (problem.cost(step_about(centre, d) * pose) - problem.cost(step_about(centre, -d) * pose)) / (2 * h);
    EXPECT_NEAR(2 * e.jtr[k], slope, 1e-6);  // eps * cost / h = 1e-8, h^2 * third derivative = 1e-7
  }
}

TEST(PointToPointEquations, IteratedStepsReachTheClosedForm) {
  RandomStream random(4, 0);
  const Problem problem({rotation_by(0.8, random), {0.3, 0.1, -0.2}, 1.3}, 0.05, random);
  for (unsigned mask : {0x3fu, 0x7fu}) {
    Similarity3 pose = Similarity3::identity();
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Vec3 centre = pose * problem.moments.source_mean();
      const auto e = point_to_point_equations(problem.moments, pose, centre);
      const auto step = solve_masked(e.jtj, -e.jtr, mask);
      ASSERT_TRUE(step.full_rank());
      pose = step_about(centre, step.x) * pose;
    }
    const Similarity3 best = mask == 0x7fu ? fit_similarity3(problem.moments).target_from_source
                                           : Similarity3::from(fit_rigid3(problem.moments).target_from_source);
    EXPECT_LT(difference(pose.matrix(), best.matrix()), 1e-12);  // fixed point of both, rounding of 100 sums
  }
}

TEST(PointToPointEquations, MaskedStepMovesOnlyWhatIsEnabledAndLowersTheCost) {
  RandomStream random(5, 0);
  const Problem problem({exp_so3(Vec3{0, 0, 0.4}), {0.3, 0.1, 0.5}, 1.0}, 0.0, random);
  constexpr unsigned yaw_and_shift_in_plane = 0b0011100u;
  const Vec3 centre = problem.moments.source_mean();
  Similarity3 pose = Similarity3::identity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    const auto e = point_to_point_equations(problem.moments, pose, centre);
    pose = step_about(centre, solve_masked(e.jtj, -e.jtr, yaw_and_shift_in_plane).x) * pose;
  }
  EXPECT_LT(difference(pose.rotation, exp_so3(Vec3{0, 0, 0.4})), 1e-12);
  EXPECT_NEAR(pose.translation[2], 0.0, 1e-15);                           // held
  EXPECT_NEAR(problem.cost(pose), problem.moments.weight * 0.25, 1e-10);  // what the held 0.5 along z leaves
}

TEST(PointToPointEquations, NothingAtAllIsZero) {
  const auto e = point_to_point_equations(Moments::zero(), Similarity3::identity(), Vec3{1, 2, 3});
  EXPECT_EQ(e.jtj, (Symmetric<double, 7>::zero()));
  EXPECT_EQ(e.jtr, (Vector<double, 7>{}));
  EXPECT_EQ(e.cost, 0.0);
}

TEST(PlaneRow, IsTheDerivativeOfTheDistanceToThePlane) {
  RandomStream random(6, 0);
  const Vec3 x = random_vector<3>(random), centre = random_vector<3>(random), n = random.unit_vector();
  const auto row = plane_row(x - centre, n);
  for (int k = 0; k < 7; ++k) {
    constexpr double h = 1e-5;
    Vector<double, 7> d{};
    d[k] = h;
    EXPECT_NEAR(row[k], dot(n, step_about(centre, d) * x - step_about(centre, -d) * x) / (2 * h),
                1e-9);  // h^2, eps / h
  }
}

TEST(StepAbout, RigidIsTheSimilarityWithoutScale) {
  RandomStream random(7, 0);
  const auto x = random_vector<6>(random);
  const Vec3 centre = random_vector<3>(random);
  const Vector<double, 7> wide = {x[0], x[1], x[2], x[3], x[4], x[5], 0.0};
  EXPECT_LT(difference(step_about(centre, x).matrix(), step_about(centre, wide).matrix()), 4 * eps);
  // The centre itself only shifts.
  EXPECT_LT(difference(step_about(centre, wide) * centre, centre + Vec3{x[3], x[4], x[5]}), 16 * eps);
}

}  // namespace
}  // namespace dovetail
