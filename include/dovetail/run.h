// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/machine.h"
#include "dovetail/transform.h"

namespace dovetail {

class Workspace;

/// What a run shows after each iteration.
struct Iteration {
  int iteration = 0;             ///< from 0
  int level = 0;                 ///< 0 is the coarsest resolution
  double rmse = 0;               ///< of the pairs used, in file units
  double used_ratio = 0;         ///< pairs used, as a share of the level's source points
  double max_distance = 0;       ///< pairs farther apart were not used
  double sigma = 0;              ///< of a soft method: how wide the weights were, in file units
  double objective = 0;          ///< of a soft method: what a better pose makes smaller at the same σ, in file units²
  Transform target_from_source;  ///< the pose this iteration ended with
};

/// How to run, whatever the method.
struct Run {
  /// A machine kept from run to run; `machine`, `device` and `threads` are then its own.
  Workspace* workspace = nullptr;

  Machine machine = Machine::automatic;
  int device = 0;   ///< which GPU, where there are several
  int threads = 0;  ///< CPU threads; 0: all. The answer does not depend on it

  /// Where the source is placed first. Identity when absent.
  std::optional<Transform> start;

  /// Start with the source's centroid on the target's (its rotation, if any, from `start`).
  bool start_at_centroid = false;

  /// More starts, each refined beside the first; the answers are ranked and de-duplicated.
  std::vector<Transform> starts;

  /// How well the start is known, as odometry or GNSS tells it: one standard deviation of the rotation about each axis,
  /// in degrees, and of the shift along each axis, in file units; 0: nothing is known. About the target's axes through
  /// `start_covariance_center`. ICP takes it as an observation beside the pairs, and what is told of the answer
  /// (covariance, weak directions, confidence) counts it. docs/methods/icp.md says how.
  double start_rotation_sigma = 0;
  double start_shift_sigma = 0;

  /// The same in a result's own form: as Registration::covariance of a rigid motion, 6×6 numbers in 3D and 3×3 in 2D,
  /// row-major. Positive semidefinite; a motion of variance 0 stays as the start has it. Empty: the sigmas above.
  std::vector<double> start_covariance;

  /// The place in the target frame that the start's uncertainty turns about: of an earlier result its
  /// `covariance_center`, of a sensor where it stood. Absent: where the start puts the source's centroid.
  std::optional<Vec3> start_covariance_center;

  /// Seed of every random choice; part of the result.
  std::uint64_t seed = 0;

  /// One weight per source point; empty: all 1. Not negative, at least one positive.
  std::vector<double> weights;

  OriginPoints origin_points = OriginPoints::automatic;

  /// A source point is an inlier when its nearest target point is within this, in file units; 0: automatic, twice the
  /// larger spacing of the two clouds, but at least a fortieth of the source's root mean square radius.
  double inlier_distance = 0;

  /// A result that is less likely to be right is not usable: Quality::confidence, where there is one. At the default,
  /// right answers are refused about as rarely as wrong ones pass.
  double min_confidence = 0.5;

  /// A result with a smaller share of inliers is not usable either.
  double min_inlier_ratio = 0;

  /// Stop after this many milliseconds with the best pose so far; 0: no limit.
  double time_limit_ms = 0;

  /// Keep a row for every iteration in the result.
  bool trace = true;

  /// Called after each iteration of the leading start; return false to stop with the pose reached. A GPU waits for it.
  std::function<bool(const Iteration&)> on_iteration;

  /// Called now and then with how the leading start stands: for a progress bar, which slows nothing down.
  std::function<void(const Iteration&)> on_progress;

  /// Set from another thread (or a signal handler) to stop the run.
  const std::atomic<bool>* cancel = nullptr;
};

}  // namespace dovetail
