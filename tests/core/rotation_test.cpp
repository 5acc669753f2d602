// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/rotation.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>

#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

const double angles[] = {0.0,   1e-150, 1e-12,  1e-9, 1e-5, 1e-2,      0.499,     0.5,
                         0.501, 1.0,    pi / 2, 2.0,  3.0,  pi - 1e-4, pi - 1e-8, pi - 1e-12};

TEST(Rotation, ExpAgreesWithEigenAndIsARotation) {
  RandomStream random(1, 0);
  for (double angle : angles) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 axis = random.unit_vector();
      const Mat3 r = exp_so3(angle * axis);
      const Eigen::Matrix3d oracle = Eigen::AngleAxisd(angle, to_eigen(axis)).toRotationMatrix();
      EXPECT_LT(difference(r, from_eigen(oracle)), 8 * eps) << angle;  // a dozen roundings on either side
      EXPECT_LT(rotation_defect(r), 16 * eps) << angle;
    }
  }
}

TEST(Rotation, LogInvertsExpFromZeroToPi) {
  RandomStream random(2, 0);
  for (double angle : angles) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 w = angle * random.unit_vector();
      const Vec3 back = log_so3(exp_so3(w));
      // Entries of the matrix are rounded to eps, absolutely: so is the rotation vector, up to a small factor. Below
      // 1e-7 it is exact relative to its own size, since the matrix then holds w in its off-diagonal.
      EXPECT_LT(difference(w, back), angle < 1e-7 ? 8 * eps * angle + 1e-307 : 32 * eps) << angle;
      EXPECT_NEAR(rotation_angle(exp_so3(w)), angle, angle < 1e-7 ? 8 * eps * angle + 1e-307 : 32 * eps);
    }
  }
}

TEST(Rotation, LogOfHalfTurnsHasLengthPi) {
  RandomStream random(3, 0);
  for (int i = 0; i < 50; ++i) {
    const Vec3 axis = random.unit_vector();
    const Mat3 r = matrix_from_quaternion(Quaternion<double>{0, axis[0], axis[1], axis[2]});
    const Vec3 w = log_so3(r);
    EXPECT_NEAR(norm(w), pi, 32 * eps);
    EXPECT_LT(difference(exp_so3(w), r), 64 * eps);
  }
  EXPECT_NEAR(norm(log_so3(Mat3{1, 0, 0, 0, -1, 0, 0, 0, -1})), pi, 4 * eps);
}

TEST(Rotation, QuaternionRoundTripAndOrder) {
  RandomStream random(4, 0);
  for (double angle : angles) {
    const Mat3 r = rotation_by(angle, random);
    const Quaternion<double> q = quaternion_from_matrix(r);
    EXPECT_NEAR(squared_norm(q), 1.0, 8 * eps);
    EXPECT_GE(q[0], 0.0);
    EXPECT_LT(difference(matrix_from_quaternion(q), r), 16 * eps);
    EXPECT_LT(difference(matrix_from_quaternion(-3.0 * q), r), 16 * eps);
    const Eigen::Quaterniond oracle(q[0], q[1], q[2], q[3]);
    EXPECT_LT(difference(from_eigen(oracle.toRotationMatrix()), r), 16 * eps);
  }
}

TEST(Rotation, FloatIsAsGoodAsFloatCanBe) {
  RandomStream random(5, 0);
  for (double angle : angles) {
    const Vec3f w = (angle * random.unit_vector()).cast<float>();
    const float float_eps = std::numeric_limits<float>::epsilon();
    EXPECT_LT(difference(exp_so3(w), exp_so3(w.cast<double>()).cast<float>()), 8 * float_eps);
    EXPECT_LT(difference(log_so3(exp_so3(w)), w), (angle > 3.1 ? 3.0 : 1.0) * 32 * float_eps) << angle;
  }
}

TEST(Rotation, LeftJacobianIsTheDerivativeOfExp) {
  RandomStream random(6, 0);
  constexpr double h = 1e-5;
  for (double angle : {0.0, 1e-6, 0.3, 0.4999, 0.5001, 1.0, 3.0}) {
    const Vec3 w = angle * random.unit_vector();
    const Mat3 j = left_jacobian_so3(w);
    for (int k = 0; k < 3; ++k) {
      Vec3 d{};
      d[k] = h;
      const Vec3 numeric = log_so3(exp_so3(w + d) * transpose(exp_so3(w - d))) * (1.0 / (2 * h));
      // Central differences: h^2 from the third derivative, eps / h from rounding.
      EXPECT_LT(difference(numeric, Vec3{j(0, k), j(1, k), j(2, k)}), 1e-9) << angle;
    }
    EXPECT_LT(difference(j * left_jacobian_inverse_so3(w), Mat3::identity()), 32 * eps) << angle;
  }
}

TEST(Rotation, SeriesJoinTheClosedFormsWithoutAStep) {
  // At t = 1/2 one side uses the series, the other the closed form: neighbours may differ by the closed form's
  // cancellation, eps over t^2 times 24.
  const auto below = RotationSeries<double>::of(0.5 - 1e-15), above = RotationSeries<double>::of(0.5);
  EXPECT_NEAR(below.a, above.a, 100 * eps);
  EXPECT_NEAR(below.b, above.b, 100 * eps);
  EXPECT_NEAR(below.c, above.c, 100 * eps);
  EXPECT_NEAR(below.d, above.d, 100 * eps);
}

TEST(Rotation, PlanarExpAndLog) {
  for (double angle : angles) {
    EXPECT_NEAR(log_so2(exp_so2(angle)), angle, 2 * eps * angle + 1e-307);
    EXPECT_NEAR(log_so2(exp_so2(-angle)), -angle, 2 * eps * angle + 1e-307);
    EXPECT_NEAR(rotation_angle(exp_so2(-angle)), angle, 2 * eps * angle + 1e-307);
  }
  EXPECT_GT(exp_so2(0.1)(1, 0), 0.0);  // counter-clockwise
}

TEST(Rotation, HornMatrixIsTheQuadraticFormOfTheTrace) {
  RandomStream random(7, 0);
  for (int i = 0; i < 20; ++i) {
    const Mat3 c = random_matrix<3, 3>(random);
    const Mat3 r = random.rotation();
    const Quaternion<double> q = quaternion_from_matrix(r);
    const Mat3 rc = transpose(r) * c;
    EXPECT_NEAR(dot(q, horn_matrix(c) * q), rc(0, 0) + rc(1, 1) + rc(2, 2), 64 * eps);
  }
}

TEST(Rotation, NearestRotationAgreesWithSvd) {
  RandomStream random(8, 0);
  for (int i = 0; i < 100; ++i) {
    const Mat3 m = random_matrix<3, 3>(random);
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(to_eigen(m), Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Vector3d signs(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1);
    const Eigen::Matrix3d oracle = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
    const Eigen::Vector3d s = svd.singularValues();
    const double gap = s[1] + signs[2] * s[2];  // the answer's condition: eps |m| / gap
    EXPECT_LT(difference(nearest_rotation(m), from_eigen(oracle)), 50 * eps * s[0] / gap);
    EXPECT_LT(rotation_defect(nearest_rotation(m)), 16 * eps);
  }
}

TEST(Rotation, NearestRotationRepairsRoundedOnes) {
  RandomStream random(9, 0);
  for (double angle : {0.0, 1.0, pi - 1e-7, pi}) {
    const Mat3 r = rotation_by(angle, random);
    // To first order a disturbance n moves the answer by its skew part only, at most |n|.
    const Mat3 n = 1e-6 * random_matrix<3, 3>(random);
    EXPECT_LT(difference(nearest_rotation(r + n), r), 4 * largest_entry(n));
    EXPECT_LT(difference(nearest_rotation(r), r), 16 * eps);
    const Mat3 symmetric = n + transpose(n);
    EXPECT_LT(difference(nearest_rotation(r + r * symmetric), r), 32 * eps);  // R (1 + S): nearest is R
  }
  const Mat2 r2 = exp_so2(2.5);
  EXPECT_LT(difference(nearest_rotation(1.01 * r2), r2), 4 * eps);
  EXPECT_EQ(nearest_rotation(Mat2{}), Mat2::identity());
}

}  // namespace
}  // namespace dovetail
