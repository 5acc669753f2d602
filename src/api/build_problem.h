// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/problem.h"
#include "dovetail/points.h"
#include "dovetail/prepare.h"
#include "dovetail/run.h"

namespace dovetail {

/// Two clouds freed of invalid points and brought into local coordinates: what every method starts from. Lengths here
/// are local unless a name says otherwise.
struct Prepared {
  LocalCloud source, target;  ///< full resolution, along the Morton curve; points at one place are one point
  std::size_t source_points = 0, target_points = 0;  ///< usable ones, however many lie at one place
  KdTree source_tree, target_tree;
  Vec3 source_origin{}, target_origin{};
  double scale = 1;
  int dimension = 3;
  CloudScale source_scale, target_scale;
  Vec3 source_centroid{}, target_centroid{};
  double source_radius = 0;  ///< root mean square distance of the source's points from their centroid, strays left out
  std::size_t dropped_non_finite = 0, dropped_at_origin = 0;

  /// A pose of the files as one between the local frames, and back.
  Similarity3 to_local(const Transform& target_from_source) const;
  Transform from_local(const Similarity3& local, Model model) const;
  double to_local(double length) const { return length * scale; }
  double from_local(double length) const { return length / scale; }
};

/// Throws InvalidArgument where a cloud has no points at all or the weights do not fit. Clouds of which nothing usable
/// is left come back empty.
Prepared prepare_clouds(const PointCloud& source, const PointCloud& target, const Run& run);

/// Throws InvalidArgument unless there is no weight, or one a point, none negative and not all zero.
void check_weights(const std::vector<double>& weights, std::size_t points);

/// What weights are multiplied by so that they add up to the number of points they are worth, (Σw)² / Σw².
template <class T>
double weight_unit(const std::vector<T>& weights) {
  double sum = 0, squares = 0;
  for (const T w : weights) sum += double{w}, squares += double{w} * double{w};
  return squares > 0 ? sum / squares : 1.0;
}

/// Which normals a problem's levels need.
struct NormalsNeeded {
  bool source = false, target = false;
  int neighbours = 16;
};

/// Which cluster trees a problem's levels need. With any, the source is in the order of its tree.
enum class Clusters {
  none,
  target,  ///< with moments: sums over the target
  both,    ///< without: weighted sums over either
};

/// The prepared clouds at each of the given voxel sizes (local, coarse to fine; 0: full resolution).
Problem build_problem(const Prepared& prepared, std::span<const double> voxels, const NormalsNeeded& normals,
                      Backend& backend, Clusters clusters = Clusters::none);

}  // namespace dovetail
