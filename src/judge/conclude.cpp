// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/conclude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dovetail/rotation.h"
#include "judge/confidence.h"

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

namespace {

std::string text_of(const Vec3& v) { return fmt::format("({:.2f}, {:.2f}, {:.2f})", v[0], v[1], v[2]); }

/// How another answer differs: by a turn, or else by a shift.
std::string difference_text(const Registration& r, const Registration& other) {
  const Model model = r.target_from_source.model;
  if (model == Model::affine2 || model == Model::affine3 || model == Model::projective2) return "another transform";
  const Transform apart = other.target_from_source * r.target_from_source.inverse();
  const Mat3 turn = Similarity3::from_matrix(apart.matrix).rotation;
  const Vec3 w = log_so3(turn);
  const double angle = norm(w), degrees = angle * 180 / std::numbers::pi;
  if (!(angle > right_angle)) {
    return fmt::format("a shift by {:.3g}", norm(apart * r.covariance_center - r.covariance_center));
  }
  if (dimension(model) == 2) return fmt::format("a turn by {:.0f} degrees", degrees);
  return fmt::format("a turn by {:.0f} degrees about {}", degrees, text_of((1 / angle) * w));
}

/// The motion that an answer's common part leaves free.
std::string motion_text(const WeakDirection& weak) {
  const double turn = norm(weak.rotation), shift = norm(weak.translation);
  return turn > shift ? fmt::format("a rotation about {}", text_of((1 / turn) * weak.rotation))
                      : fmt::format("a shift along {}", text_of((1 / std::max(shift, 1e-300)) * weak.translation));
}

/// Of the six motions together, a right answer is farther from its start once in some thousands, in deviations.
constexpr double far_from_start = 5;

/// Whether so few points agree that what there is in common may be chance: right answers are above this, but for few,
/// and nearly all of unrelated surfaces below.
bool little_in_common(const Registration& r) {
  constexpr double least_agreement = 0.6;
  return std::any_of(r.evidence.begin(), r.evidence.end(),
                     [](const Evidence& e) { return e.name == "agreement" && e.value < least_agreement; });
}

/// Why an answer is not likely to be right, though it has a pose.
std::string why_doubtful(const Registration& r) {
  constexpr double as_good = 1, nearly_as_good = 3;  // of the log-odds
  const char* const chance = r.method == "chamfer" ? "no more in common than points have that do not belong there"
                                                   : "no more in common than unrelated surfaces have";
  const char* const moving = "still moving when the iterations ran out";
  const bool stopped_moving = r.termination != Termination::max_iterations;
  for (const Evidence& e : r.evidence) {
    if (e.name == start_sigmas && e.value > far_from_start) {
      return fmt::format("the answer is {:.1f} standard deviations from the start", e.value);
    }
  }
  if (little_in_common(r)) return stopped_moving ? chance : fmt::format("{}, and {}", chance, moving);
  if (!r.weak_directions.empty()) {
    return fmt::format("the common part does not hold {}", motion_text(r.weak_directions.front()));
  }
  const double behind = r.alternatives.empty() ? nearly_as_good : r.log_odds - r.alternatives.front().log_odds;
  if (behind < nearly_as_good && r.log_odds > 0) {
    return fmt::format("another pose fits {}as well: {}", behind < as_good ? "" : "nearly ",
                       difference_text(r, r.alternatives.front()));
  }
  return stopped_moving ? chance : moving;
}

const char* ending_of(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::max_iterations:
      return "stopped after the last iteration";
    case Termination::time_limit:
      return "stopped at the time limit";
    case Termination::stopped_by_callback:
      return "stopped as asked";
    default:
      return "finished its schedule";
  }
}

}  // namespace

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
      result.method != "evaluate" && result.points.source > 0 && run.inlier_distance == 0 && inliers < needed - 0.5;
  const bool likely = result.confidence.value_or(1) >= run.min_confidence;
  result.set_usable(finite && !failed && !unfinished && enough && !few && likely);
  if (failed || unfinished) {
    result.margin.reset();
    result.covariance.clear();
    result.expected_error.reset();
    result.confidence = 0;
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
  } else if (!enough) {
    result.message =
        fmt::format("only {:.1f}% of the source points have a target point within {:.3g}; {:.1f}% are needed",
                    100 * result.inlier_ratio, result.inlier_distance, 100 * run.min_inlier_ratio);
  } else if (!likely) {
    result.message = fmt::format("{} (confidence {:.2f}; {:.1f}% inliers, rmse {:.3g})", why_doubtful(result),
                                 *result.confidence, 100 * result.inlier_ratio, result.rmse);
  } else {
    result.message = fmt::format("{} after {} iterations: {:.1f}% inliers, rmse {:.3g}", ending_of(result.termination),
                                 result.iterations, 100 * result.inlier_ratio, result.rmse);
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
