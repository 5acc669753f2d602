// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/evidence.h"

#include <algorithm>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "core/normal_equations.h"
#include "core/quantile.h"
#include "judge/confidence.h"

namespace dovetail {

namespace {

constexpr double near = 3;  // units: to have a counterpart at all

// What a start that is known holds is held as well as by the shape of a common part, where it is known much better than
// an answer has to be to be right, and half as well where it is known to half of that.
constexpr double held_by_shape = 0.02;
constexpr double half_held_sigma = 0.5 * right_shift;  // radians and radii

/// What the points of one surface find at the other one.
struct Way {
  double asked = 0, with_counterpart = 0, agreeing = 0, contradicting = 0;
  double parallel = 0;  ///< mean cosine between normals, of points with a counterpart
  double held = 0;      ///< least curvature that the agreeing points give, each of those asked counted 1
  double unit = 0;      ///< in the middle, in radii
  bool tells = false;   ///< the other surface has normals

  Way(std::span<const Touch> touches, const Vec3& center, double radius, unsigned free,
      const std::optional<Symmetric<double, 6>>& by_start) {
    const double least = least_unit(touches, radius);
    Symmetric<double, 6> curvature{};
    std::vector<double> units;
    double cosines = 0, known_cosines = 0;
    asked = std::max(1.0, static_cast<double>(touches.size()));
    for (const Touch& t : touches) {
      if (!(t.weight > 0) || !(t.spacing > 0)) continue;
      const double u = std::max(t.spacing, least);
      units.push_back(u);
      tells = tells || t.surface_known();
      if (t.distance < near * u) with_counterpart += 1;
      const Verdict verdict = verdict_of(t, u);
      if (verdict == Verdict::none) continue;
      if (t.off_surface() < near * u && t.cosine >= 0) cosines += t.cosine, known_cosines += 1;
      (verdict == Verdict::agrees ? agreeing : contradicting) += 1;
      if (verdict != Verdict::agrees || !t.surface_known()) continue;
      const Vector<double, 7> row = plane_row((1 / radius) * (t.place - center), t.normal);
      curvature.add_outer(1 / asked, Vector<double, 6>{row[0], row[1], row[2], row[3], row[4], row[5]});
    }
    parallel = known_cosines > 0 ? cosines / known_cosines : 0;
    if (by_start) curvature += *by_start;
    held = least_curvature(curvature, free);
    unit = quantile(units, 0.5) / radius;
  }

  double agreement() const { return agreeing / std::max({1.0, with_counterpart, agreeing}); }
  double contradiction() const { return contradicting / asked; }

 private:
  /// Over motions that may be made.
  static double least_curvature(const Symmetric<double, 6>& curvature, unsigned free) {
    constexpr double held_fast = 1e9;
    Symmetric<double, 6> of_free = curvature;
    for (int i = 0; i < 6; ++i) {
      if ((free >> i & 1u) != 0) continue;
      for (int j = 0; j < 6; ++j) of_free(i, j) = i == j ? held_fast : 0;
    }
    const double least = eigen_symmetric(of_free).values[0];
    return least < 0.5 * held_fast ? std::max(0.0, least) : 0;
  }
};

/// What a known start adds to the curvature at a pose, about the source's centroid and with lengths in radii.
Symmetric<double, 6> curvature_by(const ObservedPose& start, const Similarity3& pose, const PreparedCloud& source) {
  Symmetric<double, 6> information = observation_equations(start, {pose, pose * source.centroid, source.radius}).jtj;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) information(i, j) *= (i < 3 ? 1 : source.radius) * (j < 3 ? 1 : source.radius);
  }
  const auto parts = eigen_symmetric(information);
  Symmetric<double, 6> curvature{};
  for (int k = 0; k < 6; ++k) {
    const double known = std::max(0.0, parts.values[k]) * half_held_sigma * half_held_sigma;
    curvature.add_outer(held_by_shape * known / (1 + known), parts.vector(k));
  }
  return curvature;
}

/// The same in the source's frame.
Symmetric<double, 6> seen_by_source(const Symmetric<double, 6>& curvature, const Mat3& rotation) {
  Matrix<double, 6, 6> back{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) back(i, j) = back(3 + i, 3 + j) = rotation(j, i);
  }
  return congruence(back, curvature);
}

}  // namespace

std::vector<Evidence> evidence_of(const Contact& contact, const Similarity3& pose, const Prepared& prepared,
                                  unsigned free, const std::optional<ObservedPose>& known_start) {
  const PreparedCloud& source = *prepared.source;
  std::optional<Symmetric<double, 6>> in_target, in_source;
  if (known_start) {
    in_target = curvature_by(*known_start, pose, source);
    in_source = seen_by_source(*in_target, pose.rotation);
  }
  const Way there(contact.there, pose * source.centroid, pose.scale * source.radius, free, in_target);
  const Way back(contact.back, source.centroid, source.radius, free, in_source);
  // Where one of the clouds is a slice, only the way onto the other one tells of surfaces.
  const Way& one = source.tells_surface ? back : there;
  const Way& other = prepared.target->tells_surface ? there : back;
  return {{"agreement", std::max(one.agreement(), other.agreement())},
          {"contradiction", std::min(one.contradiction(), other.contradiction())},
          {"parallel", std::max(one.parallel, other.parallel)},
          {"held", std::min(one.held, other.held)},
          {"coarseness", std::max(one.unit, other.unit)},
          {"common", std::max(one.agreeing / one.asked, other.agreeing / other.asked)}};
}

}  // namespace dovetail
