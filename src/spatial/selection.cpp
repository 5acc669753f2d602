// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/selection.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "dovetail/error.h"
#include "spatial/bounds.h"
#include "spatial/parallel.h"
#include "spatial/point_reader.h"

namespace dovetail {
namespace {

constexpr std::size_t many_at_origin = 16;
constexpr double many_at_origin_ratio = 0.005;
constexpr double apart_ratio = 0.1;

bool usable(const Vec3& p) {
  // Written so that a NaN fails.
  return std::abs(p[0]) <= largest_coordinate && std::abs(p[1]) <= largest_coordinate &&
         std::abs(p[2]) <= largest_coordinate;
}

bool at_origin(const Vec3& p) { return p[0] == 0 && p[1] == 0 && p[2] == 0; }

template <class Points>
bool origin_stands_apart(const Points& points, std::span<const std::uint32_t> finite) {
  Bounds others;
  for (const std::uint32_t i : finite) {
    if (!at_origin(points[i])) others.add(points[i]);
  }
  if (others.empty()) return false;
  Vec3 gap{};
  for (int axis = 0; axis < 3; ++axis) gap[axis] = std::max({others.low[axis], -others.high[axis], 0.0});
  return norm(gap) > apart_ratio * others.diagonal();
}

template <class Points>
bool looks_like_marks(const Points& points, std::span<const std::uint32_t> finite, std::size_t count) {
  if (count < 2) return false;
  const bool many = count > many_at_origin && double(count) > many_at_origin_ratio * double(finite.size());
  return many || origin_stands_apart(points, finite);
}

template <class Points>
std::size_t drop_remote(const Points& points, const Bounds& box, std::vector<std::uint32_t>& kept) {
  const double limit = largest_remoteness * box.longest_side();
  if (!(limit > 0)) return 0;
  return std::erase_if(kept, [&](std::uint32_t i) { return box.distance_along_axes(points[i]) > limit; });
}

}  // namespace

Selection select_usable(const PointsView& view, OriginPoints origin_points) {
  const std::size_t size = view.count;
  if (size >= UINT32_MAX) throw InvalidArgument("a cloud of at most 2^32 - 2 points is allowed");
  return with_reader(view, [&](const auto& points) {
    // Runs of points on their own, then one after another.
    struct Run {
      std::vector<std::uint32_t> kept;
      std::size_t zeros = 0, begin = 0;
    };
    constexpr std::size_t run_size = 1 << 15;
    std::vector<Run> runs((size + run_size - 1) / run_size);
    parallel_for(runs.size(), 1, [&](std::size_t r) {
      runs[r].kept.reserve(run_size);
      for (std::size_t i = r * run_size; i < std::min(size, (r + 1) * run_size); ++i) {
        const Vec3 p = points[i];
        if (!usable(p)) continue;
        runs[r].kept.push_back(static_cast<std::uint32_t>(i));
        runs[r].zeros += at_origin(p) ? 1 : 0;
      }
    });
    Selection selection;
    std::size_t count = 0, zeros = 0;
    for (Run& run : runs) run.begin = count, count += run.kept.size(), zeros += run.zeros;
    selection.kept.resize(count);
    parallel_for(runs.size(), 1, [&](std::size_t r) {
      std::ranges::copy(runs[r].kept, selection.kept.begin() + static_cast<std::ptrdiff_t>(runs[r].begin));
    });
    selection.dropped_non_finite = size - selection.kept.size();
    const bool automatic = origin_points == OriginPoints::automatic && view.faces == nullptr;
    if (zeros > 0 &&
        (origin_points == OriginPoints::drop || (automatic && looks_like_marks(points, selection.kept, zeros)))) {
      std::erase_if(selection.kept, [&](std::uint32_t i) { return at_origin(points[i]); });
      selection.dropped_at_origin = zeros;
    }
    selection.dropped_non_finite += drop_remote(points, main_bounds(view, selection.kept), selection.kept);
    return selection;
  });
}

}  // namespace dovetail
