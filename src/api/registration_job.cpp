// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/registration_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/diagnose.h"
#include "dovetail/error.h"
#include "dovetail/options.h"

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

void check_pose(const Transform& pose, int dimension, bool estimate_scale) {
  const bool rigid = pose.model == Model::rigid2 || pose.model == Model::rigid3;
  const bool similar = pose.model == Model::similarity2 || pose.model == Model::similarity3;
  if (dovetail::dimension(pose.model) != dimension) {
    throw InvalidArgument(fmt::format("start: a {} pose for {}-dimensional clouds", to_string(pose.model), dimension));
  }
  if (!rigid && !(similar && estimate_scale)) {
    throw InvalidArgument(
        fmt::format("start: the pose is {}; allowed: rigid, or similarity with estimate_scale", to_string(pose.model)));
  }
}

Clock::time_point checked_start(const PointCloud& source, const Run& run, bool estimate_scale) {
  validate(run);
  if (run.start) check_pose(*run.start, source.dimension, estimate_scale);
  for (const Transform& pose : run.starts) check_pose(pose, source.dimension, estimate_scale);
  return Clock::now();
}

}  // namespace

double difference(const Similarity3& a, const Similarity3& b, const Prepared& prepared) {
  const double angle = rotation_angle(a.rotation * transpose(b.rotation));
  const double shift = norm(a * prepared.source_centroid - b * prepared.source_centroid);
  return std::max(angle, shift / prepared.source_radius);
}

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

Control control_of(const Run& run, Clock::time_point began) {
  Control control;
  if (run.time_limit_ms > 0) {
    control.deadline = began + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double, std::milli>(run.time_limit_ms));
  }
  control.cancel = run.cancel;
  return control;
}

RegistrationJob::RegistrationJob(const PointCloud& source, const PointCloud& target, const Run& run,
                                 bool estimate_scale)
    : run_(run),
      began_(checked_start(source, run, estimate_scale)),
      backend_(run),
      estimate_scale_(estimate_scale),
      model_(source.dimension == 2 ? (estimate_scale ? Model::similarity2 : Model::rigid2)
                                   : (estimate_scale ? Model::similarity3 : Model::rigid3)) {
  backend_->on_host([&] { prepared_ = prepare_clouds(source, target, run); });
  control_ = control_of(run, began_);
  given_ = given_starts();
  reason_ = why_hopeless();
}

std::vector<Similarity3> RegistrationJob::given_starts() const {
  const Model rigid = prepared_.dimension == 2 ? Model::rigid2 : Model::rigid3;
  std::vector<Similarity3> starts;
  if (run_.start || run_.starts.empty() || run_.start_at_centroid) {
    Similarity3 first = prepared_.to_local(run_.start.value_or(Transform::identity(rigid)));
    if (run_.start_at_centroid) first.translation += prepared_.target_centroid - first * prepared_.source_centroid;
    starts.push_back(first);
  }
  for (const Transform& pose : run_.starts) starts.push_back(prepared_.to_local(pose));
  return starts;
}

std::string RegistrationJob::why_hopeless() const {
  for (const auto& [cloud, name] : {std::pair{&prepared_.source, "source"}, {&prepared_.target, "target"}}) {
    const std::size_t least = prepared_.dimension == 2 ? 2 : 3;
    const std::size_t usable = cloud == &prepared_.source ? prepared_.source_points : prepared_.target_points;
    if (usable < least) return fmt::format("the {} has {} usable points; {} are needed", name, usable, least);
    const int rank = rank_of(*cloud);
    if (rank == 0) return fmt::format("all points of the {} coincide", name);
    if (rank == 1 && prepared_.dimension == 3) return fmt::format("the points of the {} lie on one line", name);
  }
  // A cloud that fits between two points of the other is near it wherever it is.
  const auto fits_between = [&](const CloudScale& own, const char* name, const CloudScale& other, const char* others) {
    if (other.spacing <= own.extent) return std::string();
    return fmt::format(
        "the {} is {:.3g} across and the points of the {} lie {:.3g} apart: are they in different units, such as "
        "metres and millimetres?",
        name, prepared_.from_local(own.extent), others, prepared_.from_local(other.spacing));
  };
  const std::string source = fits_between(prepared_.source_scale, "source", prepared_.target_scale, "target");
  return source.empty() ? fits_between(prepared_.target_scale, "target", prepared_.source_scale, "source") : source;
}

Registration RegistrationJob::begin(const std::string& method) const {
  Registration result;
  result.method = method;
  result.run = run_;
  describe_input(prepared_, *backend_, result);
  result.target_from_source = prepared_.from_local(given_.front(), model_);
  if (hopeless()) {
    result.termination = Termination::degenerate;
    result.message = reason_;
    conclude(run_, result);
    result.time_ms.prepare = result.time_ms.total = milliseconds();
  }
  return result;
}

std::vector<Problem> RegistrationJob::build(std::span<const double> voxels, const NormalsNeeded& normals,
                                            Clusters clusters) const {
  std::vector<Problem> problems;
  backend_->on_host([&] {
    problems.push_back(build_problem(prepared_, voxels, normals, *backend_, clusters));
    if (voxels.back() > 0) {  // quality is told at full resolution whatever the levels are
      const double full[] = {0.0};
      problems.push_back(build_problem(prepared_, full, normals, *backend_));
    }
  });
  return problems;
}

void RegistrationJob::place(std::vector<Problem> problems) {
  problems_ = std::move(problems);
  backend_->place(problems_);
}

Place RegistrationJob::full_resolution() const {
  if (problems_.size() > 1) return {1, 0};
  return {0, static_cast<std::uint32_t>(problems_.front().levels.size() - 1)};
}

double RegistrationJob::milliseconds() const {
  return std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
}

void RegistrationJob::set_alternatives(const Similarity3& answer, std::span<const Similarity3> poses,
                                       std::span<const Registration> evaluations, bool several,
                                       Registration& result) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < poses.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return evaluations[a].score > evaluations[b].score; });
  std::vector<Similarity3> kept{answer};
  for (const std::size_t i : order) {
    const bool is_new = std::none_of(kept.begin(), kept.end(), [&](const Similarity3& pose) {
      return difference(pose, poses[i], prepared_) < same_answer;
    });
    if (!is_new) continue;
    kept.push_back(poses[i]);
    Registration& other = result.alternatives.emplace_back(evaluations[i]);
    other.method = result.method;
    other.machine = result.machine;
    other.target_from_source = prepared_.from_local(poses[i], model_);
    conclude_alternative(run_, other);
  }
  if (!several) return;
  const double other = result.alternatives.empty() ? 0 : result.alternatives.front().score;
  result.margin = result.score > 0 ? std::clamp((result.score - other) / result.score, 0.0, 1.0) : 0.0;
}

}  // namespace dovetail
