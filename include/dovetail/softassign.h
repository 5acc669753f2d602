// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/em_icp.h"

namespace dovetail {

/// Softassign: as EM-ICP, but each target point too shares itself out among the source points, so that in the end the
/// match is one to one but for what has no counterpart. The temperature of the paper is σ². Every default follows the
/// data's own scale. docs/methods/softassign.md tells the equations and the schedule.
struct Softassign {
  /// Times the weights are normalised over the target's points and over the source's again, before each pose.
  int sweeps = 2;

  /// Also estimate a uniform scale, once σ is small enough to tell it.
  bool estimate_scale = false;

  /// Where σ starts and ends, in file units; 0: automatic, from the source's radius down to the points' spacing.
  double sigma_start = 0;
  double sigma_end = 0;

  /// Factor of σ² a pose update; 0: adaptive, slower while the pose moves and faster while it stands still.
  double annealing = 0;

  /// Distance at which matching and not matching weigh the same, in file units; 0: automatic, it shrinks with σ.
  double outlier_distance = 0;

  /// Expected share of source points that have a counterpart; the outlier's weight then follows it. 0: unknown.
  double overlap = 0;

  /// Voxel size of the finest level, in file units; 0: full resolution.
  double voxel = 0;

  /// The most pose updates at the finest level.
  int max_iterations = 1000;

  /// Converged when, at the last σ, an update moves the source by less than this part of its radius.
  double tolerance = 1e-5;

  /// How far each source point's sum of weights may be off, as a part of it: far target points are left out or taken
  /// together within that. 0: every pair is computed.
  double accuracy = 1e-6;

  /// Motions that may change; the others keep their value from the start.
  Freedom free{};

  /// Starting rotations tried about each given start, on a part of the points; 0: automatic, enough for any rotation.
  /// 1: the start alone.
  int starts = 0;

  /// What polishes the answer.
  Refinement refine = Refinement::none;

  /// Neighbours from which the normal of a point is estimated where its file has none; normals rank answers.
  int normal_neighbours = 20;
};

}  // namespace dovetail
