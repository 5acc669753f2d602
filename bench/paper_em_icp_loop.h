// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>

#include "core/rotation.h"
#include "paper_em_icp.h"
#include "stopwatch.h"

namespace dovetail::bench {

/// Target from source, as a pass reads it.
struct PaperPose {
  float rotation[9], translation[3];
};

/// What a pass leaves for the host to solve; in (28)-(29), x' is a virtual target point, y a source point.
struct PaperSums {
  float source[3];  ///< sum of lambda y
  float weight;     ///< sum of lambda
  float target[3];  ///< sum of lambda x'
  float cross[9];   ///< sum of lambda (x' - mean x')(y - mean y)^T, row by row
};

/// Their Algorithm 3, the same for every machine. `pass(pose, sigma_squared)` returns PaperSums.
template <class Pass>
PaperRun paper_anneal(const PaperSchedule& schedule, const Pass& pass) {
  Matrix<double, 3, 3> rotation = Matrix<double, 3, 3>::identity();
  Vector<double, 3> translation{};
  PaperRun run{};
  const Stopwatch watch;
  for (double sigma_squared = schedule.sigma_squared;
       sigma_squared > schedule.last && run.iterations < schedule.max_iterations; sigma_squared *= schedule.factor) {
    PaperPose pose{};
    for (int i = 0; i < 9; ++i) pose.rotation[i] = static_cast<float>(rotation[i]);
    for (int i = 0; i < 3; ++i) pose.translation[i] = static_cast<float>(translation[i]);
    const PaperSums sums = pass(pose, sigma_squared);
    ++run.iterations;
    if (!(sums.weight > 0)) break;
    Matrix<double, 3, 3> cross;
    Vector<double, 3> source, target;
    for (int i = 0; i < 9; ++i) cross[i] = static_cast<double>(sums.cross[i]);
    for (int i = 0; i < 3; ++i) {
      source[i] = static_cast<double>(sums.source[i] / sums.weight);
      target[i] = static_cast<double>(sums.target[i] / sums.weight);
    }
    rotation = nearest_rotation(cross);
    translation = target - rotation * source;
  }
  run.milliseconds = watch.milliseconds();
  for (int i = 0; i < 9; ++i) run.rotation[i] = rotation[i];
  for (int i = 0; i < 3; ++i) run.translation[i] = translation[i];
  return run;
}

}  // namespace dovetail::bench
