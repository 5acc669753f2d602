// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/symmetry_axes.h"

#include <array>
#include <numbers>
#include <optional>

#include "core/eigen_symmetric.h"
#include "core/rotation_group.h"

namespace dovetail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double same_axis = 0.02;  // radians

Mat3 turn_by(double angle) { return turn_about({0, 0, 1}, angle); }

/// The fewest steps of a circle that are told from a free turn: half a step moves a point by more than the limit.
int most_steps(const SymmetrySurface& surface, const GroupPlacement& placement, int max_order) {
  double radius = 0;
  for (const Vec3& p : surface.even) radius = std::max(radius, norm(cross(p - placement.center, placement.axis())));
  return static_cast<int>(std::min<double>(max_order, pi * radius / surface.limit()));
}

/// Which angles of half a circle, evenly spaced, may be symmetries about the placement's axis.
class PlausibleAngles {
 public:
  PlausibleAngles(const SymmetrySurface& surface, const GroupPlacement& placement) {
    parallel_for(plausible_.size(), 8, [&](std::size_t i) {
      plausible_[i] = plausible(surface, turn_by(pi * static_cast<double>(i) / steps), placement) ? 1 : 0;
    });
  }
  bool all() const { return std::find(plausible_.begin(), plausible_.end(), 0) == plausible_.end(); }
  /// All turns of an order; the other half of the circle are their inverses.
  bool of_order(int order) const {
    for (int i = 1; 2 * i <= order; ++i) {
      if (plausible_[static_cast<std::size_t>(std::lround(2.0 * steps * i / order))] == 0) return false;
    }
    return true;
  }

 private:
  static constexpr int steps = 360;  // half a degree moves nothing by more than a part of what is plausible
  std::vector<char> plausible_ = std::vector<char>(steps + 1);
};

/// The highest order of an axis near the placement's, where there is one.
std::optional<FoundAxis> analyse(const SymmetrySurface& surface, const GroupPlacement& start, int max_order) {
  const PlausibleAngles plausible_angles(surface, start);
  if (plausible_angles.all()) {
    const GroupPlacement placement = fit_group(surface, std::array{turn_by(1.0), turn_by(2.4)}, start, quick_fit);
    if (deviation_of_free_turns(surface, placement) != too_far) return FoundAxis{placement, 0};
  }
  Witnesses witnesses;
  for (int order = most_steps(surface, start, max_order); order >= 2; --order) {
    if (!plausible_angles.of_order(order)) continue;
    const std::vector<Mat3> group = cyclic_group(order);
    const std::span<const Mat3> turns = std::span(group).subspan(1);
    if (const auto placement = fit_within_limit(surface, turns.first(1), turns, start, &witnesses)) {
      return FoundAxis{*placement, order};
    }
  }
  return {};
}

bool is_known(const std::vector<FoundAxis>& axes, const GroupPlacement& placement) {
  return std::any_of(axes.begin(), axes.end(), [&](const FoundAxis& known) {
    return norm(cross(known.placement.axis(), placement.axis())) < same_axis;
  });
}

bool any_of_order(const std::vector<FoundAxis>& axes, int least) {
  return std::any_of(axes.begin(), axes.end(), [&](const FoundAxis& a) { return a.order == 0 || a.order >= least; });
}

bool two_of_fold(const std::vector<FoundAxis>& axes, int fold) {
  return std::count_if(axes.begin(), axes.end(), [&](const FoundAxis& a) { return a.order % fold == 0; }) > 1;
}

/// Fits a turn by 2π / fold about each direction; those that are symmetries and new are analysed.
void add_axes(const SymmetrySurface& surface, const std::vector<Vec3>& directions, int fold, int max_order,
              std::vector<FoundAxis>& axes) {
  const std::vector<Mat3> group = cyclic_group(fold);
  const std::span<const Mat3> turns = std::span(group).subspan(1);
  for (const Vec3& direction : directions) {
    if (fold > 2 && two_of_fold(axes, fold)) return;
    if (is_known(axes, {frame_along(direction), {}})) continue;
    const auto placement = fit_within_limit(surface, turns.first(1), turns, {frame_along(direction), {}});
    if (!placement || is_known(axes, *placement)) continue;
    if (const auto axis = analyse(surface, *placement, max_order)) axes.push_back(*axis);
  }
}

}  // namespace

InertiaAxes inertia_axes(const SymmetrySurface& surface) {
  const auto e = eigen_symmetric(surface.covariance);
  // By how much the moments of a surface may change that moves by as much as the limit everywhere.
  const double spread = 2 * surface.limit() * std::sqrt(surface.covariance.trace()) + 0.01 * e.values[2];
  const bool low = e.values[1] - e.values[0] <= spread, high = e.values[2] - e.values[1] <= spread;
  InertiaAxes axes;
  axes.any_direction = low && high;
  axes.any_across = low != high;
  if (axes.any_across) {
    axes.distinct = {e.vector(low ? 2 : 0)};
  } else {
    axes.distinct = {e.vector(2), e.vector(1), e.vector(0)};
  }
  return axes;
}

std::vector<Vec3> half_sphere(int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double z = (i + 0.5) / count, ring = std::sqrt(1 - z * z), angle = i * pi * (3 - std::sqrt(5.0));
    directions.push_back({ring * std::cos(angle), ring * std::sin(angle), z});
  }
  return directions;
}

std::vector<Vec3> across(const Mat3& frame, double angle, int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double at = angle * i / count;
    directions.push_back(frame * Vec3{std::cos(at), std::sin(at), 0});
  }
  return directions;
}

bool plausible(const SymmetrySurface& surface, const Mat3& motion, const GroupPlacement& placement) {
  // Moments of uneven clouds put an axis off by a degree or two.
  const double most = std::max(3 * surface.limit(), 0.03);
  const Mat3 g = placement.in_part(motion);
  const std::size_t count = std::min<std::size_t>(200, surface.even.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 x = placement.center + g * (surface.even[i] - placement.center);
    if (!surface.tree.any_within(x, most * most)) return false;
  }
  return true;
}

std::vector<FoundAxis> find_axes(const SymmetrySurface& surface, int max_order) {
  std::vector<FoundAxis> axes;
  const InertiaAxes inertia = inertia_axes(surface);
  for (const Vec3& direction : inertia.distinct) {
    if (const auto axis = analyse(surface, {frame_along(direction), {}}, max_order)) axes.push_back(*axis);
  }
  const auto turn_of = [](int fold) {
    return [fold](const Vec3& direction) { return turn_about(direction, 2 * pi / fold); };
  };
  if (inertia.any_across && axes.empty()) {
    const std::vector<Vec3> directions = across(frame_along(inertia.distinct.front()), pi, 180);
    add_axes(surface, best_directions(surface, directions, 6, turn_of(2)), 2, max_order, axes);
  }
  if (inertia.any_direction) {
    const std::vector<Vec3> directions = half_sphere(1200);
    // An axis of order 4 shows by its half turns. Of a solid's axes all of one fold are alike, and two tell the group.
    for (const int fold : {5, 3, 2, 7}) {
      add_axes(surface, best_directions(surface, directions, 12, turn_of(fold)), fold, max_order, axes);
      const bool tells = fold == 3 ? any_of_order(axes, 3) : fold == 5 ? two_of_fold(axes, 5) : !axes.empty();
      if (tells) break;
    }
  }
  std::stable_sort(axes.begin(), axes.end(), [](const FoundAxis& a, const FoundAxis& b) {
    return a.order == 0 ? b.order != 0 : b.order != 0 && a.order > b.order;
  });
  return axes;
}

}  // namespace dovetail
