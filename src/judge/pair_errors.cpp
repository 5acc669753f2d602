// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/pair_errors.h"

#include <algorithm>

#include "core/ldlt.h"
#include "judge/confidence.h"
#include "judge/contacts.h"
#include "judge/covariance.h"
#include "judge/shared_error.h"

namespace dovetail {

namespace {

NormalEquations<7> with_scale_row(const NormalEquations<6>& equations) {
  NormalEquations<7> wide{};
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) wide.jtj(i, j) = equations.jtj(i, j);
    wide.jtr[i] = equations.jtr[i];
  }
  wide.cost = equations.cost;
  wide.weight = equations.weight;
  return wide;
}

/// The same with a scale: what each motion does is told by some of the points, how much they err by the equations.
NormalEquations<7> shape_with_scale(const Contact& contact, const Vec3& center, const NormalEquations<6>& shape) {
  auto equations = NormalEquations<7>::zero();
  for (const Touch& t : contact.there) {
    if (t.weight > 0) equations.add(t.weight, plane_row(t.place - center, t.normal), t.off);
  }
  if (equations.weight > 0) equations.jtj *= shape.weight / equations.weight;
  equations.cost = shape.cost;
  equations.weight = shape.weight;
  return equations;
}

double shared_error_of(const Contact& contact) {
  SharedErrors some;
  for (const Touch& t : contact.there) {
    if (!(t.weight > 0)) continue;
    some.place.push_back(t.place);
    some.miss.push_back(t.off * t.normal);
  }
  return shared_error(some, contact.each);
}

int count_of(unsigned motions) {
  int count = 0;
  for (int i = 0; i < 7; ++i) count += static_cast<int>(motions >> i & 1u);
  return count;
}

Vec3 center_of(const PairAnswer& answer, const Prepared& prepared) {
  return (1 / prepared.scale) * answer.center + prepared.target->origin;
}

/// Of the radius: what surfaces of points in float resolve.
constexpr double least_deviation = 1e-5;

/// The covariance of a model's motions, which are some of the seven.
template <class Typed>
void tell(const Symmetric<double, 7>& inverse, double variance, const PairAnswer& answer, const Prepared& prepared,
          Registration& result) {
  constexpr int D = Typed::dimension, L = Typed::degrees_of_freedom;
  constexpr int of_space[] = {0, 1, 2, 3, 4, 5, 6}, of_plane[] = {2, 3, 4, 6};
  const int* const motions = D == 3 ? of_space : of_plane;
  Matrix<double, L, L> covariance{};
  for (int i = 0; i < L; ++i) {
    for (int j = 0; j < L; ++j) covariance(i, j) = variance * inverse(motions[i], motions[j]);
  }
  ErrorFrame<D> frame;
  frame.scale = prepared.scale;
  for (int a = 0; a < D; ++a) frame.step.centre[a] = answer.center[a], frame.origin[a] = prepared.target->origin[a];
  const LocalCloud& source = prepared.source->points;
  const auto at = [&](std::size_t i) {
    const Vec3 y = answer.pose * Vec3{double{source.x[i]}, double{source.y[i]}, double{source.z[i]}};
    Vector<double, D> p{};
    for (int a = 0; a < D; ++a) p[a] = y[a];
    return p;
  };
  constexpr std::size_t enough = 1024;
  const std::size_t every = std::max<std::size_t>(1, source.size() / enough);
  set_covariance<Typed>(covariance, frame, mean_motion<Typed>(frame.step, source.size(), every, at, 1e300), result);
}

}  // namespace

void tell_pair_errors(const NormalEquations<6>& shape, const PairAnswer& answer, const Prepared& prepared,
                      const Level& full, Backend& backend, Registration& result) {
  const double reach = prepared.to_local(result.inlier_distance);
  const Contact contact = contacts_of(full, {&answer.pose, 1}, reach, {}, backend).front();
  const NormalEquations<7> equations =
      answer.estimates_scale ? shape_with_scale(contact, answer.center, shape) : with_scale_row(shape);
  const int size = answer.estimates_scale ? 7 : 6;
  const unsigned free = answer.free & all_unknowns(size);
  const auto factors = ldlt(equations.jtj, free);
  const int unknowns = count_of(free);
  const double surplus = equations.weight - unknowns;
  result.covariance_center = center_of(answer, prepared);
  if (factors.rank < unknowns || !(surplus > 0)) return;
  const double variance = equations.cost / surplus * shared_error_of(contact);
  const Symmetric<double, 7> inverse = factors.inverse();
  if (prepared.dimension == 2) {
    answer.estimates_scale ? tell<Similarity2>(inverse, variance, answer, prepared, result)
                           : tell<Rigid2>(inverse, variance, answer, prepared, result);
  } else {
    answer.estimates_scale ? tell<Similarity3>(inverse, variance, answer, prepared, result)
                           : tell<Rigid3>(inverse, variance, answer, prepared, result);
  }
}

std::optional<double> pair_variance(const NormalEquations<6>& shape, const PairAnswer& answer, const Prepared& prepared,
                                    const Level& full, double reach, Backend& backend) {
  const double surplus = shape.weight - count_of(answer.free & all_unknowns(6));
  if (!(surplus > 0)) return std::nullopt;
  const Contact contact = contacts_of(full, {&answer.pose, 1}, reach, {}, backend).front();
  const double least = least_deviation * prepared.source->radius;
  return std::max(least * least, shape.cost / surplus * shared_error_of(contact));
}

int tell_errors_with_start(const NormalEquations<6>& shape, double pair_variance, const PairsHold& hold,
                           const PairAnswer& answer, const ObservedPose& start, const Prepared& prepared,
                           Registration& result) {
  const double radius = prepared.source->radius;
  const unsigned free = answer.free & all_unknowns(6);
  const Body body{answer.pose, answer.center, radius};
  const NormalEquations<6> pairs = held_part(shape, hold);
  result.covariance_center = center_of(answer, prepared);
  auto factors = ldlt(with_observed(pairs, pair_variance, start, body).jtj, free);
  if (factors.rank < count_of(free)) {  // what neither holds, the noise of normals seems to
    factors = ldlt(with_observed(shape, pair_variance, start, body).jtj, free);
  }
  if (factors.rank < count_of(free)) return 0;
  const Symmetric<double, 6> covariance = factors.inverse();
  Symmetric<double, 7> wide{};
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) wide(i, j) = covariance(i, j);
  }
  prepared.dimension == 2 ? tell<Rigid2>(wide, 1, answer, prepared, result)
                          : tell<Rigid3>(wide, 1, answer, prepared, result);
  const auto held_by_start = [&](const WeakDirection& weak) {
    Vector<double, 6> lengths{}, step{};
    for (int i = 0; i < 6; ++i) {
      const double part = i < 3 ? weak.rotation[i] : weak.translation[i - 3];
      lengths[i] = i < 3 ? part * radius : part;
      step[i] = i < 3 ? part / radius : part;
    }
    constexpr double nothing = 1e-6;  // but for rounding
    const bool by_pairs = dot(step, pairs.jtj * step) > nothing * dot(step, shape.jtj * step);
    return !by_pairs && dot(lengths, covariance * lengths) < right_shift * radius * (right_shift * radius);
  };
  return static_cast<int>(std::erase_if(result.weak_directions, held_by_start));
}

}  // namespace dovetail
