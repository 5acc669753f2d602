// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/apart.h"
#include "core/moments.h"
#include "core/rotation.h"
#include "core/top_eigenvector.h"

namespace dovetail {

/// The transform that minimises sum of w |q - t p|^2.
template <class T>
struct Fit {
  T target_from_source;
  /// Degrees of freedom the pairs leave open: 0 is a unique answer. One for collinear points in 3D (a spin about the
  /// line), every rotation for coinciding points, all for no weight. The transform is then still one of the best, the
  /// one with the smallest rotation, and finite; a scale that is not determined is 1.
  int free_directions;

  DOVETAIL_HD constexpr bool unique() const { return free_directions == 0; }
};

/// Relative to sqrt(source spread * target spread), the most a singular value of the cross scatter can be. Below it lie
/// rounding of sums in double (1e-14) and collinear points rounded to float (1e-15); a rod 100,000 times longer than
/// thick is above it. Sums with less exact terms need more: about ten times their relative error.
inline constexpr double fit_tolerance = 1e-11;

namespace detail {

/// Whether a centred spread is more than what rounding leaves of coinciding points.
DOVETAIL_HD constexpr bool spread_out(double centred, double about_origin) { return centred > 1e-13 * about_origin; }

DOVETAIL_HD constexpr bool usable(const Moments& m) {
  constexpr double most = 1e300;
  double sum = 0.0;
  for (int i = 0; i < 9; ++i) sum += m.qp[i] < 0.0 ? -m.qp[i] : m.qp[i];
  return m.weight > 1.0 / most && m.weight < most && m.pp.trace() < most && m.qq < most && sum < most;
}

/// The top eigenvector of Horn's N, and how many further eigenvalues equal the top one. Where some do, the quaternion
/// of that eigenspace nearest to no rotation.
struct HornRotation {
  Mat3 rotation;
  double overlap;  ///< tr(R^T c), the top eigenvalue
  int free_directions;
};
DOVETAIL_APART inline HornRotation horn_rotation_by_jacobi(const Symmetric<double, 4>& n, double tolerance) {
  const auto e = eigen_symmetric(n);
  int first = 3;
  while (first > 0 && e.values[3] - e.values[first - 1] <= tolerance) --first;
  Quaternion<double> q = e.vector(3);
  if (first < 3) {
    Quaternion<double> nearest{};
    for (int k = first; k < 4; ++k) nearest += e.vectors(0, k) * e.vector(k);
    if (squared_norm(nearest) > 1e-12) q = nearest;
  }
  return {matrix_from_quaternion(q), e.values[3], 3 - first};
}
DOVETAIL_HD inline HornRotation horn_rotation(const Mat3& cross_scatter, double tolerance) {
  const auto n = horn_matrix(cross_scatter);
  const TopEigenvector top = top_eigenvector(n);
  // Separate ones are at least 1/400 of the top one away from it: that must be more than rounding.
  if (top.separate && top.value > 400 * tolerance) return {matrix_from_quaternion(top.vector), top.value, 0};
  return horn_rotation_by_jacobi(n, tolerance);
}

DOVETAIL_APART inline Fit<Similarity3> fit3(const Moments& m, bool with_scale, double tolerance) {
  if (!usable(m)) return {Similarity3::identity(), with_scale ? 7 : 6};
  const Vec3 source = m.source_mean(), target = m.target_mean();
  const double source_spread = m.source_spread(), target_spread = m.target_spread();
  Similarity3 t = Similarity3::identity();
  int free_directions = with_scale ? 4 : 3;
  if (spread_out(source_spread, m.pp.trace()) && spread_out(target_spread, m.qq)) {
    const double size = std::sqrt(source_spread) * std::sqrt(target_spread);
    const HornRotation r = horn_rotation(m.cross_scatter(), 2.0 * tolerance * size);
    t.rotation = r.rotation;
    free_directions = r.free_directions;
    if (with_scale) {
      // Umeyama 1991 (42): s = tr(R^T c) / source spread.
      if (r.overlap > tolerance * size) {
        t.scale = r.overlap / source_spread;
      } else {
        ++free_directions;
      }
    }
  }
  t.translation = target - t.scale * (t.rotation * source);
  return {t, free_directions};
}

DOVETAIL_APART inline Fit<Similarity2> fit2(const Moments& m, bool with_scale, double tolerance) {
  if (!usable(m)) return {Similarity2::identity(), with_scale ? 4 : 3};
  const Vec3 source = m.source_mean(), target = m.target_mean();
  const double source_spread = m.source_spread(), target_spread = m.target_spread();
  Similarity2 t = Similarity2::identity();
  int free_directions = with_scale ? 2 : 1;
  if (spread_out(source_spread, m.pp.trace()) && spread_out(target_spread, m.qq)) {
    // tr(R^T c) = (cxx + cyy) cos a + (cyx - cxy) sin a.
    const Mat3 c = m.cross_scatter();
    const double cosine = c(0, 0) + c(1, 1), sine = c(1, 0) - c(0, 1), overlap = std::hypot(cosine, sine);
    if (overlap > tolerance * std::sqrt(source_spread) * std::sqrt(target_spread)) {
      t.rotation = {cosine / overlap, -sine / overlap, sine / overlap, cosine / overlap};
      t.scale = with_scale ? overlap / source_spread : 1.0;
      free_directions = 0;
    }
  }
  t.translation = Vec2{target[0], target[1]} - t.scale * (t.rotation * Vec2{source[0], source[1]});
  return {t, free_directions};
}

}  // namespace detail

/// Horn 1987. Planar sets are fine; a reflection is never returned.
DOVETAIL_HD inline Fit<Rigid3> fit_rigid3(const Moments& m, double tolerance = fit_tolerance) {
  const auto f = detail::fit3(m, false, tolerance);
  return {{f.target_from_source.rotation, f.target_from_source.translation}, f.free_directions};
}
/// Horn's rotation with Umeyama's scale.
DOVETAIL_HD inline Fit<Similarity3> fit_similarity3(const Moments& m, double tolerance = fit_tolerance) {
  return detail::fit3(m, true, tolerance);
}
/// The same in the plane; z of all points must be 0.
DOVETAIL_HD inline Fit<Rigid2> fit_rigid2(const Moments& m, double tolerance = fit_tolerance) {
  const auto f = detail::fit2(m, false, tolerance);
  return {{f.target_from_source.rotation, f.target_from_source.translation}, f.free_directions};
}
DOVETAIL_HD inline Fit<Similarity2> fit_similarity2(const Moments& m, double tolerance = fit_tolerance) {
  return detail::fit2(m, true, tolerance);
}

}  // namespace dovetail
