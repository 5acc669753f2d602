// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/models.h"
#include "dovetail/points.h"

namespace dovetail {

/// The model's name in results, options and files: "rigid2", "similarity3", ...
std::string_view to_string(Model model);
/// The inverse of to_string; throws InvalidArgument with the names allowed.
Model model_from_string(std::string_view name);

/// 2 or 3.
DOVETAIL_HD constexpr int dimension(Model model) { return model < Model::rigid3 ? 2 : 3; }
/// Length of the model's tangent: the size of a covariance.
DOVETAIL_HD constexpr int degrees_of_freedom(Model model) {
  constexpr int dof[] = {3, 4, 6, 8, 6, 7, 12};
  return dof[static_cast<int>(model)];
}

/// A transform of any model, as results hold it: `result.target_from_source`.
/// `matrix` is 4x4 for all. In 2D it acts on x and y and leaves z alone:
///
///     a b 0 t        the 3x3 matrix        a b t
///     c d 0 u   for  of files and JSON     c d u
///     0 0 1 0                              p q w
///     p q 0 w
struct Transform {
  Model model = Model::rigid3;
  Mat4 matrix = Mat4::identity();

  constexpr Transform() = default;
  constexpr Transform(Model which, const Mat4& m) : model(which), matrix(m) {}
  template <int D>
  constexpr Transform(const Rigid<D>& t) : Transform(Rigid<D>::model, embedded(t.matrix())) {}  // NOLINT
  template <int D>
  constexpr Transform(const Similarity<D>& t) : Transform(Similarity<D>::model, embedded(t.matrix())) {}  // NOLINT
  template <int D>
  constexpr Transform(const Affine<D>& t) : Transform(Affine<D>::model, embedded(t.matrix())) {}  // NOLINT
  constexpr Transform(const Projective2& t) : Transform(Projective2::model, embedded(t.h)) {}     // NOLINT

  static constexpr Transform identity(Model model) { return {model, Mat4::identity()}; }
  /// Checks that the matrix is of that model (finite, invertible, a rotation where one is due, last row) and throws
  /// InvalidArgument where not. Rotations off by rounding in a text file (1e-4) are made exact.
  static Transform from_matrix(Model model, const Mat4& matrix);
  static Transform from_matrix(Model model, const Mat3& matrix);  ///< 2D

  /// The transform as a value of a given type, e.g. as<Rigid3>(). Throws InvalidArgument where this model is not
  /// contained in that one.
  template <class Typed>
  Typed as() const;
  /// The 3x3 homogeneous matrix of a 2D transform.
  constexpr Mat3 matrix2() const {
    const Mat4& m = matrix;
    return {m(0, 0), m(0, 1), m(0, 3), m(1, 0), m(1, 1), m(1, 3), m(3, 0), m(3, 1), m(3, 3)};
  }
  Transform inverse() const;

  /// The embedding above; a 4x4 matrix is its own.
  static constexpr Mat4 embedded(const Mat4& m) { return m; }
  static constexpr Mat4 embedded(const Mat3& m) {
    return {m(0, 0), m(0, 1), 0, m(0, 2), m(1, 0), m(1, 1), 0, m(1, 2), 0, 0, 1, 0, m(2, 0), m(2, 1), 0, m(2, 2)};
  }

  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

/// Composition; the result has the wider of the two models. Throws InvalidArgument where one is 2D and the other 3D.
Transform operator*(const Transform& a, const Transform& b);

/// The moved point. In 2D z stays as it is.
DOVETAIL_HD constexpr Vec3 operator*(const Transform& t, const Vec3& p) {
  const Mat4& m = t.matrix;
  Vec3 r{};
  for (int i = 0; i < 3; ++i) r[i] = m(i, 0) * p[0] + m(i, 1) * p[1] + m(i, 2) * p[2] + m(i, 3);
  if (t.model == Model::projective2) {
    const double w = m(3, 0) * p[0] + m(3, 1) * p[1] + m(3, 3);
    r[0] /= w, r[1] /= w;
  }
  return r;
}

/// The moved cloud: positions in double, normals by the inverse transpose of the map's derivative and unit length
/// again; everything else is kept. A 2D cloud that a 3D transform takes out of its plane becomes a 3D one, and one that
/// is brought so far out that floats could not hold its shape is written as doubles.
PointCloud operator*(const Transform& t, PointCloud cloud);

/// The angle in [0, pi] between the rotations of two transforms of equal dimension (of their polar decompositions,
/// where the models have more than a rotation).
double rotation_angle_between(const Transform& a, const Transform& b);
/// |a p - b p|: how far apart two transforms put one point. Choose p where the data is; at the origin it is the
/// difference of the translations.
double distance_between(const Transform& a, const Transform& b, const Vec3& p = Vec3{});

}  // namespace dovetail
