// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "dovetail/points_view.h"
#include "dovetail/prepare.h"
#include "dovetail/run.h"
#include "prepare/rarity.h"
#include "spatial/range_map.h"

namespace dovetail {

/// A cloud freed of invalid points and brought into local coordinates. Lengths are local.
struct PreparedCloud {
  LocalCloud points;       ///< full resolution, along the Morton curve; points at one place are one point
  std::size_t usable = 0;  ///< points, however many lie at one place
  std::size_t dropped_non_finite = 0, dropped_at_origin = 0;
  KdTree tree;
  Vec3 origin{};  ///< of the local frame, in the file's
  CloudScale scale;
  Vec3 centroid{};    ///< strays left out
  double radius = 0;  ///< root mean square distance from it, likewise
  /// Whether neighbours tell the surface that points lie on. Those of a slice through it all lie in the slice's plane.
  bool tells_surface = true;
  Vec3 across{};  ///< unit, across the plane of such a slice
};

/// Two clouds in local coordinates of one scale: what every method that matches points starts from.
struct Prepared {
  std::shared_ptr<const PreparedCloud> source, target;
  double scale = 1;  ///< local length = scale × file length; a power of two, so nothing is rounded by it
  int dimension = 3;
  /// What each was seen as from where its sensor stood, in its own local frame; null where nobody knows.
  std::shared_ptr<const RangeMap> source_view{}, target_view{};
  /// Which points are telling where they agree, once a search has come to many poses; else null.
  std::shared_ptr<const Rarity> rarity{};

  /// A pose of the files as one between the local frames, and back.
  Similarity3 to_local(const Transform& target_from_source) const;
  Transform from_local(const Similarity3& local, Model model) const;
  double to_local(double length) const { return length * scale; }
  double from_local(double length) const { return length / scale; }
};

/// Throws InvalidArgument where a cloud has no points at all or the weights do not fit. Clouds of which nothing usable
/// is left come back empty. Both are in host memory.
Prepared prepare_clouds(const PointsView& source, const PointsView& target, const Run& run);

/// A cloud as seen from the origin of its file, where one sensor may have seen it all from there; else null.
std::shared_ptr<const RangeMap> view_from_origin(const PreparedCloud& cloud, double scale);

/// One of them, in the frame of a scale that both have.
PreparedCloud prepare_cloud(const PointsView& points, double scale, OriginPoints at_origin,
                            const std::vector<double>& weights = {});

/// Throws InvalidArgument for a view that makes no sense.
void check_view(const PointsView& points, const char* name);

/// A view of points in host memory; those in a GPU's are brought there.
class HostPoints {
 public:
  HostPoints(const PointsView& points, const char* name, Backend& backend);
  const PointsView& view() const { return view_; }

 private:
  PointsView view_;
  std::vector<std::byte> data_;
  std::vector<float> normals_;
};

/// The points of a view in host memory as a cloud.
PointCloud cloud_of(const PointsView& points);

/// Throws InvalidArgument unless there is no weight, or one a point, none negative and not all zero.
void check_weights(const std::vector<double>& weights, std::size_t points);

/// The power of two next to the largest of some weights: whatever their unit, divided by it they are numbers that can
/// be added and squared.
template <class T>
double power_near_largest(const std::vector<T>& weights) {
  double largest = 0;
  for (const T w : weights) largest = std::max(largest, double{w});
  return largest > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(largest), -1000, 1000)) : 1.0;
}

/// What weights are multiplied by so that they add up to the number of points they are worth, (Σw)² / Σw².
template <class T>
double weight_unit(const std::vector<T>& weights) {
  const double whole = power_near_largest(weights);  // a power of two changes no bit of the rest
  double sum = 0, squares = 0;
  for (const T w : weights) sum += double{w} / whole, squares += double{w} / whole * (double{w} / whole);
  return squares > 0 ? sum / squares / whole : 1.0;
}

}  // namespace dovetail
