// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/point_rank.h"
#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/confidence.h"
#include "judge/distinction.h"
#include "judge/margin.h"
#include "judge/quality.h"
#include "search/different.h"

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

/// Answers whose log-odds differ by less are about as likely.
constexpr double as_likely = 1;
/// A source whose extent is less than so much of the target's is a part of what the target shows.
constexpr double small_part = 0.5;

Clock::time_point checked_start(const PointsView& source, const Run& run, bool estimate_scale) {
  validate(run);
  if (run.start) check_pose(*run.start, source.dimension, estimate_scale);
  for (const Transform& pose : run.starts) check_pose(pose, source.dimension, estimate_scale);
  check_known_start(run, source.dimension, estimate_scale);
  return Clock::now();
}

}  // namespace

Control control_of(const Run& run, Clock::time_point began) {
  Control control;
  if (run.time_limit_ms > 0) {
    control.deadline = began + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double, std::milli>(run.time_limit_ms));
  }
  control.cancel = run.cancel;
  return control;
}

RegistrationJob::RegistrationJob(const PointsView& source, const PointsView& target, const Run& run,
                                 bool estimate_scale)
    : run_(run),
      began_(checked_start(source, run, estimate_scale)),
      backend_(run),
      estimate_scale_(estimate_scale),
      model_(source.dimension == 2 ? (estimate_scale ? Model::similarity2 : Model::rigid2)
                                   : (estimate_scale ? Model::similarity3 : Model::rigid3)) {
  const HostPoints from(source, "source", *backend_), to(target, "target", *backend_);
  backend_->on_host([&] { prepared_ = prepare_clouds(from.view(), to.view(), run); });
  control_ = control_of(run, began_);
  given_ = given_starts();
  start_ = first_start(run, prepared_, given_.front());
  reason_ = why_hopeless();
}

std::vector<Similarity3> RegistrationJob::given_starts() const {
  const Model rigid = prepared_.dimension == 2 ? Model::rigid2 : Model::rigid3;
  std::vector<Similarity3> starts;
  if (run_.start || run_.starts.empty() || run_.start_at_centroid) {
    Similarity3 first = prepared_.to_local(run_.start.value_or(Transform::identity(rigid)));
    if (run_.start_at_centroid) first.translation += prepared_.target->centroid - first * prepared_.source->centroid;
    starts.push_back(first);
  }
  for (const Transform& pose : run_.starts) starts.push_back(prepared_.to_local(pose));
  return starts;
}

namespace {

/// The rank a cloud has as a set of points: 0 all equal, 1 on a line, 2 in a plane, 3.
int rank_of(const LocalCloud& cloud) {
  const auto at = [&](std::size_t i) { return Vec3{double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}}; };
  // Float coordinates of local size one: what is thinner than their rounding is flat.
  return point_rank<3>(cloud.size(), at, 1, [](double) { return std::pow(4e-7, 2); });
}

}  // namespace

std::string RegistrationJob::why_hopeless() const {
  for (const auto& [cloud, name] : {std::pair{prepared_.source.get(), "source"}, {prepared_.target.get(), "target"}}) {
    const std::size_t least = prepared_.dimension == 2 ? 2 : 3;
    if (cloud->usable < least) {
      return fmt::format("the {} has {} usable points; {} are needed", name, cloud->usable, least);
    }
    const int rank = rank_of(cloud->points);
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
  const std::string source = fits_between(prepared_.source->scale, "source", prepared_.target->scale, "target");
  return source.empty() ? fits_between(prepared_.target->scale, "target", prepared_.source->scale, "source") : source;
}

Registration begun(const std::string& method, const MethodOptions& options, const Run& run, const Backend& backend) {
  const BuildInfo build = build_info();
  Registration result;
  result.method = method;
  result.options = options;
  result.run = run;
  result.message.clear();
  result.version = build.version;
  result.machine = backend.name();
  result.build = fmt::format("{}, {}", build.compiler, backend.arithmetic());
  return result;
}

void describe_input(const Prepared& prepared, Registration& result) {
  const PreparedCloud &source = *prepared.source, &target = *prepared.target;
  result.points.source = source.usable;
  result.points.target = target.usable;
  result.points.dropped_non_finite = source.dropped_non_finite + target.dropped_non_finite;
  result.points.dropped_at_origin = source.dropped_at_origin + target.dropped_at_origin;
  const std::size_t all = source.usable + target.usable, merged = all - source.points.size() - target.points.size();
  if (merged * 100 > all) {
    result.warnings.push_back(fmt::format("{} points lie exactly where another one does; they count once", merged));
  }
  const double extent = prepared.from_local(source.scale.extent), other = prepared.from_local(target.scale.extent);
  if (extent > 0 && other > 0 && std::max(extent / other, other / extent) > 300) {
    result.warnings.push_back(
        fmt::format("the source is {:.3g} across and the target {:.3g}: are they in different units, such as metres "
                    "and millimetres?",
                    extent, other));
  }
}

Registration RegistrationJob::begin(const std::string& method, const MethodOptions& options) const {
  Registration result = begun(method, options, run_, *backend_);
  describe_input(prepared_, result);
  result.target_from_source = prepared_.from_local(given_.front(), model_);
  if (hopeless()) {
    result.termination = Termination::degenerate;
    result.message = reason_;
    conclude(run_, result);
    result.time_ms.prepare = result.time_ms.total = milliseconds();
  }
  return result;
}

void RegistrationJob::make_levels(std::span<const double> voxels, const LevelNeeds& needs) {
  backend_->on_host([&] {
    levels_ = dovetail::make_levels(prepared_, voxels, needs, *backend_);
    full_ = levels_.back();
    if (voxels.back() > 0) {  // quality is told at full resolution whatever the levels are
      const double full[] = {0.0};
      LevelNeeds without_clusters = needs;
      without_clusters.clusters = LevelNeeds::Clusters::none;
      full_ = dovetail::make_levels(prepared_, full, without_clusters, *backend_).front();
    }
  });
}

void RegistrationJob::look_for_viewpoints() {
  if (prepared_.dimension != 3) return;
  // A thing that is small beside what it is looked for in is a model, or was cut out of a scan: where its frame's
  // origin lies tells nothing, and as of any piece of a surface all of it may seem to be seen from there.
  const bool is_part = prepared_.source->scale.extent < small_part * prepared_.target->scale.extent;
  backend_->on_host([&] {
    if (!is_part) prepared_.source_view = view_from_origin(*prepared_.source, prepared_.scale);
    prepared_.target_view = view_from_origin(*prepared_.target, prepared_.scale);
  });
}

void RegistrationJob::forget_viewpoints() { prepared_.source_view = prepared_.target_view = nullptr; }

std::vector<double> RegistrationJob::learn_rarity(std::span<const Similarity3> poses) {
  RarityAmong among = rarity_among(prepared_, full_, poses, *backend_);
  prepared_.rarity = among.rarity;
  return std::move(among.distinctions);
}

double RegistrationJob::milliseconds() const {
  return std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
}

std::size_t RegistrationJob::best_of(std::span<const Similarity3> poses, std::span<const Quality> qualities) const {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Quality& q : qualities) highest = std::max(highest, q.log_odds);
  std::size_t best = poses.size();
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (qualities[i].log_odds < highest - as_likely) continue;
    if (i > 0 && difference(poses[i], poses[0], prepared_) < same_answer) continue;  // the first has come farther
    const auto from_start = [&](std::size_t k) { return difference(poses[k], given_.front(), prepared_); };
    if (best == poses.size() || from_start(i) < from_start(best)) best = i;
  }
  return best == poses.size() ? 0 : best;
}

void RegistrationJob::tell_answers(std::size_t best, std::span<const Similarity3> poses,
                                   std::span<const Quality> qualities, std::size_t count, bool several,
                                   Registration& result) const {
  std::vector<std::size_t> others, kept{best};
  for (std::size_t i = 0; i < count; ++i) {
    if (i != best) others.push_back(i);
  }
  const auto better = [&](std::size_t a, std::size_t b) {
    if (qualities[a].log_odds == qualities[b].log_odds) return qualities[a].score > qualities[b].score;
    return qualities[a].log_odds > qualities[b].log_odds;
  };
  const auto same = [&](std::size_t a, std::size_t b) {
    return difference(poses[a], poses[b], prepared_) < same_answer;
  };
  kept = best_different(others, count + 1, better, same, kept);
  std::vector<Quality> answers;
  for (const std::size_t i : kept) answers.push_back(qualities[i]);
  tell_confidence(calibration_of(prepared_), answers, several && count > 0);  // a stopped run has looked for none
  result.target_from_source = prepared_.from_local(poses[best], model_);
  static_cast<Quality&>(result) = answers.front();
  double next = 0;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    add_alternative(prepared_.from_local(poses[kept[i]], model_), answers[i], result);
    next = std::max(next, answers[i].score);
  }
  if (several) result.margin = margin_of(result.score, next);
}

}  // namespace dovetail
