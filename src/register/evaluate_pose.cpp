// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/confidence.h"
#include "judge/quality.h"
#include "prepare/icp_plan.h"
#include "register/job.h"

namespace dovetail {

namespace {

/// The confidence of a pose is that of the answer it lies at, if that is no farther than answers may be off.
void tell_by_settled(const Registration& settled, const Similarity3& pose, const Prepared& prepared,
                     Registration& result) {
  const auto radii_of = [&](const Registration& answer) {
    const Similarity3 other = prepared.to_local(answer.target_from_source);
    const double angle = rotation_angle(pose.rotation * transpose(other.rotation));
    const double shift = norm(pose * prepared.source->centroid - other * prepared.source->centroid);
    return std::max(angle / right_angle, shift / prepared.source->radius / right_shift);
  };
  const Registration* nearest = &settled;
  for (const Registration& other : settled.alternatives) {
    if (radii_of(other) < radii_of(*nearest)) nearest = &other;
  }
  const double off = radii_of(*nearest);
  result.confidence = nearest->confidence.value_or(0) / (1 + std::exp(8 * (off - 1)));
  result.log_odds = nearest->log_odds;
  result.evidence = nearest->evidence;
  result.evidence.push_back({"moved", off});
  if (nearest == &settled) {  // what speaks against that answer speaks against the pose
    result.weak_directions = settled.weak_directions;
    result.alternatives = settled.alternatives;
    result.covariance_center = settled.covariance_center;
  }
  if (off > 1 && *result.confidence < result.run.min_confidence) {
    result.message = fmt::format(
        "the surfaces do not rest at this pose: ICP moves it by {:.1f} times what a right pose may be off (confidence "
        "{:.2f}; {:.1f}% inliers, rmse {:.3g})",
        off, *result.confidence, 100 * result.inlier_ratio, result.rmse);
  }
}

/// A run that starts at a pose, without watchers.
Run from_pose(const Transform& pose, Run run) {
  run.start = pose;
  run.start_at_centroid = false;
  run.starts.clear();
  run.on_iteration = {};
  run.on_progress = {};
  run.trace = false;
  return run;
}

}  // namespace

Registration evaluate_pose(const PointsView& source, const PointsView& target, const Transform& target_from_source,
                           const Run& run) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto milliseconds = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - began).count(); };
  validate(run);
  refuse_known_start(run, "evaluate", "it judges a pose by the points alone");
  check_view(source, "source");
  check_view(target, "target");
  const Model model = target_from_source.model;
  if (dimension(model) != source.dimension) {
    throw InvalidArgument(fmt::format("pose: {} for {}-dimensional clouds; one of that dimension is needed",
                                      to_string(model), source.dimension));
  }
  if (model == Model::affine2 || model == Model::affine3 || model == Model::projective2) {
    // The search knows similarities alone: what such a map makes of the source is judged where it stands.
    const BackendOfRun backend(run);
    const HostPoints from(source, "source", *backend);
    const Transform stays = Transform::identity(source.dimension == 2 ? Model::rigid2 : Model::rigid3);
    Registration result = evaluate_pose(target_from_source * cloud_of(from.view()), target, stays, run);
    result.target_from_source = target_from_source;
    return result;
  }
  const Run alone = from_pose(target_from_source, run);
  RegistrationJob job(source, target, alone, model == Model::similarity2 || model == Model::similarity3);
  const Prepared& prepared = job.prepared();
  Registration result = begun("evaluate", {}, run, job.backend());
  result.target_from_source = target_from_source;
  result.termination = Termination::schedule_finished;
  describe_input(prepared, result);
  if (prepared.source->points.empty() || prepared.target->points.empty()) {
    result.termination = Termination::no_correspondences;
    result.message =
        prepared.source->points.empty() ? "the source has no usable points" : "the target has no usable points";
  } else {
    const Similarity3 pose = prepared.to_local(target_from_source);
    std::optional<Registration> settled;
    if (job.hopeless()) {
      const double full_resolution[] = {0.0};
      job.make_levels(full_resolution, {true, true, Icp{}.normal_neighbours});
    } else {
      settled = settle_by_icp(pose, job);
    }
    const double judging_began = milliseconds();
    static_cast<Quality&>(result) = evaluate_poses(prepared, run, job.backend(), job.full_resolution(), {&pose, 1},
                                                   free_motions({}, false, prepared.dimension), {pose, {}})
                                        .front();
    if (settled) tell_by_settled(*settled, pose, prepared, result);
    result.time_ms.prepare = settled ? settled->time_ms.prepare : judging_began;
    result.time_ms.loop = milliseconds() - result.time_ms.prepare;
  }
  conclude(run, result);
  result.time_ms.total = milliseconds();
  return result;
}

}  // namespace dovetail
