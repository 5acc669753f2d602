// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "chamfer/chamfer_cases.h"
#include "methods/chamfer.h"
#include "prepare/chamfer_plan.h"

namespace dovetail {
namespace {

using test::case_transform;

template <class Typed>
class ChamferModelTest : public testing::Test {};
using Models = testing::Types<Rigid2, Similarity2, Affine2, Projective2, Rigid3, Similarity3, Affine3>;
TYPED_TEST_SUITE(ChamferModelTest, Models);

TYPED_TEST(ChamferModelTest, TheJacobianIsTheNumericalDerivativeOfAStep) {
  constexpr int D = TypeParam::dimension, L = TypeParam::degrees_of_freedom;
  chamfer::StepFrame<D> frame;
  for (int i = 0; i < D; ++i) frame.centre[i] = 3 - i;
  frame.radius = 7;
  const auto t = case_transform<TypeParam>(0.05);
  Vector<double, D> p{};
  for (int i = 0; i < D; ++i) p[i] = 4 + 2.5 * i;
  chamfer::Look<float, D> look{};
  const auto y = image<D>(t, p);
  for (int i = 0; i < D; ++i) look.moved[i] = static_cast<float>(y[i]);
  chamfer::LookSettings settings;
  for (int i = 0; i < D; ++i) settings.centre[i] = static_cast<float>(frame.centre[i]);
  settings.per_radius = static_cast<float>(1 / frame.radius);
  const chamfer::Jacobian<TypeParam, float> jacobian(look.moved, settings);
  constexpr auto terms = chamfer::JacobianTerms<TypeParam>::of_model();
  const double h = 1e-5;
  for (int a = 0; a < L; ++a) {
    typename TypeParam::Tangent step{};
    step[a] = h;
    const auto plus = image<D>(chamfer::stepped<TypeParam>(frame, step, t), p);
    step[a] = -h;
    const auto minus = image<D>(chamfer::stepped<TypeParam>(frame, step, t), p);
    for (int i = 0; i < D; ++i) {
      // In the step frame: displacements count in radii. Float carries 7 digits, the difference quotient 9.
      const double found = terms.used[i][a] ? double{jacobian.j[i][a]} : 0.0;
      EXPECT_NEAR(found, (plus[i] - minus[i]) / (2 * h * frame.radius), 2e-6) << i << ", " << a;
    }
  }
}

TYPED_TEST(ChamferModelTest, AStepOfNothingIsNothing) {
  constexpr int D = TypeParam::dimension;
  chamfer::StepFrame<D> frame;
  frame.radius = 3;
  const auto t = case_transform<TypeParam>(0.1);
  const auto same = chamfer::stepped<TypeParam>(frame, {}, t);
  for (int i = 0; i < (D + 1) * (D + 1); ++i) EXPECT_NEAR(same[i], t[i], 1e-14);
}

/// The cost of some points at a transform, with the sites they look at held; and what a pass sums there.
template <class Typed>
struct CostAt {
  static constexpr int D = Typed::dimension;
  chamfer::StepFrame<D> frame;
  double cap = 0.5;
  bool surface;

  void each(const typename Typed::Homogeneous& t, const auto& add) const {
    for (int k = 0; k < 40; ++k) {
      Vector<double, D> p{}, q{};
      for (int i = 0; i < D; ++i) p[i] = std::sin(1.7 * k + 2.1 * i), q[i] = p[i] + 0.1 * std::cos(3.1 * k + i);
      const auto y = image<D>(t, p);
      chamfer::Look<float, D> look{};
      for (int i = 0; i < D; ++i) {
        look.moved[i] = static_cast<float>(y[i]);
        look.site[i] = static_cast<float>(q[i]);
      }
      if (surface) {
        double length = 0;
        for (int i = 0; i < D; ++i) length += std::pow(std::cos(0.9 * k + 2 * i), 2);
        for (int i = 0; i < D; ++i) {
          look.normal[i] = static_cast<float>(std::cos(0.9 * k + 2 * i) / std::sqrt(length));
        }
        look.slack = 0.02f;
      }
      look.found = look.weight = 1;
      chamfer::LookSettings settings;
      settings.per_cap_squared = static_cast<float>(1 / (cap * cap));
      for (int i = 0; i < D; ++i) settings.centre[i] = static_cast<float>(frame.centre[i]);
      settings.per_radius = static_cast<float>(1 / frame.radius);
      chamfer::look_terms<Typed>(look, settings, add);
    }
  }
  chamfer::Sums<Typed::degrees_of_freedom> sums(const typename Typed::Homogeneous& t) const {
    chamfer::Sums<Typed::degrees_of_freedom> s{};
    each(t, [&](int k, float value) { as_doubles(s)[k] += double{value}; });
    return s;
  }
};

TYPED_TEST(ChamferModelTest, TheGradientIsThatOfTheCost) {
  constexpr int D = TypeParam::dimension, L = TypeParam::degrees_of_freedom;
  for (const bool surface : {false, true}) {
    CostAt<TypeParam> at;
    at.surface = surface;
    at.frame.radius = 1.3;
    for (int i = 0; i < D; ++i) at.frame.centre[i] = 0.1 * i;
    const auto t = case_transform<TypeParam>(0.03);
    const auto sums = at.sums(t);
    const double h = 2e-3;  // the cost is summed in float
    for (int a = 0; a < L; ++a) {
      typename TypeParam::Tangent step{};
      step[a] = h;
      const double plus = at.sums(chamfer::stepped<TypeParam>(at.frame, step, t)).cost;
      step[a] = -h;
      const double minus = at.sums(chamfer::stepped<TypeParam>(at.frame, step, t)).cost;
      // The cost counts in cap², its derivative by a squared distance is k: d cost = 2 k r dr / cap².
      const double expected = (plus - minus) / (2 * h) * at.cap * at.cap / (2 * at.frame.radius);
      EXPECT_NEAR(sums.gradient[a], expected, 2e-3) << "parameter " << a << (surface ? ", surface" : ", points");
    }
  }
}

TEST(ChamferResidual, OfASurfaceForgetsWhatLiesAlongItWithinTheSlack) {
  chamfer::Look<float, 2> look{};
  look.moved[0] = 0.3f, look.moved[1] = 0.4f;
  look.normal[1] = 1;
  look.slack = 0.5f;
  const chamfer::Residual<float, 2> within(look);
  EXPECT_FLOAT_EQ(within.r[0], 0);
  EXPECT_FLOAT_EQ(within.r[1], 0.4f);
  EXPECT_FLOAT_EQ(within.along, 0);
  look.slack = 0.1f;
  const chamfer::Residual<float, 2> beyond(look);
  EXPECT_FLOAT_EQ(beyond.r[0], 0.2f);
  EXPECT_FLOAT_EQ(beyond.r[1], 0.4f);
  EXPECT_FLOAT_EQ(beyond.along, 0.2f / 0.3f);
  look.normal[1] = 0;
  look.slack = 0;
  const chamfer::Residual<float, 2> alone(look);
  EXPECT_FLOAT_EQ(alone.r[0], 0.3f);
  EXPECT_FLOAT_EQ(alone.r[1], 0.4f);
  EXPECT_FLOAT_EQ(alone.squared, 0.25f);
}

TEST(ChamferCost, IsBoundedAndLeavingNeverPays) {
  chamfer::Look<float, 2> look{};
  look.found = look.weight = 1;
  chamfer::LookSettings settings;
  settings.per_cap_squared = 1;
  float last = -1;
  for (float d = 0; d < 2; d += 0.01f) {
    const chamfer::Judged<float> judged(look, d * d, settings);
    EXPECT_GE(judged.cost, last);
    EXPECT_LE(judged.cost, 1.0f / 3.0f + 1e-6f);
    last = judged.cost;
  }
  look.found = 0;
  const chamfer::Judged<float> outside(look, 0.0f, settings);
  EXPECT_FLOAT_EQ(outside.cost, last);
  EXPECT_EQ(outside.weight, 0);
}

TEST(SiteNormal, SurvivesPacking) {
  RandomStream random(3, 1);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 n = random.unit_vector();
    Site site{};
    site.normal = pack_normal(3, static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2]));
    float back[3];
    ASSERT_TRUE(site.unpack_normal<3>(back));
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(double{back[a]}, n[a], 1e-4);  // 16 bits over an octahedron's side
    const double length = std::hypot(n[0], n[1]);
    site.normal = pack_normal(2, static_cast<float>(n[0] / length), static_cast<float>(n[1] / length), 0);
    ASSERT_TRUE(site.unpack_normal<2>(back));
    EXPECT_NEAR(double{back[0]}, n[0] / length, 5e-5);
    EXPECT_NEAR(double{back[1]}, n[1] / length, 5e-5);
  }
  Site alone{};
  alone.normal = pack_normal(3, 0, 0, 0);
  float none[3];
  EXPECT_FALSE(alone.unpack_normal<3>(none));
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{1, 0, 0}, Vec3{0, -1, 0}}) {
    alone.normal =
        pack_normal(3, static_cast<float>(axis[0]), static_cast<float>(axis[1]), static_cast<float>(axis[2]));
    ASSERT_TRUE(alone.unpack_normal<3>(none));
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(double{none[a]}, axis[a], 1e-4);
  }
}

}  // namespace
}  // namespace dovetail
