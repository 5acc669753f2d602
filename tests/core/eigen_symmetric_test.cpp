// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/eigen_symmetric.h"

#include <Eigen/Eigenvalues>

#include "core/smallest_eigenvector.h"
#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

template <class T, int N>
void expect_decomposes(const Symmetric<T, N>& a) {
  const auto e = eigen_symmetric(a);
  const double unit = std::numeric_limits<T>::epsilon();
  const Matrix<T, N, N> vectors = e.vectors;
  EXPECT_LT(difference(transpose(vectors) * vectors, Matrix<T, N, N>::identity()), 20 * N * unit);
  const double size = largest_entry(a.to_matrix());
  for (int k = 0; k < N; ++k) {
    if (k > 0) {
      EXPECT_LE(e.values[k - 1], e.values[k]);
    }
    // Residual in units of the matrix: Jacobi is backward stable, a few N eps.
    const Vector<T, N> residual = a * e.vector(k) - e.values[k] * e.vector(k);
    EXPECT_LE(largest_entry(residual), 20 * N * unit * size);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> oracle(
      to_eigen(a.to_matrix().template cast<double>()));
  for (int k = 0; k < N; ++k) {
    EXPECT_NEAR(static_cast<double>(e.values[k]), oracle.eigenvalues()[k], 20 * N * unit * size);
  }
}

template <int N>
Symmetric<double, N> with_eigenvalues(const Vector<double, N>& values, RandomStream& random) {
  Eigen::Matrix<double, N, N> m = to_eigen(random_matrix<N, N>(random));
  const Eigen::Matrix<double, N, N> q = m.householderQr().householderQ();
  return Symmetric<double, N>::from_matrix(
      from_eigen(Eigen::Matrix<double, N, N>(q * to_eigen(values).asDiagonal() * q.transpose())));
}

TEST(EigenSymmetric, RandomMatricesOfEverySize) {
  RandomStream random(1, 0);
  for (int i = 0; i < 50; ++i) {
    expect_decomposes(Symmetric<double, 2>::from_matrix(random_matrix<2, 2>(random)));
    expect_decomposes(Symmetric<double, 3>::from_matrix(random_matrix<3, 3>(random)));
    expect_decomposes(Symmetric<double, 4>::from_matrix(random_matrix<4, 4>(random)));
    expect_decomposes(Symmetric<double, 6>::from_matrix(random_matrix<6, 6>(random)));
    expect_decomposes(Symmetric<double, 8>::from_matrix(random_matrix<8, 8>(random)));
    expect_decomposes(Symmetric<float, 3>::from_matrix(random_matrix<3, 3>(random).cast<float>()));
    expect_decomposes(Symmetric<float, 6>::from_matrix(random_matrix<6, 6>(random).cast<float>()));
  }
}

TEST(EigenSymmetric, RepeatedZeroAndNearlyRepeatedEigenvalues) {
  RandomStream random(2, 0);
  for (int i = 0; i < 20; ++i) {
    expect_decomposes(with_eigenvalues<4>({1, 1, 1, 1}, random));
    expect_decomposes(with_eigenvalues<4>({-1, 2, 2, 2}, random));
    expect_decomposes(with_eigenvalues<4>({0, 0, 1, 1}, random));
    expect_decomposes(with_eigenvalues<6>({0, 0, 0, 0, 0, 1}, random));
    expect_decomposes(with_eigenvalues<6>({1, 1 + 1e-15, 1 + 1e-12, 1 + 1e-8, 2, 2}, random));
    expect_decomposes(with_eigenvalues<8>({-3, -3, 0, 1e-14, 1e-7, 1, 1, 1e3}, random));
  }
}

TEST(EigenSymmetric, ScalesFromTinyToHuge) {
  RandomStream random(3, 0);
  for (double scale : {1e-300, 1e-160, 1e-30, 1e-10, 1e10, 1e30, 1e160, 1e300}) {
    auto a = Symmetric<double, 6>::from_matrix(random_matrix<6, 6>(random));
    const auto plain = eigen_symmetric(a);
    for (double& x : a.data) x *= scale;
    const auto scaled = eigen_symmetric(a);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(scaled.values[k] / scale, plain.values[k], 100 * eps);
    EXPECT_LT(difference(transpose(scaled.vectors) * scaled.vectors, Matrix<double, 6, 6>::identity()), 100 * eps);
  }
  for (float scale : {1e-30f, 1e30f}) {
    auto a = Symmetric<float, 3>::from_matrix(random_matrix<3, 3>(random).cast<float>());
    const auto plain = eigen_symmetric(a);
    for (float& x : a.data) x *= scale;
    const auto scaled = eigen_symmetric(a);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(scaled.values[k] / scale, plain.values[k], 1e-5f);
  }
}

TEST(EigenSymmetric, DiagonalAndZeroAreExact) {
  const auto zero = eigen_symmetric(Symmetric<double, 5>::zero());
  EXPECT_EQ(zero.values, (Vector<double, 5>{}));
  EXPECT_EQ(zero.vectors, (Matrix<double, 5, 5>::identity()));
  Symmetric<double, 3> d{};
  d(0, 0) = 3, d(1, 1) = -1, d(2, 2) = 0.1;
  const auto e = eigen_symmetric(d);
  EXPECT_EQ(e.values, (Vec3{-1, 0.1, 3}));
  EXPECT_EQ(e.vector(0), (Vec3{0, 1, 0}));
  EXPECT_EQ(e.vector(2), (Vec3{1, 0, 0}));
}

// Graded positive definite matrices D C D with C well conditioned: Jacobi finds even the smallest eigenvalue to full
// relative accuracy (Demmel and Veselic 1992), which rank decisions rely on.
TEST(EigenSymmetric, SmallEigenvaluesKeepTheirDigits) {
  Symmetric<double, 3> a{};
  a(0, 0) = 1, a(0, 1) = 0.5e-8, a(0, 2) = 0.25e-16, a(1, 1) = 1e-16, a(1, 2) = 0.5e-24, a(2, 2) = 1e-32;
  const auto e = eigen_symmetric(a);
  // det(a) = 1e-48 det(C) with C = [[1, .5, .25], [.5, 1, .5], [.25, .5, 1]], det(C) = 0.5625; exact in rationals.
  EXPECT_NEAR(e.values[0] * e.values[1] * e.values[2] / 1e-48, 0.5625, 1e-14);
  EXPECT_NEAR(e.values[0] / 1e-32, 0.75, 1e-8);  // C's last Schur complement, 0.75, up to the gaps squared
}

TEST(EigenSymmetric, NonFiniteInputEnds) {
  Symmetric<double, 4> a = Symmetric<double, 4>::identity();
  a(0, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto e = eigen_symmetric(a);
  bool all_finite = true;
  for (double x : e.values.data) all_finite = all_finite && std::isfinite(x);
  EXPECT_FALSE(all_finite);
}

template <class T>
void expect_smallest(const Symmetric<double, 3>& exact) {
  Symmetric<T, 3> a{};
  for (int i = 0; i < 6; ++i) a.data[i] = static_cast<T>(exact.data[i]);
  const Vector<double, 3> v = smallest_eigenvector(a).template cast<double>();
  const double unit = std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(norm(v), 1.0, 10 * unit);
  // Backward error: v is the exact smallest eigenvector of a matrix this near. Its Rayleigh quotient is then the
  // smallest eigenvalue up to the same amount, and its residual vanishes up to it.
  Symmetric<double, 3> rounded{};
  for (int i = 0; i < 6; ++i) rounded.data[i] = static_cast<double>(a.data[i]);
  const double size = largest_entry(rounded.to_matrix()), lowest = eigen_symmetric(rounded).values[0];
  EXPECT_NEAR(dot(v, rounded * v), lowest, 30 * unit * size);
  EXPECT_LT(largest_entry(rounded * v - lowest * v), 60 * unit * size);
}

TEST(SmallestEigenvector, IsBackwardStableForEveryShape) {
  RandomStream random(4, 0);
  const Vec3 shapes[] = {{0, 1, 1},   {1e-4, 1, 1},     {0, 1, 2},        {0, 0, 1},           {1, 1, 1},
                         {0.9, 1, 1}, {1, 1, 1 + 1e-6}, {1 - 1e-6, 1, 1}, {1e-7, 1e-6, 1},     {0.3, 0.6, 0.9},
                         {-1, 0, 1},  {1e-3, 1e-3, 1},  {0, 1e-9, 1},     {5, 5.0001, 5.0002}, {1e-12, 1, 1e3}};
  for (const Vec3& shape : shapes) {
    for (int i = 0; i < 50; ++i) {
      const auto a = with_eigenvalues<3>(shape, random);
      expect_smallest<double>(a);
      expect_smallest<float>(a);
    }
    Symmetric<double, 3> diagonal{};
    for (int i = 0; i < 3; ++i) diagonal(i, i) = shape[(i + 1) % 3];
    expect_smallest<double>(diagonal);
    expect_smallest<float>(diagonal);
  }
}

TEST(SmallestEigenvector, PlaneNormalInFloatAtEveryScale) {
  RandomStream random(5, 0);
  for (double scale : {1e-30, 1e-12, 1.0, 1e12, 1e30}) {
    for (int i = 0; i < 20; ++i) {
      const Mat3 r = random.rotation();
      const auto a = congruence(r, Symmetric<double, 3>{{0.5 * scale, 0, 0, scale, 0, 0.0}});
      Symmetric<float, 3> single{};
      for (int k = 0; k < 6; ++k) single.data[k] = static_cast<float>(a.data[k]);
      const Vec3f n = smallest_eigenvector(single);
      const Vec3 truth = {r(0, 2), r(1, 2), r(2, 2)};
      // Rounding the six entries turns the normal by eps over the gap 0.5.
      EXPECT_LT(norm(cross(n.cast<double>(), truth)), 1e-6);
    }
  }
}

TEST(SmallestEigenvector, NoInformationGivesTheZAxis) {
  const Vec3 z = {0, 0, 1};
  EXPECT_EQ(smallest_eigenvector(Symmetric<double, 3>::zero()), z);
  EXPECT_EQ(smallest_eigenvector(Symmetric<double, 3>::identity()), z);
  Symmetric<double, 3> bad = Symmetric<double, 3>::identity();
  bad(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(smallest_eigenvector(bad), z);
}

}  // namespace
}  // namespace dovetail
