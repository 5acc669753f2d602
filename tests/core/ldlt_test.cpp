// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/ldlt.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "core/weak_directions.h"
#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

template <int N>
Symmetric<double, N> random_positive(RandomStream& random, int rows = 2 * N) {
  Symmetric<double, N> a{};
  for (int k = 0; k < rows; ++k) a.add_outer(1.0, random_vector<N>(random));
  return a;
}

template <int N>
void agrees_with_eigen() {
  RandomStream random(N, 0);
  for (int i = 0; i < 50; ++i) {
    const auto a = random_positive<N>(random, 3 * N);
    const auto b = random_vector<N>(random);
    const Eigen::Matrix<double, N, N> dense = to_eigen(a.to_matrix());
    const Eigen::LDLT<Eigen::Matrix<double, N, N>> oracle(dense);
    const double condition = dense.norm() * dense.inverse().norm();
    const auto f = ldlt(a);
    ASSERT_EQ(f.rank, N);
    const double size = oracle.solve(to_eigen(b)).norm();
    EXPECT_LT(difference(f.solve(b), from_eigen(oracle.solve(to_eigen(b)))), 20 * N * eps * condition * size);
    const Matrix<double, N, N> inverse = f.inverse().to_matrix();
    EXPECT_LT(difference(inverse * a.to_matrix(), Matrix<double, N, N>::identity()), 50 * N * eps * condition);
    for (int k = 1; k < N; ++k) EXPECT_LE(f.pivot[k], f.pivot[k - 1] * (1 + 8 * eps));
    EXPECT_EQ(f.pivot[0], 1.0);
  }
}

TEST(Ldlt, AgreesWithEigen) {
  agrees_with_eigen<1>();
  agrees_with_eigen<2>();
  agrees_with_eigen<3>();
  agrees_with_eigen<6>();
  agrees_with_eigen<7>();
  agrees_with_eigen<8>();
  agrees_with_eigen<12>();
}

TEST(Ldlt, RankOfSingularMatrices) {
  RandomStream random(1, 0);
  for (int rank = 0; rank <= 6; ++rank) {
    const auto a = random_positive<6>(random, rank);
    const auto f = ldlt(a);
    EXPECT_EQ(f.rank, rank);
    EXPECT_EQ(f.health() > 0.0, rank == 6);
    // A right-hand side in the range is met exactly even so (a basic solution); condition of random sub-blocks < 1e6.
    const Vector<double, 6> b = a * random_vector<6>(random);
    EXPECT_LT(difference(a * f.solve(b), b), 1e-9) << rank;
  }
}

TEST(Ldlt, RankAndHealthDoNotDependOnUnits) {
  RandomStream random(2, 0);
  const auto a = random_positive<6>(random);
  const Vector<double, 6> units = {1e-8, 1e8, 1e-3, 1e12, 1, 1e-12};
  Symmetric<double, 6> scaled{};
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) scaled(i, j) = units[i] * a(i, j) * units[j];
  }
  const auto plain = ldlt(a), other = ldlt(scaled);
  EXPECT_EQ(other.rank, 6);
  EXPECT_NEAR(other.health() / plain.health(), 1.0, 1e-12);  // roundings of entries times their condition, 1e2 or so
  const auto b = random_vector<6>(random);
  Vector<double, 6> scaled_b{};
  for (int i = 0; i < 6; ++i) scaled_b[i] = units[i] * b[i];
  const auto x = plain.solve(b), y = other.solve(scaled_b);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(units[i] * y[i], x[i], 1e-12);
}

TEST(Ldlt, NonFiniteAndNegativeDiagonalsAreLeftOut) {
  auto a = Symmetric<double, 3>::identity();
  a(1, 1) = -1;
  a(2, 2) = std::numeric_limits<double>::infinity();
  const auto f = ldlt(a);
  EXPECT_EQ(f.rank, 1);
  EXPECT_EQ(f.solve(Vec3{2, 3, 4}), (Vec3{2, 0, 0}));
  a(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ldlt(a).rank, 0);
  EXPECT_EQ(ldlt(a).inverse(), (Symmetric<double, 3>::zero()));
}

TEST(SolveMasked, SolvesTheSubProblemOfEveryMask) {
  RandomStream random(3, 0);
  const auto a = random_positive<6>(random);
  const auto b = random_vector<6>(random);
  for (unsigned mask = 0; mask < 64; ++mask) {
    std::vector<int> enabled;
    for (int i = 0; i < 6; ++i) {
      if (mask >> i & 1u) enabled.push_back(i);
    }
    const Eigen::Index n = static_cast<Eigen::Index>(enabled.size());
    Eigen::MatrixXd sub(n, n);
    Eigen::VectorXd rhs(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      rhs[i] = b[enabled[static_cast<std::size_t>(i)]];
      for (Eigen::Index j = 0; j < n; ++j) {
        sub(i, j) = a(enabled[static_cast<std::size_t>(i)], enabled[static_cast<std::size_t>(j)]);
      }
    }
    const Eigen::VectorXd oracle = n > 0 ? Eigen::VectorXd(sub.ldlt().solve(rhs)) : rhs;
    const auto s = solve_masked(a, b, mask);
    EXPECT_EQ(s.rank, n);
    EXPECT_EQ(s.full_rank(), n > 0);
    for (int i = 0, k = 0; i < 6; ++i) {
      if (mask >> i & 1u) {
        EXPECT_NEAR(s.x[i], oracle[k++], 1e-12);  // condition about 1e2, 6 unknowns
      } else {
        EXPECT_EQ(s.x[i], 0.0);
      }
    }
  }
}

TEST(SolveMasked, TellsWhenTheEnabledPartIsSingular) {
  Symmetric<double, 3> a{};
  a.add_outer(1.0, {1, 1, 0});
  a(2, 2) = 1;
  EXPECT_FALSE(solve_masked(a, Vec3{1, 1, 1}, 0b111u).full_rank());
  EXPECT_EQ(solve_masked(a, Vec3{1, 1, 1}, 0b111u).rank, 2);
  EXPECT_TRUE(solve_masked(a, Vec3{1, 1, 1}, 0b101u).full_rank());
  EXPECT_EQ(solve_masked(a, Vec3{1, 1, 1}, 0b110u).x, (Vec3{0, 1, 1}));
}

TEST(SolveTruncated, IsThePlainSolutionWhereNothingIsWeak) {
  RandomStream random(4, 0);
  for (int i = 0; i < 20; ++i) {
    const auto a = random_positive<6>(random, 18);
    const auto b = random_vector<6>(random);
    const auto s = solve_truncated(a, b, 1e-9);
    EXPECT_EQ(s.weak, 0u);
    EXPECT_EQ(s.rank, 6);
    EXPECT_LT(difference(s.x, ldlt(a).solve(b)), 1e-12);  // condition about 1e2
  }
}

// Point-to-plane on the plane z = 0: turning about z and sliding along x and y are free.
TEST(SolveTruncated, FindsThatAPlaneSlides) {
  RandomStream random(5, 0);
  Symmetric<double, 6> a{};
  Vector<double, 6> b{};
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = {random.normal(), random.normal(), 0.0}, n = {0, 0, 1};
    const Vec3 m = cross(p, n);
    const Vector<double, 6> row = {m[0], m[1], m[2], n[0], n[1], n[2]};
    a.add_outer(1.0, row);
    b += (0.3 + 0.1 * p[1]) * row;  // residual of a plane raised by 0.3 and tilted by 0.1 about x
  }
  const auto s = solve_truncated(a, b, 1e-9);
  EXPECT_EQ(s.rank, 3);
  EXPECT_EQ(s.weak_count(), 3);
  EXPECT_LT(difference(s.x, Vector<double, 6>{0.1, 0, 0, 0, 0, 0.3}), 1e-14);  // well conditioned, 100 sums
  for (int k = 0; k < 6; ++k) {
    if ((s.weak >> k & 1u) == 0) continue;
    for (int i : {0, 1, 5}) EXPECT_EQ(s.vectors(i, k), 0.0);
  }
}

TEST(SolveTruncated, UnitsDecideWhatIsWeakAndMaskedUnknownsAreNotReported) {
  Symmetric<double, 3> a{};
  a(0, 0) = 1e-12, a(1, 1) = 1.0, a(2, 2) = 2.0;
  const Vec3 b = {1e-12, 2, 3};
  const auto plain = solve_truncated(a, b, 1e-6);
  EXPECT_EQ(plain.rank, 2);
  EXPECT_EQ(plain.x, (Vec3{0, 2, 1.5}));
  const auto in_units = solve_truncated(a, b, 1e-6, Vec3{1e6, 1, 1});
  EXPECT_EQ(in_units.rank, 3);
  EXPECT_LT(difference(in_units.x, Vec3{1, 2, 1.5}), 4 * eps);
  const auto masked = solve_truncated(a, b, 1e-6, Vec3{1, 1, 1}, 0b011u);
  EXPECT_EQ(masked.weak_count(), 1);
  EXPECT_EQ(masked.rank, 1);
  EXPECT_EQ(masked.x, (Vec3{0, 2, 0}));
  const auto none = solve_truncated(Symmetric<double, 3>::zero(), b, 1e-6);
  EXPECT_EQ(none.weak, 0b111u);
  EXPECT_EQ(none.x, Vec3{});
}

}  // namespace
}  // namespace dovetail
