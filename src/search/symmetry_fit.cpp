// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/symmetry_fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <set>
#include <vector>

#include "core/ldlt.h"
#include "core/rotation.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double reach = 0.12;               // of the diameter: what is farther away tells a fit nothing
constexpr std::size_t scored_samples = 120;  // enough to rank directions; what ranks high is fitted and judged

/// Calls distance(i) for i below `count`, on all threads, until one is beyond the limit. The largest, or too_far.
template <class Distance>
double largest_within(double limit, std::size_t count, const Distance& distance) {
  constexpr std::size_t block = 128;
  std::atomic<bool> beyond = false;
  std::vector<double> largest((count + block - 1) / block, 0);
  parallel_for(largest.size(), 1, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block) && !beyond; ++i) {
      largest[b] = std::max(largest[b], distance(i));
      if (largest[b] > limit) beyond = true;
    }
  });
  if (largest.empty()) return 0;
  return beyond ? too_far : *std::max_element(largest.begin(), largest.end());
}

/// Whether all of the turned samples are within the limit of the surface; the first that is not becomes a witness.
bool all_within(const SymmetrySurface& surface, const std::vector<Vec3>& samples, const Mat3& g, const Vec3& center,
                Witnesses* witnesses) {
  const double limit = surface.limit() * surface.limit();
  std::mutex adding;
  return largest_within(0, samples.size(), [&](std::size_t i) {
           if (surface.tree.any_within(center + g * (samples[i] - center), limit)) return 0.0;
           if (witnesses) {
             const std::scoped_lock lock(adding);
             witnesses->push_back(samples[i]);
           }
           return too_far;
         }) == 0;
}

/// The distance from the surface, or too_far beyond the limit.
double distance_within(const SymmetrySurface& surface, const Vec3& x) {
  const SurfacePlace at = surface.tree.nearest(x, surface.limit() * surface.limit());
  return at.found() ? std::sqrt(at.squared_distance) : too_far;
}

}  // namespace

double mean_square(const SymmetrySurface& surface, const Mat3& motion, const Vec3& center) {
  const std::size_t count = std::min(scored_samples, surface.even.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += surface.tree.nearest(center + motion * (surface.even[i] - center), reach * reach).squared_distance;
  }
  return sum / static_cast<double>(count);
}

GroupPlacement fit_group(const SymmetrySurface& surface, std::span<const Mat3> motions, GroupPlacement placement,
                         const FitEffort& effort) {
  constexpr double settled = 1e-11;  // of the diameter
  const std::size_t count = std::min(effort.samples, surface.even.size());
  double last = too_far, scale = reach;
  for (int step = 0; step < effort.steps; ++step) {
    double squares = 0, weights = 0;
    Symmetric<double, 6> a{};
    Vector<double, 6> b{};
    for (const Mat3& motion : motions) {
      const Mat3 g = placement.in_part(motion);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3 p = surface.even[i] - placement.center, gp = g * p;
        const Vec3 x = placement.center + gp;
        const SurfacePlace at = surface.tree.nearest(x, reach * reach);
        if (!at.found()) continue;
        const double distance = std::sqrt(at.squared_distance);
        // On the surface the direction away from it is its normal.
        const Vec3 away = distance > 1e-9 ? (1 / distance) * (x - at.position) : surface.tree.normal(at.piece);
        const double residual = distance > 1e-9 ? distance : dot(away, x - at.position);
        // Turning the frame by w moves gp by w × gp − g (w × p); moving the centre by c moves x by c − g c.
        const Vec3 back = transpose(g) * away;
        const Vec3 turn = cross(gp, away) - cross(p, back), shift = away - back;
        const Vector<double, 6> row{turn[0], turn[1], turn[2], shift[0], shift[1], shift[2]};
        // Features that break the symmetry, though by less than the limit, shall not pull at the axis.
        const double share = at.squared_distance / (scale * scale), weight = 1 / ((1 + share) * (1 + share));
        a.add_outer(weight, row);
        b -= (weight * residual) * row;
        squares += weight * at.squared_distance;
        weights += weight;
      }
    }
    // Directions that the group leaves open, as along the axis of a cone, stay as they are.
    const double damping = 1e-7 * a.trace() + 1e-300;
    for (int i = 0; i < 6; ++i) a(i, i) += damping;
    const Vector<double, 6> x = ldlt(a).solve(b);
    const double size = norm(x);
    if (!std::isfinite(size)) break;
    const double part = size > 0.1 ? 0.1 / size : 1.0;
    placement.frame = nearest_rotation(exp_so3(part * Vec3{x[0], x[1], x[2]}) * placement.frame);
    placement.center += part * Vec3{x[3], x[4], x[5]};
    scale = std::clamp(3 * std::sqrt(squares / std::max(weights, 1e-300)), 0.2 * surface.limit(), reach);
    // Where the fit is not exact steps shrink slowly, and the last digits are worth nothing.
    if (size < settled || (step > 3 && size > 0.3 * last && size < 0.01 * surface.limit())) break;
    last = size;
  }
  return placement;
}

bool within_limit(const SymmetrySurface& surface, std::span<const Mat3> motions, const GroupPlacement& placement,
                  Witnesses* witnesses) {
  if (witnesses) {
    const Witnesses known = *witnesses;
    for (const Mat3& motion : motions) {
      if (!all_within(surface, known, placement.in_part(motion), placement.center, nullptr)) return false;
    }
  }
  for (const std::vector<Vec3>* samples : {&surface.even, &surface.samples}) {  // the few first
    for (const Mat3& motion : motions) {
      if (!all_within(surface, *samples, placement.in_part(motion), placement.center, witnesses)) return false;
    }
  }
  return true;
}

double largest_deviation(const SymmetrySurface& surface, std::span<const Mat3> motions,
                         const GroupPlacement& placement) {
  double largest = 0;
  for (const std::vector<Vec3>* samples : {&surface.even, &surface.samples}) {  // the few first
    for (const Mat3& motion : motions) {
      const Mat3 g = placement.in_part(motion);
      const double deviation = largest_within(surface.limit(), samples->size(), [&](std::size_t i) {
        const Vec3 x = placement.center + g * ((*samples)[i] - placement.center);
        // Most are nearer than the farthest so far, which is told faster than how near.
        return surface.tree.any_within(x, largest * largest) ? 0 : distance_within(surface, x);
      });
      if (deviation == too_far) return too_far;
      largest = std::max(largest, deviation);
    }
  }
  return largest;
}

double deviation_of_free_turns(const SymmetrySurface& surface, const GroupPlacement& placement) {
  std::vector<Mat3> some;
  for (const double angle : {0.5, 1.3, 2.4, 3.9, 5.1}) some.push_back(exp_so3(Vec3{0, 0, angle}));
  const double of_some = largest_deviation(surface, some, placement);
  if (of_some == too_far) return too_far;
  // Samples with the same radius and height run through the same circle.
  struct Circle {
    double radius, height;
  };
  std::vector<Circle> circles;
  std::set<std::pair<long, long>> known;
  const double cell = surface.limit() / 4;
  for (const Vec3& sample : surface.samples) {
    const Vec3 p = transpose(placement.frame) * (sample - placement.center);
    const Circle c{std::hypot(p[0], p[1]), p[2]};
    if (known.insert({std::lround(c.radius / cell), std::lround(c.height / cell)}).second) circles.push_back(c);
  }
  const double of_circles = largest_within(surface.limit(), circles.size(), [&](std::size_t i) {
    const auto [radius, height] = circles[i];
    const double steps = std::ceil(2 * pi * radius / surface.limit()) + 1;
    double largest = 0;
    for (double s = 0; s < steps && largest != too_far; ++s) {
      const double angle = 2 * pi * s / steps;
      const Vec3 x = {radius * std::cos(angle), radius * std::sin(angle), height};
      largest = std::max(largest, distance_within(surface, placement.center + placement.frame * x));
    }
    return largest;
  });
  return std::max(of_some, of_circles);
}

double deviation_of_all_turns(const SymmetrySurface& surface, const Vec3& center) {
  std::vector<double> radii;
  for (const Vec3& sample : surface.samples) radii.push_back(norm(sample - center));
  std::sort(radii.begin(), radii.end());
  const double cell = surface.limit() / 4;
  double largest = 0, last = -1;
  for (const double radius : radii) {
    if (radius < last + cell && radius != radii.back()) continue;
    last = radius;
    const double spacing = surface.limit();
    const double count = std::ceil(4 * pi * radius * radius / (spacing * spacing)) + 1;
    const double deviation = largest_within(surface.limit(), static_cast<std::size_t>(count), [&](std::size_t i) {
      const double s = static_cast<double>(i) + 0.5, z = 1 - 2 * s / count, ring = std::sqrt(std::max(0.0, 1 - z * z));
      const double angle = s * pi * (3 - std::sqrt(5.0));
      return distance_within(surface, center + radius * Vec3{ring * std::cos(angle), ring * std::sin(angle), z});
    });
    if (deviation == too_far) return too_far;
    largest = std::max(largest, deviation);
  }
  return largest;
}

std::optional<GroupPlacement> fit_within_limit(const SymmetrySurface& surface, std::span<const Mat3> fitted,
                                               std::span<const Mat3> motions, const GroupPlacement& start,
                                               Witnesses* witnesses) {
  const GroupPlacement placement = fit_group(surface, fitted, start, quick_fit);
  if (!within_limit(surface, motions, placement, witnesses)) return {};
  return placement;
}

}  // namespace dovetail
