// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <chrono>

#include "api/build_problem.h"
#include "api/diagnose.h"
#include "api/machines.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "dovetail/registration.h"

namespace dovetail {

Registration evaluate_pose(const PointCloud& source, const PointCloud& target, const Transform& target_from_source,
                           const Run& run) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  validate(run);
  const Model model = target_from_source.model;
  if (dimension(model) != source.dimension) {
    throw InvalidArgument(fmt::format("pose: {} for {}-dimensional clouds; one of that dimension is needed",
                                      to_string(model), source.dimension));
  }
  if (model == Model::affine2 || model == Model::affine3 || model == Model::projective2) {
    // The search knows similarities alone: what such a map makes of the source is judged where it stands.
    const Transform stays = Transform::identity(source.dimension == 2 ? Model::rigid2 : Model::rigid3);
    Registration result = evaluate_pose(target_from_source * source, target, stays, run);
    result.target_from_source = target_from_source;
    return result;
  }
  const auto began = Clock::now();
  const BackendOfRun backend(run);
  Prepared prepared;
  backend->on_host([&] { prepared = prepare_clouds(source, target, run); });
  Registration result;
  result.method = "evaluate";
  result.run = run;
  result.target_from_source = target_from_source;
  result.termination = Termination::schedule_finished;
  describe_input(prepared, *backend, result);
  if (prepared.source.empty() || prepared.target.empty()) {
    result.termination = Termination::no_correspondences;
    result.message = prepared.source.empty() ? "the source has no usable points" : "the target has no usable points";
  } else {
    const double full_resolution[] = {0.0};
    const NormalsNeeded normals{.source = true, .target = true, .neighbours = Icp{}.normal_neighbours};
    Problem problem;
    backend->on_host([&] { problem = build_problem(prepared, full_resolution, normals, *backend); });
    backend->place({&problem, 1});
    result.time_ms.prepare = Milliseconds(Clock::now() - began).count();
    const auto loop_began = Clock::now();
    const Similarity3 pose = prepared.to_local(target_from_source);
    evaluate_results(prepared, run, *backend, {}, {&pose, 1}, {&result, 1});
    result.time_ms.loop = Milliseconds(Clock::now() - loop_began).count();
  }
  conclude(run, result);
  result.time_ms.total = Milliseconds(Clock::now() - began).count();
  return result;
}

}  // namespace dovetail
