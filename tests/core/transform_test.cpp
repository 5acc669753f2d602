// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/transform.h"

#include <limits>

#include "dovetail/eigen.h"
#include "dovetail/error.h"
#include "support.h"

namespace dovetail {
namespace {

using namespace test;

constexpr Model all_models[] = {Model::rigid2, Model::similarity2, Model::affine2, Model::projective2,
                                Model::rigid3, Model::similarity3, Model::affine3};

Transform some(Model model, RandomStream& random) {
  const auto t = 0.3 * random_vector<12>(random);
  switch (model) {
    case Model::rigid2:
      return Rigid2::exp({t[0], t[1], t[2]});
    case Model::similarity2:
      return Similarity2::exp({t[0], t[1], t[2], t[3]});
    case Model::affine2:
      return Affine2::exp({t[0], t[1], t[2], t[3], t[4], t[5]});
    case Model::projective2:
      return Projective2::exp({t[0], t[1], t[2], t[3], t[4], t[5], 0.1 * t[6], 0.1 * t[7]});
    case Model::rigid3:
      return Rigid3::exp({t[0], t[1], t[2], t[3], t[4], t[5]});
    case Model::similarity3:
      return Similarity3::exp({t[0], t[1], t[2], t[3], t[4], t[5], t[6]});
    default:
      return Affine3::exp(t);
  }
}

TEST(Model, NamesRoundTripAndUnknownOnesAreListed) {
  for (Model model : all_models) EXPECT_EQ(model_from_string(to_string(model)), model);
  EXPECT_EQ(to_string(Model::similarity3), "similarity3");
  try {
    model_from_string("rigid");
    FAIL() << "accepted";
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("\"rigid\""), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("projective2"), std::string::npos);
  }
}

TEST(Model, DimensionAndDegreesOfFreedomAgreeWithTheTypes) {
  EXPECT_EQ(degrees_of_freedom(Rigid2::model), Rigid2::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Similarity2::model), Similarity2::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Affine2::model), Affine2::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Projective2::model), Projective2::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Rigid3::model), Rigid3::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Similarity3::model), Similarity3::degrees_of_freedom);
  EXPECT_EQ(degrees_of_freedom(Affine3::model), Affine3::degrees_of_freedom);
  EXPECT_EQ(dimension(Model::projective2), 2);
  EXPECT_EQ(dimension(Model::rigid3), 3);
}

TEST(Transform, LawsOfEveryModel) {
  RandomStream random(1, 0);
  for (Model model : all_models) {
    for (int i = 0; i < 20; ++i) {
      const Transform a = some(model, random), b = some(model, random);
      ASSERT_EQ(a.model, model);
      const Vec3 p = {random.uniform(), random.uniform(), dimension(model) == 2 ? 0.0 : random.uniform()};
      EXPECT_LT(difference((a * b) * p, a * (b * p)), 1e-14);  // a few roundings of numbers of size 1
      EXPECT_LT(difference(a.inverse() * (a * p), p), 1e-14);
      EXPECT_LT(difference((a.inverse() * a).matrix, Mat4::identity()), 1e-14);
      EXPECT_EQ(Transform::identity(model) * p, p);
      EXPECT_LT(difference(Transform::from_matrix(model, a.matrix).matrix, a.matrix), 8 * eps);
    }
  }
}

TEST(Transform, PlanarOnesLeaveZAloneAndGiveTheirThreeByThree) {
  RandomStream random(2, 0);
  for (Model model : {Model::rigid2, Model::similarity2, Model::affine2, Model::projective2}) {
    const Transform t = some(model, random);
    EXPECT_EQ((t * Vec3{0.1, 0.2, 7.0})[2], 7.0);
    const Vec3 x = t.matrix2() * Vec3{0.1, 0.2, 1.0};
    const Vec3 y = t * Vec3{0.1, 0.2, 0.0};
    EXPECT_NEAR(y[0], x[0] / x[2], 4 * eps);
    EXPECT_NEAR(y[1], x[1] / x[2], 4 * eps);
    EXPECT_LT(difference(Transform::from_matrix(model, t.matrix2()).matrix, t.matrix), 8 * eps);
  }
}

TEST(Transform, CompositionTakesTheWiderModelAndRefusesMixedDimensions) {
  RandomStream random(3, 0);
  const Transform rigid = some(Model::rigid3, random), affine = some(Model::affine3, random);
  EXPECT_EQ((rigid * affine).model, Model::affine3);
  EXPECT_EQ((affine * rigid).model, Model::affine3);
  const Transform planar = some(Model::similarity2, random), projective = some(Model::projective2, random);
  EXPECT_EQ((planar * projective).model, Model::projective2);
  EXPECT_LT(difference((planar * projective) * Vec3{0.3, 0.4, 0}, planar * (projective * Vec3{0.3, 0.4, 0})), 1e-14);
  EXPECT_THROW(planar * rigid, InvalidArgument);
  EXPECT_THROW(rotation_angle_between(planar, rigid), InvalidArgument);
}

TEST(Transform, AsReturnsTheTypedValueOrSaysNo) {
  RandomStream random(4, 0);
  const Rigid3 rigid = Rigid3::exp(random_vector<6>(random));
  EXPECT_EQ(Transform(rigid).as<Rigid3>().matrix(), rigid.matrix());
  EXPECT_LT(difference(Transform(rigid).as<Similarity3>().matrix(), rigid.matrix()), 8 * eps);
  EXPECT_EQ(Transform(rigid).as<Affine3>().matrix(), rigid.matrix());
  EXPECT_THROW(Transform(rigid).as<Rigid2>(), InvalidArgument);
  EXPECT_THROW(Transform(Affine3::identity()).as<Rigid3>(), InvalidArgument);
}

TEST(Transform, FromMatrixRepairsRoundedRotations) {
  RandomStream random(5, 0);
  const Mat4 exact = Rigid3::exp(random_vector<6>(random)).matrix();
  Mat4 rounded = exact;
  for (double& x : rounded.data) x = std::round(x * 1e5) / 1e5;
  const Transform t = Transform::from_matrix(Model::rigid3, rounded);
  EXPECT_LT(difference(t.matrix, exact), 3e-5);  // five digits
  EXPECT_LT(rotation_defect(t.as<Rigid3>().rotation), 16 * eps);
  EXPECT_GT(rotation_defect({rounded(0, 0), rounded(0, 1), rounded(0, 2), rounded(1, 0), rounded(1, 1), rounded(1, 2),
                             rounded(2, 0), rounded(2, 1), rounded(2, 2)}),
            1e-7);  // it did need repair
}

TEST(Transform, FromMatrixRefusesWhatIsNotOfTheModel) {
  const auto with = [](int i, int j, double x) {
    Mat4 m = Mat4::identity();
    m(i, j) = x;
    return m;
  };
  for (Model model : {Model::rigid3, Model::similarity3, Model::affine3}) {
    EXPECT_THROW(Transform::from_matrix(model, with(0, 3, std::numeric_limits<double>::quiet_NaN())), InvalidArgument);
    EXPECT_THROW(Transform::from_matrix(model, with(3, 0, 0.1)), InvalidArgument);
    EXPECT_THROW(Transform::from_matrix(model, with(2, 2, 0.0)), InvalidArgument);
    EXPECT_THROW(Transform::from_matrix(model, Mat3::identity()), InvalidArgument);
  }
  EXPECT_THROW(Transform::from_matrix(Model::rigid3, with(2, 2, -1.0)), InvalidArgument);  // a reflection
  EXPECT_THROW(Transform::from_matrix(Model::similarity3, with(2, 2, -1.0)), InvalidArgument);
  EXPECT_NO_THROW(Transform::from_matrix(Model::affine3, with(2, 2, -1.0)));
  EXPECT_THROW(Transform::from_matrix(Model::rigid3, with(0, 0, 1.01)), InvalidArgument);
  EXPECT_THROW(Transform::from_matrix(Model::rigid3, 2.0 * Mat4::identity()), InvalidArgument);
  EXPECT_THROW(Transform::from_matrix(Model::similarity3, with(0, 1, 0.01)), InvalidArgument);
  EXPECT_THROW(Transform::from_matrix(Model::rigid2, with(2, 2, 0.5)), InvalidArgument);
  EXPECT_THROW(Transform::from_matrix(Model::projective2, Mat3{1, 0, 0, 0, 1, 0, 0, 0, 0}), InvalidArgument);
  try {
    Transform::from_matrix(Model::rigid3, with(0, 0, 1.01));
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("rigid3"), std::string::npos);
  }
}

TEST(Transform, RotationAngleBetween) {
  RandomStream random(6, 0);
  for (double angle : {0.0, 1e-9, 0.5, 3.0, pi}) {
    const Rigid3 a = Rigid3::exp(random_vector<6>(random));
    const Rigid3 b = {a.rotation * rotation_by(angle, random), {9, 9, 9}};
    EXPECT_NEAR(rotation_angle_between(a, b), angle, 64 * eps);  // the product of two rotations, entries to a few eps
    EXPECT_NEAR(rotation_angle_between(Similarity3{a.rotation, {}, 5.0}, b), angle, 64 * eps);
    const Rigid2 c = {exp_so2(0.3), {1, 2}}, d = {exp_so2(0.3 - angle), {0, 0}};
    EXPECT_NEAR(rotation_angle_between(c, d), angle, 8 * eps);
  }
  EXPECT_NEAR(distance_between(Rigid3{Mat3::identity(), {1, 2, 2}}, Rigid3::identity()), 3.0, 2 * eps);
  EXPECT_NEAR(distance_between(Rigid3{exp_so3(Vec3{0, 0, pi / 2}), {}}, Rigid3::identity(), {1, 0, 0}), std::sqrt(2.0),
              2 * eps);
}

// Normals stay perpendicular to the surface: two tangents mapped by the derivative span its image.
TEST(TransformCloud, NormalsStayPerpendicularForEveryModel) {
  RandomStream random(7, 0);
  for (Model model : all_models) {
    const Transform t = some(model, random);
    const bool planar = dimension(model) == 2;
    for (int i = 0; i < 10; ++i) {
      const Vec3 p = {random.uniform(), random.uniform(), planar ? 0.0 : random.uniform()};
      Vec3 n = planar ? Vec3{random.normal(), random.normal(), 0.0} : random.unit_vector();
      n *= 1.0 / norm(n);
      const Vec3 along = planar ? Vec3{-n[1], n[0], 0} : cross(n, random.unit_vector());
      PointCloud cloud;
      cloud.positions = {p};
      cloud.normals = {n.cast<float>()};
      const PointCloud moved = t * cloud;
      constexpr double h = 1e-5;
      const Vec3 image = (t * (p + h * along) - t * (p - h * along)) * (1 / (2 * h));
      EXPECT_NEAR(dot(moved.normals[0].cast<double>(), image), 0.0, 1e-6);  // float normals
      EXPECT_NEAR(norm(moved.normals[0]), 1.0f, 1e-6f);
      EXPECT_EQ(moved.positions[0], t * p);
    }
  }
}

TEST(TransformCloud, RigidTurnsNormalsAndKeepsTheRest) {
  PointCloud cloud;
  cloud.positions = {{1, 0, 0}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  cloud.normals = {{1, 0, 0}, {0, 0, 0}};
  cloud.colors = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  cloud.dimension = 2;
  const Rigid3 quarter = {exp_so3(Vec3{0, 0, pi / 2}), {0, 0, 0}};
  const PointCloud turned = quarter * cloud;
  EXPECT_LT(difference(turned.positions[0], Vec3{0, 1, 0}), 2 * eps);
  EXPECT_TRUE(std::isnan(turned.positions[1][0]));
  EXPECT_LT(difference(turned.normals[0], Vec3f{0, 1, 0}), 1e-7);
  EXPECT_EQ(turned.normals[1], (Vec3f{0, 0, 0}));
  EXPECT_EQ(turned.colors, cloud.colors);
  EXPECT_EQ(turned.dimension, 2);
  EXPECT_EQ((Rigid3{Mat3::identity(), {0, 0, 1}} * cloud).dimension, 3);
}

TEST(EigenConversions, RoundTrip) {
  RandomStream random(8, 0);
  const Mat4 m = random_matrix<4, 4>(random);
  EXPECT_EQ(from_eigen(to_eigen(m)), m);
  EXPECT_EQ(to_eigen(m)(1, 2), m(1, 2));
  const Rigid3 t = Rigid3::exp(random_vector<6>(random));
  const Eigen::Isometry3d e = to_eigen(t);
  EXPECT_EQ(from_eigen(e).matrix(), t.matrix());
  const Vec3 p = random_vector<3>(random);
  EXPECT_LT(difference(from_eigen(Eigen::Vector3d(e * to_eigen(p))), t * p), 8 * eps);
  const Affine2 a = Affine2::exp(random_vector<6>(random));
  EXPECT_EQ(from_eigen(to_eigen(a)).matrix(), a.matrix());
}

}  // namespace
}  // namespace dovetail
