// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/matrix_functions.h"
#include "dovetail/rotation.h"

namespace dovetail {

/// How a transform may move points. Within a dimension each model contains the ones before it.
enum class Model { rigid2, similarity2, affine2, projective2, rigid3, similarity3, affine3 };

// The four kinds of transform as values, on the host and in GPU code. All are named by frames, `target_from_source`,
// and compose by cancelling: target_from_map * map_from_source. Each has
//
//   identity(), inverse(), a * b, a * point, matrix()     as one expects
//   from_matrix(m)       reads a homogeneous matrix; throws InvalidArgument where it is not of that model (host only)
//   exp(tangent), log()  a chart around the identity; exp(t).log() = t
//   action_jacobian(p)   d(exp(t) p) / dt at t = 0
//
// The tangent lists rotation (1 or 3 numbers, radians), translation (2 or 3), log of scale (1), stretch (2 or 5),
// perspective (2): a model's tangent is a prefix of the next one's, and exp agrees on the common part. Updates are left
// perturbations, t' = exp(tangent) * t, in the target frame.
// For rigid and similarity, exp is the group's exponential. For affine it is linear = scale * rotation * exp(S), S
// symmetric without trace (the polar decomposition), which unlike the group's exponential reaches every affine map with
// a positive determinant. S is [[a, b], [b, -a]] in 2D and has the diagonal (a, b, -a-b) and then xy, xz, yz in 3D.
// Projective is an affine map after x -> x / (1 + c x), c the perspective part.

/// x -> rotation x + translation.
template <int D>
struct Rigid {
  static constexpr Model model = D == 2 ? Model::rigid2 : Model::rigid3;
  static constexpr int dimension = D;
  static constexpr int degrees_of_freedom = D == 2 ? 3 : 6;
  using Point = Vector<double, D>;
  using Tangent = Vector<double, degrees_of_freedom>;
  using Homogeneous = Matrix<double, D + 1, D + 1>;
  using ActionJacobian = Matrix<double, D, degrees_of_freedom>;

  Matrix<double, D, D> rotation;
  Point translation;

  DOVETAIL_HD static constexpr Rigid identity() { return {Matrix<double, D, D>::identity(), Point{}}; }
  DOVETAIL_HD static Rigid exp(const Tangent& tangent);
  DOVETAIL_HD Tangent log() const;
  DOVETAIL_HD static constexpr ActionJacobian action_jacobian(const Point& p);
  DOVETAIL_HD constexpr Rigid inverse() const {
    const auto back = transpose(rotation);
    return {back, -(back * translation)};
  }
  DOVETAIL_HD constexpr Homogeneous matrix() const;
  static Rigid from_matrix(const Homogeneous& m);

  DOVETAIL_HD friend constexpr Rigid operator*(const Rigid& a, const Rigid& b) {
    return {a.rotation * b.rotation, a.rotation * b.translation + a.translation};
  }
  DOVETAIL_HD friend constexpr Point operator*(const Rigid& a, const Point& p) {
    return a.rotation * p + a.translation;
  }
};

/// x -> scale rotation x + translation, scale > 0.
template <int D>
struct Similarity {
  static constexpr Model model = D == 2 ? Model::similarity2 : Model::similarity3;
  static constexpr int dimension = D;
  static constexpr int degrees_of_freedom = D == 2 ? 4 : 7;
  using Point = Vector<double, D>;
  using Tangent = Vector<double, degrees_of_freedom>;
  using Homogeneous = Matrix<double, D + 1, D + 1>;
  using ActionJacobian = Matrix<double, D, degrees_of_freedom>;

  Matrix<double, D, D> rotation;
  Point translation;
  double scale;

  DOVETAIL_HD static constexpr Similarity identity() { return {Matrix<double, D, D>::identity(), Point{}, 1.0}; }
  DOVETAIL_HD static constexpr Similarity from(const Rigid<D>& t) { return {t.rotation, t.translation, 1.0}; }
  DOVETAIL_HD static Similarity exp(const Tangent& tangent);
  DOVETAIL_HD Tangent log() const;
  DOVETAIL_HD static constexpr ActionJacobian action_jacobian(const Point& p);
  DOVETAIL_HD constexpr Similarity inverse() const {
    const auto back = transpose(rotation);
    return {back, (-1.0 / scale) * (back * translation), 1.0 / scale};
  }
  DOVETAIL_HD constexpr Homogeneous matrix() const;
  static Similarity from_matrix(const Homogeneous& m);

  DOVETAIL_HD friend constexpr Similarity operator*(const Similarity& a, const Similarity& b) {
    return {a.rotation * b.rotation, a.scale * (a.rotation * b.translation) + a.translation, a.scale * b.scale};
  }
  DOVETAIL_HD friend constexpr Point operator*(const Similarity& a, const Point& p) {
    return a.scale * (a.rotation * p) + a.translation;
  }
};

/// x -> linear x + translation, linear invertible.
template <int D>
struct Affine {
  static constexpr Model model = D == 2 ? Model::affine2 : Model::affine3;
  static constexpr int dimension = D;
  static constexpr int degrees_of_freedom = D == 2 ? 6 : 12;
  using Point = Vector<double, D>;
  using Tangent = Vector<double, degrees_of_freedom>;
  using Homogeneous = Matrix<double, D + 1, D + 1>;
  using ActionJacobian = Matrix<double, D, degrees_of_freedom>;

  Matrix<double, D, D> linear;
  Point translation;

  DOVETAIL_HD static constexpr Affine identity() { return {Matrix<double, D, D>::identity(), Point{}}; }
  DOVETAIL_HD static constexpr Affine from(const Similarity<D>& t) { return {t.scale * t.rotation, t.translation}; }
  DOVETAIL_HD static Affine exp(const Tangent& tangent);
  DOVETAIL_HD Tangent log() const;  ///< for a positive determinant
  DOVETAIL_HD static constexpr ActionJacobian action_jacobian(const Point& p);
  DOVETAIL_HD Affine inverse() const {
    const auto back = dovetail::inverse(linear);
    return {back, -(back * translation)};
  }
  DOVETAIL_HD constexpr Homogeneous matrix() const;
  static Affine from_matrix(const Homogeneous& m);

  DOVETAIL_HD friend constexpr Affine operator*(const Affine& a, const Affine& b) {
    return {a.linear * b.linear, a.linear * b.translation + a.translation};
  }
  DOVETAIL_HD friend constexpr Point operator*(const Affine& a, const Point& p) { return a.linear * p + a.translation; }
};

/// A homography of the plane, (x, y, 1) -> h (x, y, 1) up to a factor. Operations scale h so that h(2, 2) = 1, which
/// leaves out those that send the origin to infinity.
struct Projective2 {
  static constexpr Model model = Model::projective2;
  static constexpr int dimension = 2;
  static constexpr int degrees_of_freedom = 8;
  using Point = Vec2;
  using Tangent = Vector<double, degrees_of_freedom>;
  using Homogeneous = Mat3;
  using ActionJacobian = Matrix<double, 2, degrees_of_freedom>;

  Mat3 h;

  DOVETAIL_HD static constexpr Projective2 identity() { return {Mat3::identity()}; }
  DOVETAIL_HD static constexpr Projective2 from(const Affine<2>& t) { return {t.matrix()}; }
  DOVETAIL_HD static Projective2 exp(const Tangent& tangent);
  DOVETAIL_HD Tangent log() const;  ///< where the affine part has a positive determinant
  DOVETAIL_HD static constexpr ActionJacobian action_jacobian(const Point& p);
  DOVETAIL_HD Projective2 inverse() const { return scaled(dovetail::inverse(h)); }
  DOVETAIL_HD constexpr Homogeneous matrix() const { return h; }
  static Projective2 from_matrix(const Homogeneous& m);
  /// The affine map A and perspective c with h = A after x -> x / (1 + c x).
  DOVETAIL_HD constexpr Affine<2> affine_part() const;
  /// d(h p) / dp.
  DOVETAIL_HD constexpr Mat2 derivative(const Point& p) const;

  DOVETAIL_HD friend constexpr Projective2 operator*(const Projective2& a, const Projective2& b) {
    return scaled(a.h * b.h);
  }
  DOVETAIL_HD friend constexpr Point operator*(const Projective2& a, const Point& p) {
    const Vec3 x = a.h * Vec3{p[0], p[1], 1.0};
    return {x[0] / x[2], x[1] / x[2]};
  }

 private:
  DOVETAIL_HD static constexpr Projective2 scaled(const Mat3& m) { return {m * (1.0 / m(2, 2))}; }
};

using Rigid2 = Rigid<2>;
using Rigid3 = Rigid<3>;
using Similarity2 = Similarity<2>;
using Similarity3 = Similarity<3>;
using Affine2 = Affine<2>;
using Affine3 = Affine<3>;

}  // namespace dovetail

#include "dovetail/models_impl.h"
