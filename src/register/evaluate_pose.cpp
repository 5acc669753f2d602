// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <chrono>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/confidence.h"
#include "judge/quality.h"
#include "register/job.h"

namespace dovetail {

Registration evaluate_pose(const PointsView& source, const PointsView& target, const Transform& target_from_source,
                           const Run& run) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto milliseconds = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - began).count(); };
  validate(run);
  check_view(source, "source");
  check_view(target, "target");
  const Model model = target_from_source.model;
  if (dimension(model) != source.dimension) {
    throw InvalidArgument(fmt::format("pose: {} for {}-dimensional clouds; one of that dimension is needed",
                                      to_string(model), source.dimension));
  }
  const BackendOfRun backend(run);
  const HostPoints from(source, "source", *backend), to(target, "target", *backend);
  if (model == Model::affine2 || model == Model::affine3 || model == Model::projective2) {
    // The search knows similarities alone: what such a map makes of the source is judged where it stands.
    const Transform stays = Transform::identity(source.dimension == 2 ? Model::rigid2 : Model::rigid3);
    Registration result = evaluate_pose(target_from_source * cloud_of(from.view()), to.view(), stays, run);
    result.target_from_source = target_from_source;
    return result;
  }
  Prepared prepared;
  backend->on_host([&] { prepared = prepare_clouds(from.view(), to.view(), run); });
  Registration result = begun("evaluate", {}, run, *backend);
  result.target_from_source = target_from_source;
  result.termination = Termination::schedule_finished;
  describe_input(prepared, result);
  if (prepared.source->points.empty() || prepared.target->points.empty()) {
    result.termination = Termination::no_correspondences;
    result.message =
        prepared.source->points.empty() ? "the source has no usable points" : "the target has no usable points";
  } else {
    const double full_resolution[] = {0.0};
    const LevelNeeds needs{.source_normals = true, .target_normals = true, .neighbours = Icp{}.normal_neighbours};
    std::vector<Level> levels;
    backend->on_host([&] { levels = make_levels(prepared, full_resolution, needs, *backend); });
    result.time_ms.prepare = milliseconds();
    const Similarity3 pose = prepared.to_local(target_from_source);
    static_cast<Quality&>(result) = evaluate_poses(prepared, run, *backend, levels.front(), {&pose, 1}).front();
    tell_confidence(result);
    result.time_ms.loop = milliseconds() - result.time_ms.prepare;
  }
  conclude(run, result);
  result.time_ms.total = milliseconds();
  return result;
}

}  // namespace dovetail
