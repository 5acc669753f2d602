// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/matrix_functions.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <unsupported/Eigen/MatrixFunctions>

#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

TEST(MatrixFunctions, InverseAndDeterminantAgreeWithEigen) {
  RandomStream random(1, 0);
  for (int i = 0; i < 50; ++i) {
    const auto a = random_matrix<4, 4>(random);
    const Eigen::Matrix4d dense = to_eigen(a), oracle = dense.inverse();
    const double condition = dense.norm() * oracle.norm();
    EXPECT_LT(difference(inverse(a), from_eigen(oracle)), 20 * eps * condition * oracle.norm());
    const auto b = random_matrix<3, 3>(random);
    EXPECT_NEAR(determinant(b), to_eigen(b).determinant(), 1e-14);  // products of numbers below 4
    const auto c = random_matrix<2, 2>(random);
    EXPECT_NEAR(determinant(c), to_eigen(c).determinant(), 1e-14);
  }
  EXPECT_EQ(inverse(Mat2{0, 1, 1, 0}), (Mat2{0, 1, 1, 0}));  // needs the row exchange
}

TEST(MatrixFunctions, ExponentialAgreesWithEigen) {
  RandomStream random(2, 0);
  for (double size : {0.0, 1e-12, 1e-3, 0.3, 1.0, 4.0}) {
    for (int i = 0; i < 20; ++i) {
      const Mat3 a = size * random_matrix<3, 3>(random);
      const Eigen::Matrix3d oracle = to_eigen(a).exp();
      // Squaring k times loses up to 2^k eps relative to exp of the norm.
      const double bound = 20 * eps * std::exp(row_sum_norm(a));
      EXPECT_LT(difference(matrix_exponential(a).exp, from_eigen(oracle)), bound);
      // a phi(a) = exp(a) - 1.
      EXPECT_LT(difference(a * matrix_exponential(a).phi + Mat3::identity(), from_eigen(oracle)), bound);
    }
  }
}

TEST(MatrixFunctions, PhiOfANearlyNilpotentMatrixNeedsNoInverse) {
  const Mat2 shift = {0, 1, 0, 0};
  EXPECT_EQ(matrix_exponential(Mat2{}).phi, Mat2::identity());
  EXPECT_LT(difference(matrix_exponential(shift).phi, Mat2{1, 0.5, 0, 1}), 2 * eps);
  EXPECT_LT(difference(matrix_exponential(8.0 * shift).phi, Mat2{1, 4, 0, 1}), 16 * eps);
}

TEST(MatrixFunctions, PolarRotationAgreesWithSvd) {
  RandomStream random(3, 0);
  for (double scale : {1e-8, 1.0, 1e8}) {
    for (int i = 0; i < 50; ++i) {
      Mat3 a = scale * random_matrix<3, 3>(random);
      if (determinant(a) < 0) a = -a;
      const Eigen::JacobiSVD<Eigen::Matrix3d> svd(to_eigen(a), Eigen::ComputeFullU | Eigen::ComputeFullV);
      const Eigen::Vector3d s = svd.singularValues();
      // The factor's own condition is 1 / (s1 + s2); Newton's inverse adds the matrix's.
      EXPECT_LT(difference(polar_rotation(a), from_eigen(Eigen::Matrix3d(svd.matrixU() * svd.matrixV().transpose()))),
                50 * eps * s[0] / s[2]);
    }
  }
}

TEST(MatrixFunctions, LogInvertsExpOfSymmetricMatrices) {
  RandomStream random(4, 0);
  for (double size : {0.0, 1e-10, 1e-2, 0.5, 2.0}) {
    for (int i = 0; i < 20; ++i) {
      const Mat3 m = size * random_matrix<3, 3>(random);
      const Mat3 s = 0.5 * (m + transpose(m));
      // exp is rounded relative to its largest eigenvalue, the smallest one's log suffers: condition exp(spread).
      const double condition = std::exp(2 * row_sum_norm(s));
      EXPECT_LT(difference(log_positive_definite(matrix_exponential(s).exp), s), 50 * eps * condition) << size;
    }
  }
  EXPECT_LT(
      difference(log_positive_definite(Mat2{1e12, 0, 0, 1e-12}), Mat2{12 * std::log(10.), 0, 0, -12 * std::log(10.)}),
      1e-9);  // condition 1e24 in general, but diagonal
}

}  // namespace
}  // namespace dovetail
