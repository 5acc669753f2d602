// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dovetail/rotation.h"
#include "scenes/resting.h"

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi;

Transform rotation(const Mat3& r) { return Rigid3{r, {}}; }

/// Distances under two rigid motions are largest at a corner of the hull.
double largest_distance(const std::vector<Vec3>& hull, const Transform& a, const Transform& b) {
  double largest = 0;
  for (const Vec3& p : hull) largest = std::max(largest, squared_norm(a * p - b * p));
  return std::sqrt(largest);
}

/// The turn about the free axis, within `width` radians, that brings the truth nearest to the pose found: a search by
/// thirds, as the distance has one minimum there.
Transform turned_nearest(const SoughtObject& object, const std::vector<Vec3>& hull, const Transform& found,
                         const Transform& truth, double width) {
  const auto turned = [&](double angle) { return truth * rotation(exp_so3(angle * object.free_axis)); };
  double low = -width, high = width;
  while (high - low > 1e-6) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (largest_distance(hull, found, turned(a)) < largest_distance(hull, found, turned(b))) {
      high = b;
    } else {
      low = a;
    }
  }
  return turned(0.5 * (low + high));
}

}  // namespace

PoseError error_of(const SoughtObject& object, const Transform& found, const Transform& truth) {
  const std::vector<Vec3>& points = object.mesh.empty() ? object.cloud.positions : object.mesh.positions;
  const std::vector<Vec3> hull = object.symmetries.size() > 1 ? outermost(points) : points;
  Transform nearest = truth;
  double least = largest_distance(hull, found, truth);
  for (const Mat3& symmetry : object.symmetries) {
    const Transform equivalent = truth * rotation(symmetry);
    const double distance = largest_distance(hull, found, equivalent);
    if (distance < least) least = distance, nearest = equivalent;
  }
  if (norm(object.free_axis) > 0) {
    nearest = turned_nearest(object, hull, found, nearest, 4 * pi / 180);  // one every 2.5 degrees was tried
    least = std::min(least, largest_distance(hull, found, nearest));
  }
  return {least / object.diameter, rotation_angle_between(found, nearest) * 180 / pi,
          distance_between(found, nearest, object.center)};
}

bool within(const Limits& limits, const PoseError& error) {
  const auto below = [](double value, double limit) { return limit == 0 || value < limit; };
  return below(error.degrees, limits.degrees) && below(error.shift, limits.shift) && below(error.mssd, limits.mssd);
}

Score score(const Case& c, const std::vector<Found>& answers) {
  Score result;
  for (const Placed& placed : c.placed) result.asked += placed.asked;
  std::vector<bool> taken(c.placed.size());
  std::vector<std::size_t> counted(c.objects.size()), most(c.objects.size(), 1), instances(c.objects.size());
  for (const Placed& placed : c.placed) {
    if (placed.object) ++instances[*placed.object];
  }
  for (std::size_t k = 0; k < most.size(); ++k) most[k] = std::max<std::size_t>(1, instances[k]);
  for (const Found& answer : answers) {
    ScoredAnswer& scored = result.answers.emplace_back();
    scored.error.mssd = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < c.placed.size(); ++i) {
      if (taken[i] || c.placed[i].object != answer.object) continue;
      const PoseError error =
          error_of(c.objects[answer.object], answer.scene_from_object, c.placed[i].scene_from_object);
      if (error.mssd < scored.error.mssd) scored.error = error, scored.placed = i;
    }
    if (counted[answer.object]++ >= most[answer.object]) continue;
    scored.right = scored.placed && within(c.limits, scored.error);
    if (!scored.right) {
      result.false_usable += answer.usable;
      continue;
    }
    taken[*scored.placed] = true;
    if (!c.placed[*scored.placed].asked) continue;
    ++result.found;
    result.found_usable += answer.usable;
  }
  return result;
}

}  // namespace dovetail::bench::find
