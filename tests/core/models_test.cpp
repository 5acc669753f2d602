// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/models.h"

#include <Eigen/Core>
#include <unsupported/Eigen/MatrixFunctions>

#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

// Laws that hold for all seven models, as manif and Sophus test their groups.
template <class G>
class ModelLaws : public testing::Test {
 protected:
  static constexpr int dof = G::degrees_of_freedom;
  RandomStream random{static_cast<std::uint64_t>(G::model), 0};

  /// A tangent with a rotation of exactly `angle` and the rest of size `size`; perspective is kept small, so that the
  /// points below stay on one side of the horizon.
  typename G::Tangent tangent(double angle, double size) {
    typename G::Tangent t = size * random_vector<dof>(random);
    const Vec3 axis = angle * random.unit_vector();
    if constexpr (G::dimension == 2) {
      t[0] = random.uniform() < 0.5 ? -angle : angle;
    } else {
      for (int i = 0; i < 3; ++i) t[i] = axis[i];
    }
    if constexpr (dof == 8) t[6] *= 0.05, t[7] *= 0.05;
    return t;
  }
  G element() { return G::exp(tangent(random.uniform(0.0, 3.0), 0.4)); }
  typename G::Point point() {
    typename G::Point p{};
    for (double& x : p.data) x = random.uniform(-1.0, 1.0);
    return p;
  }
};

using Models = testing::Types<Rigid2, Similarity2, Affine2, Projective2, Rigid3, Similarity3, Affine3>;
TYPED_TEST_SUITE(ModelLaws, Models);

// Elements are of size 10 at most and made by some hundred roundings; conditions are below 100.
constexpr double law_tolerance = 1e-12;

TYPED_TEST(ModelLaws, IdentityChangesNothing) {
  const auto one = TypeParam::identity();
  for (int i = 0; i < 20; ++i) {
    const auto a = this->element();
    EXPECT_LT(difference((one * a).matrix(), a.matrix()), 4 * eps);
    EXPECT_LT(difference((a * one).matrix(), a.matrix()), 4 * eps);
    const auto p = this->point();
    EXPECT_EQ(one * p, p);
  }
  EXPECT_LT(largest_entry(one.log()), 4 * eps);
  EXPECT_EQ(TypeParam::exp({}).matrix(), one.matrix());
}

TYPED_TEST(ModelLaws, InverseUndoes) {
  for (int i = 0; i < 50; ++i) {
    const auto a = this->element();
    const auto one = TypeParam::identity().matrix();
    EXPECT_LT(difference((a * a.inverse()).matrix(), one), law_tolerance);
    EXPECT_LT(difference((a.inverse() * a).matrix(), one), law_tolerance);
    const auto p = this->point();
    EXPECT_LT(difference(a.inverse() * (a * p), p), law_tolerance);
  }
}

TYPED_TEST(ModelLaws, CompositionIsAssociativeAndActs) {
  for (int i = 0; i < 50; ++i) {
    const auto a = this->element(), b = this->element(), c = this->element();
    EXPECT_LT(difference(((a * b) * c).matrix(), (a * (b * c)).matrix()), 100 * law_tolerance);
    const auto p = this->point();
    EXPECT_LT(difference((a * b) * p, a * (b * p)), 10 * law_tolerance);
  }
}

TYPED_TEST(ModelLaws, MatrixActsLikeTheValue) {
  constexpr int d = TypeParam::dimension;
  for (int i = 0; i < 20; ++i) {
    const auto a = this->element();
    const auto p = this->point();
    Vector<double, d + 1> x{};
    for (int k = 0; k < d; ++k) x[k] = p[k];
    x[d] = 1.0;
    const Vector<double, d + 1> y = a.matrix() * x;
    typename TypeParam::Point q{};
    for (int k = 0; k < d; ++k) q[k] = y[k] / y[d];
    EXPECT_LT(difference(a * p, q), law_tolerance);
  }
}

TYPED_TEST(ModelLaws, LogInvertsExpFromTinyToPi) {
  for (double angle : {0.0, 1e-12, 1e-6, 0.4999, 0.5001, 1.0, 3.0, pi - 1e-5, pi - 1e-9}) {
    for (double size : {0.0, 1e-9, 0.1, 1.0}) {
      for (int i = 0; i < 10; ++i) {
        const auto t = this->tangent(angle, size);
        // The chart is well conditioned but for stretches: exp of up to 6 or so before rounding.
        EXPECT_LT(difference(TypeParam::exp(t).log(), t), size < 0.5 ? 1e-13 : 1e-9) << angle << ' ' << size;
      }
    }
  }
}

TYPED_TEST(ModelLaws, ExpInvertsLog) {
  for (int i = 0; i < 50; ++i) {
    const auto a = this->element() * this->element();
    const auto back = TypeParam::exp(a.log());
    EXPECT_LT(difference(back.matrix(), a.matrix()), 100 * law_tolerance);
  }
}

TYPED_TEST(ModelLaws, ActionJacobianIsTheDerivative) {
  constexpr double h = 1e-5;
  for (int i = 0; i < 10; ++i) {
    const auto p = this->point();
    const auto j = TypeParam::action_jacobian(p);
    for (int k = 0; k < TypeParam::degrees_of_freedom; ++k) {
      typename TypeParam::Tangent d{};
      d[k] = h;
      const auto slope = (TypeParam::exp(d) * p - TypeParam::exp(-d) * p) * (1 / (2 * h));
      for (int row = 0; row < TypeParam::dimension; ++row) EXPECT_NEAR(slope[row], j(row, k), 1e-9);  // h^2, eps / h
    }
  }
}

// exp of a tangent to first order is the sum of its generators: fixes order, signs and units of the tangent.
TYPED_TEST(ModelLaws, TangentOrderIsRotationTranslationScale) {
  constexpr int d = TypeParam::dimension, rotations = d == 2 ? 1 : 3;
  for (int k = 0; k < d; ++k) {
    typename TypeParam::Tangent t{};
    t[rotations + k] = 2.5;
    auto expected = TypeParam::identity().matrix();
    expected(k, d) = 2.5;
    EXPECT_LT(difference(TypeParam::exp(t).matrix(), expected), 4 * eps);
  }
  typename TypeParam::Tangent t{};
  t[rotations - 1] = pi / 2;  // about z
  auto expected = TypeParam::identity().matrix();
  expected(0, 0) = expected(1, 1) = 0;
  expected(0, 1) = -1, expected(1, 0) = 1;
  EXPECT_LT(difference(TypeParam::exp(t).matrix(), expected), 4 * eps);
  if constexpr (TypeParam::degrees_of_freedom > rotations + d) {
    t[rotations + d] = std::log(3.0);
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) expected(i, j) *= 3.0;
    }
    EXPECT_LT(difference(TypeParam::exp(t).matrix(), expected), 16 * eps);
  }
}

TYPED_TEST(ModelLaws, FromMatrixReturnsTheSameValue) {
  for (int i = 0; i < 20; ++i) {
    const auto a = this->element();
    EXPECT_LT(difference(TypeParam::from_matrix(a.matrix()).matrix(), a.matrix()), 16 * eps);
  }
}

// For rigid and similarity exp is the exponential of the generator's matrix.
template <class G>
void expect_group_exponential() {
  RandomStream random(5, 0);
  constexpr int d = G::dimension, rotations = d == 2 ? 1 : 3;
  for (int i = 0; i < 50; ++i) {
    const typename G::Tangent t = random_vector<G::degrees_of_freedom>(random);
    Eigen::Matrix<double, d + 1, d + 1> generator = Eigen::Matrix<double, d + 1, d + 1>::Zero();
    if constexpr (d == 2) {
      generator(0, 1) = -t[0], generator(1, 0) = t[0];
    } else {
      generator.template topLeftCorner<3, 3>() = to_eigen(skew(Vec3{t[0], t[1], t[2]}));
    }
    for (int k = 0; k < d; ++k) {
      generator(k, d) = t[rotations + k];
      if constexpr (G::degrees_of_freedom > rotations + d) generator(k, k) = t[rotations + d];
    }
    const Eigen::Matrix<double, d + 1, d + 1> oracle = generator.exp();
    EXPECT_LT(difference(G::exp(t).matrix(), from_eigen(oracle)), 1e-12);  // entries up to 100
  }
}
TEST(Models, ExpIsTheGroupExponential) {
  expect_group_exponential<Rigid2>();
  expect_group_exponential<Similarity2>();
  expect_group_exponential<Rigid3>();
  expect_group_exponential<Similarity3>();
}

// A model's tangent is a prefix of the next one's.
TEST(Models, Nest) {
  RandomStream random(6, 0);
  for (int i = 0; i < 20; ++i) {
    const auto t2 = random_vector<8>(random);
    const auto rigid2 = Rigid2::exp({t2[0], t2[1], t2[2]});
    EXPECT_LT(difference(Similarity2::exp({t2[0], t2[1], t2[2], 0}).matrix(), rigid2.matrix()), 32 * eps);
    const auto similarity2 = Similarity2::exp({t2[0], t2[1], t2[2], t2[3]});
    EXPECT_LT(difference(Affine2::exp({t2[0], t2[1], t2[2], t2[3], 0, 0}).matrix(), similarity2.matrix()), 4 * eps);
    const auto affine2 = Affine2::exp({t2[0], t2[1], t2[2], t2[3], t2[4], t2[5]});
    EXPECT_LT(difference(Projective2::exp({t2[0], t2[1], t2[2], t2[3], t2[4], t2[5], 0, 0}).matrix(), affine2.matrix()),
              4 * eps);
    const auto t3 = random_vector<7>(random);
    const auto rigid3 = Rigid3::exp({t3[0], t3[1], t3[2], t3[3], t3[4], t3[5]});
    EXPECT_LT(difference(Similarity3::exp({t3[0], t3[1], t3[2], t3[3], t3[4], t3[5], 0}).matrix(), rigid3.matrix()),
              32 * eps);
    const auto similarity3 = Similarity3::exp(t3);
    Affine3::Tangent wide{};
    for (int k = 0; k < 7; ++k) wide[k] = t3[k];
    EXPECT_LT(difference(Affine3::exp(wide).matrix(), similarity3.matrix()), 4 * eps);
    EXPECT_EQ(Affine3::from(similarity3).matrix(), similarity3.matrix());
    EXPECT_EQ(Similarity3::from(rigid3).matrix(), rigid3.matrix());
    EXPECT_EQ(Projective2::from(affine2).matrix(), affine2.matrix());
  }
}

TEST(Models, ProjectiveDerivativeIsTheSlope) {
  RandomStream random(7, 0);
  const Projective2 a = {Mat3{1.1, 0.2, 3, -0.3, 0.9, 1, 0.05, -0.1, 1.3}};
  const Vec2 p = {0.4, -0.7};
  const Mat2 d = a.derivative(p);
  constexpr double h = 1e-6;
  for (int k = 0; k < 2; ++k) {
    Vec2 e{};
    e[k] = h;
    const Vec2 slope = (a * (p + e) - a * (p - e)) * (1 / (2 * h));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(slope[i], d(i, k), 1e-9);  // h^2 and eps / h
  }
}

}  // namespace
}  // namespace dovetail
