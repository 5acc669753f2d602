// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/rotation.h"
#include "dovetail/error.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 7> model_names = {"rigid2", "similarity2", "affine2", "projective2",
                                                         "rigid3", "similarity3", "affine3"};

// Text files carry four to six digits: a rotation read from one is off by that much, a real stretch is more.
constexpr double rotation_tolerance = 1e-4;

[[noreturn]] void refuse(Model model, const std::string& why) {
  throw InvalidArgument("matrix is no " + std::string(to_string(model)) + " transform: " + why);
}

template <int N>
void require_finite(Model model, const Matrix<double, N, N>& m) {
  for (double value : m.data) {
    if (!std::isfinite(value)) refuse(model, "it has an entry that is not a finite number");
  }
}

template <int D>
void require_affine_last_row(Model model, const Matrix<double, D + 1, D + 1>& m) {
  for (int j = 0; j <= D; ++j) {
    if (std::fabs(m(D, j) - (j == D ? 1.0 : 0.0)) > 1e-9) refuse(model, "its last row is not 0 ... 0 1");
  }
}

template <int D>
Affine<D> affine_from(Model model, const Matrix<double, D + 1, D + 1>& m) {
  require_finite(model, m);
  require_affine_last_row<D>(model, m);
  Affine<D> t{};
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) t.linear(i, j) = m(i, j);
    t.translation[i] = m(i, D);
  }
  const double size = row_sum_norm(t.linear);
  double least = 1e-14;
  for (int i = 0; i < D; ++i) least *= size;
  if (!(std::fabs(determinant(t.linear)) > least)) refuse(model, "it has no inverse");
  return t;
}

template <int D>
Similarity<D> similarity_from(Model model, const Matrix<double, D + 1, D + 1>& m, double scale_if_fixed) {
  const Affine<D> affine = affine_from<D>(model, m);
  const double det = determinant(affine.linear);
  if (!(det > 0.0)) refuse(model, "its determinant is negative (a reflection)");
  const double scale = scale_if_fixed > 0.0 ? scale_if_fixed : (D == 2 ? std::sqrt(det) : std::cbrt(det));
  const auto rotation = (1.0 / scale) * affine.linear;
  const auto exact = nearest_rotation(rotation);
  const double off = row_sum_norm(rotation - exact);
  if (!(off <= rotation_tolerance)) {
    refuse(model, "its linear part differs from a rotation by " + std::to_string(off));
  }
  // Leaves an exact rotation as it is, bit for bit, so that a transform written and read again is the same one.
  return {off < 1e-14 ? rotation : exact, affine.translation, scale};
}

Mat2 linear_part2(const Transform& t) { return Projective2{t.matrix2()}.affine_part().linear; }
Mat3 linear_part3(const Transform& t) {
  Mat3 m{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = t.matrix(i, j);
  }
  return m;
}

/// Derivative of the map at a point, 3x3 with z on its own in 2D.
Mat3 derivative_at(const Transform& t, const Vec3& p) {
  if (t.model != Model::projective2) return linear_part3(t);
  const Mat2 d = Projective2{t.matrix2()}.derivative({p[0], p[1]});
  return {d(0, 0), d(0, 1), 0, d(1, 0), d(1, 1), 0, 0, 0, 1};
}

template <class Typed>
Typed typed_from(const Transform& t) {
  if constexpr (Typed::dimension == 2) {
    return Typed::from_matrix(t.matrix2());
  } else {
    return Typed::from_matrix(t.matrix);
  }
}

/// The transform as a value of its model's type, checked, and what f makes of it.
template <class F>
Transform with_type(const Transform& t, const F& f) {
  switch (t.model) {
    case Model::rigid2:
      return f(typed_from<Rigid2>(t));
    case Model::similarity2:
      return f(typed_from<Similarity2>(t));
    case Model::affine2:
      return f(typed_from<Affine2>(t));
    case Model::projective2:
      return f(typed_from<Projective2>(t));
    case Model::rigid3:
      return f(typed_from<Rigid3>(t));
    case Model::similarity3:
      return f(typed_from<Similarity3>(t));
    default:
      return f(typed_from<Affine3>(t));
  }
}

Transform checked(const Transform& t) {
  return with_type(t, [](const auto& typed) { return typed; });
}

void require_same_dimension(const Transform& a, const Transform& b) {
  if (dimension(a.model) != dimension(b.model)) {
    throw InvalidArgument("transforms of different dimension: " + std::string(to_string(a.model)) + " and " +
                          std::string(to_string(b.model)));
  }
}

}  // namespace

std::string_view to_string(Model model) { return model_names[static_cast<std::size_t>(model)]; }

Model model_from_string(std::string_view name) {
  std::string allowed;
  for (std::size_t i = 0; i < model_names.size(); ++i) {
    if (name == model_names[i]) return static_cast<Model>(i);
    allowed += (i == 0 ? "" : ", ") + std::string(model_names[i]);
  }
  throw InvalidArgument("model = \"" + std::string(name) + "\" is not one of " + allowed);
}

template <int D>
Rigid<D> Rigid<D>::from_matrix(const Homogeneous& m) {
  const Similarity<D> t = similarity_from<D>(model, m, 1.0);
  return {t.rotation, t.translation};
}
template <int D>
Similarity<D> Similarity<D>::from_matrix(const Homogeneous& m) {
  return similarity_from<D>(model, m, 0.0);
}
template <int D>
Affine<D> Affine<D>::from_matrix(const Homogeneous& m) {
  return affine_from<D>(model, m);
}
Projective2 Projective2::from_matrix(const Homogeneous& m) {
  require_finite(model, m);
  if (!(std::fabs(m(2, 2)) > 1e-14 * row_sum_norm(m))) refuse(model, "its last entry is zero");
  const Projective2 t = scaled(m);
  affine_from<2>(model, t.affine_part().matrix());
  return t;
}

template struct Rigid<2>;
template struct Rigid<3>;
template struct Similarity<2>;
template struct Similarity<3>;
template struct Affine<2>;
template struct Affine<3>;

Transform Transform::from_matrix(Model model, const Mat4& m) {
  const Transform t = {model, m};
  if (dimension(model) == 2 && !(row_sum_norm(m - embedded(t.matrix2())) <= 1e-9)) {
    refuse(model, "its third row or column is not 0 0 1 0");
  }
  return checked(t);
}
Transform Transform::from_matrix(Model model, const Mat3& m) {
  if (dimension(model) != 2) refuse(model, "it is 3x3, and a 3D model needs 4x4");
  return checked({model, embedded(m)});
}

template <class Typed>
Typed Transform::as() const {
  if (dimension(model) != Typed::dimension || model > Typed::model) {
    throw InvalidArgument("a " + std::string(to_string(model)) + " transform is not a " +
                          std::string(to_string(Typed::model)) + " one");
  }
  return typed_from<Typed>(*this);
}
template Rigid2 Transform::as() const;
template Rigid3 Transform::as() const;
template Similarity2 Transform::as() const;
template Similarity3 Transform::as() const;
template Affine2 Transform::as() const;
template Affine3 Transform::as() const;
template Projective2 Transform::as() const;

Transform Transform::inverse() const {
  return with_type(*this, [](const auto& typed) { return typed.inverse(); });
}

Transform operator*(const Transform& a, const Transform& b) {
  require_same_dimension(a, b);
  Transform t = {a.model < b.model ? b.model : a.model, a.matrix * b.matrix};
  if (t.model == Model::projective2) t = Projective2{a.matrix2()} * Projective2{b.matrix2()};
  return t;
}

namespace {

/// A cloud this many times its own size away from the origin loses in floats what can be seen: a millionth of its size.
constexpr double far_out = 16;

/// Where the finite points of a cloud lie.
struct Box {
  Vec3 low{}, high{};
  double farthest = 0;  ///< coordinate from zero
  bool empty = true;

  void add(const Vec3& p) {
    if (!std::isfinite(p[0] + p[1] + p[2])) return;
    for (int a = 0; a < 3; ++a) {
      low[a] = empty ? p[a] : std::min(low[a], p[a]);
      high[a] = empty ? p[a] : std::max(high[a], p[a]);
      farthest = std::max(farthest, std::fabs(p[a]));
    }
    empty = false;
  }
  double size() const { return norm(high - low); }
};

}  // namespace

PointCloud operator*(const Transform& t, PointCloud cloud) {
  const Mat3 constant = inverse(derivative_at(t, Vec3{}));
  for (std::size_t i = 0; i < cloud.normals.size(); ++i) {
    const bool varies = t.model == Model::projective2 && i < cloud.positions.size();
    const Mat3 back = varies ? inverse(derivative_at(t, cloud.positions[i])) : constant;
    const Vec3 n = transpose(back) * cloud.normals[i].cast<double>();
    const double length = norm(n);
    if (length > 0.0) cloud.normals[i] = (n * (1.0 / length)).cast<float>();
  }
  bool flat = true;
  Box before, after;
  for (Vec3& p : cloud.positions) {
    before.add(p);
    p = t * p;
    after.add(p);
    flat = flat && !(std::fabs(p[2]) > 0.0);
  }
  if (!flat) cloud.dimension = 3;
  if (after.farthest > far_out * after.size() && after.farthest > 2 * before.farthest) {
    cloud.precision = Precision::float64;
  }
  return cloud;
}

double rotation_angle_between(const Transform& a, const Transform& b) {
  require_same_dimension(a, b);
  if (dimension(a.model) == 2) {
    return rotation_angle(transpose(nearest_rotation(linear_part2(a))) * nearest_rotation(linear_part2(b)));
  }
  return rotation_angle(transpose(nearest_rotation(linear_part3(a))) * nearest_rotation(linear_part3(b)));
}

double distance_between(const Transform& a, const Transform& b, const Vec3& p) { return norm(a * p - b * p); }

}  // namespace dovetail
