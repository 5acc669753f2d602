// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/conclude.h"

#include <fmt/format.h>

#include <cmath>

namespace dovetail {

Termination termination_of(Status status, StopRequest stopped) {
  if (stopped == StopRequest::time_limit) return Termination::time_limit;
  if (stopped == StopRequest::cancelled) return Termination::stopped_by_callback;
  switch (status) {
    case Status::converged:
      return Termination::converged;
    case Status::schedule_finished:
      return Termination::schedule_finished;
    case Status::no_correspondences:
      return Termination::no_correspondences;
    case Status::degenerate:
      return Termination::degenerate;
    default:
      return Termination::max_iterations;
  }
}

int least_points(Model model) {
  switch (model) {
    case Model::rigid2:
    case Model::similarity2:
      return 2;
    case Model::affine2:
    case Model::rigid3:
    case Model::similarity3:
      return 3;
    default:
      return 4;
  }
}

void conclude(const Run& run, Registration& result) {
  bool finite = true;
  for (int i = 0; i < 16; ++i) finite = finite && std::isfinite(result.target_from_source.matrix[i]);
  const bool failed =
      result.termination == Termination::degenerate || result.termination == Termination::no_correspondences;
  const bool stopped =
      result.termination == Termination::time_limit || result.termination == Termination::stopped_by_callback;
  const bool unfinished = stopped && result.iterations == 0;
  const double inliers = result.inlier_ratio * static_cast<double>(result.points.source);
  const int needed = least_points(result.target_from_source.model);
  const bool enough = result.inlier_ratio >= run.min_inlier_ratio;
  const bool few =
      result.method != "evaluate" && run.min_inlier_ratio > 0 && result.points.source > 0 && inliers < needed - 0.5;
  result.set_usable(finite && !failed && !unfinished && enough && !few);
  if (failed || unfinished) {
    result.margin.reset();
    result.covariance.clear();
    result.expected_error.reset();
  }
  if (!result.message.empty()) return;
  if (result.termination == Termination::no_correspondences) {
    result.message = "no source point has a target point near enough: check the start, the units and max_distance";
  } else if (result.termination == Termination::degenerate) {
    result.message = "the pairs found do not determine the transform: they lie on one line or in one place";
  } else if (unfinished) {
    result.message =
        fmt::format("{} before any start was followed to its end; the transform is only a guess",
                    result.termination == Termination::time_limit ? "stopped at the time limit" : "stopped as asked");
  } else if (enough && few) {
    result.message = fmt::format("only {:.0f} source points have a target point within {:.3g}; a {} transform needs {}",
                                 inliers, result.inlier_distance, to_string(result.target_from_source.model), needed);
  } else if (!result.usable()) {
    result.message =
        fmt::format("only {:.1f}% of the source points have a target point within {:.3g}; {:.1f}% are needed",
                    100 * result.inlier_ratio, result.inlier_distance, 100 * run.min_inlier_ratio);
  } else {
    const char* ended = result.termination == Termination::converged             ? "converged"
                        : result.termination == Termination::max_iterations      ? "stopped after the last iteration"
                        : result.termination == Termination::time_limit          ? "stopped at the time limit"
                        : result.termination == Termination::stopped_by_callback ? "stopped as asked"
                                                                                 : "finished its schedule";
    result.message = fmt::format("{} after {} iterations: {:.1f}% inliers, rmse {:.3g}", ended, result.iterations,
                                 100 * result.inlier_ratio, result.rmse);
    if (!result.weak_directions.empty()) {
      result.message += fmt::format("; the data leaves {} direction{} of motion weakly determined",
                                    result.weak_directions.size(), result.weak_directions.size() == 1 ? "" : "s");
    }
  }
}

void add_alternative(const Transform& target_from_source, const Quality& quality, Registration& result) {
  Registration& other = result.alternatives.emplace_back();
  other.method = result.method;
  other.machine = result.machine;
  other.target_frame = result.target_frame;
  other.target_from_source = target_from_source;
  static_cast<Quality&>(other) = quality;
  other.termination = Termination::schedule_finished;
  other.message.clear();
  conclude(result.run, other);
  if (!other.usable()) return;
  other.message = fmt::format("another answer: {:.1f}% inliers, rmse {:.3g}", 100 * other.inlier_ratio, other.rmse);
}

}  // namespace dovetail
