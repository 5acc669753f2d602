// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pose/orientation.h"

namespace dovetail::pose {

/// Orientations that stand for many.
struct OrientationClusters {
  std::vector<Quaternion<double>> centre;
  std::vector<double> share;  ///< of the samples that are nearest to it
};

struct ClusterOptions {
  int clusters = 1024;
  /// What is made small is the sum of the angles to the nearest centre to this power. 2 is k-means; more keeps the
  /// largest angles small, and follows the density less.
  double power = 4;
  int iterations = 60;
  std::uint64_t seed = 0;
};

/// What a caller may want to know and say while it runs.
struct ClusterRun {
  std::function<void(double)> on_progress;  ///< share of the work done
  const std::atomic<bool>* cancel = nullptr;
};

/// Clusters samples of a part's orientations by Lloyd's iteration on the rotations themselves, up to symmetry. Fewer
/// clusters where there are fewer samples that differ. The same bits for the same input and any number of threads.
OrientationClusters cluster_orientations(std::span<const Quaternion<double>> samples, const OrientationSpace& space,
                                         const ClusterOptions& options, const ClusterRun& run = {});

/// The angle from each sample to the nearest of the centres, in radians.
std::vector<double> angles_to_nearest(std::span<const Quaternion<double>> samples,
                                      std::span<const Quaternion<double>> centres, const OrientationSpace& space);

}  // namespace dovetail::pose
