// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/part_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dovetail/error.h"
#include "pose/find_parts_input.h"
#include "pose/fine_pose.h"
#include "pose/polished_pose.h"
#include "pose/turned_poses.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

using Clock = std::chrono::steady_clock;

/// Of a reference, in the part's frame.
std::vector<Vec3> points_of(const WantedPart& wanted, std::size_t reference) {
  const PoseReferences& part = *wanted.part;
  const double* const q = part.references[reference].orientation;
  const Mat3 part_from_view = transpose(matrix_from_quaternion(Quaternion<double>{q[0], q[1], q[2], q[3]}));
  std::vector<Vec3> points;
  for (const ReferenceSample::Pixel& p : wanted.samples[reference].pixels) {
    points.push_back(part.center + part_from_view * Vec3{part.pixel * static_cast<double>(p.x),
                                                         part.pixel * static_cast<double>(p.y),
                                                         static_cast<double>(p.depth)});
  }
  return points;
}

}  // namespace

PartSearch::PartSearch(const RangeImage& image, const PoseDatabase& database, const FindParts& options,
                       const Work& work, Backend& backend)
    : options_(options), work_(work), began_(Clock::now()), rough_search_(backend, database, options.rough) {
  double smallest = 1e300;
  for (const PoseReferences& part : database.parts()) smallest = std::min(smallest, part.edge_step);
  scene_ = prepare_scene(image, smallest);
  wanted_ = wanted_parts(database, noise_of(image, scene_));
  left_out_ = left_out_of(image, options);
  double smallest_diameter = wanted_.front().diameter, largest_diameter = 0;
  for (const WantedPart& w : wanted_) {
    smallest_diameter = std::min(smallest_diameter, w.diameter);
    largest_diameter = std::max(largest_diameter, w.diameter);
  }
  settings_ = {0.35 * smallest_diameter, 0.07 * smallest_diameter, largest_diameter};
  background_ = background_of(scene_, settings_);
  choice_.emplace(scene_, options.min_confidence);
}

void PartSearch::run() {
  choice_->consider(given_starts());
  for (int round = 0; round < options_.rounds && !stopped(); ++round) {
    const std::size_t before = choice_->found().size();
    search_round(round);
    if (choice_->found().size() == before) break;
  }
}

bool PartSearch::stopped() const {
  return (work_.cancel && *work_.cancel) ||
         (options_.time_limit_ms > 0 &&
          std::chrono::duration<double, std::milli>(Clock::now() - began_).count() > options_.time_limit_ms);
}

std::vector<PartCandidate> PartSearch::given_starts() const {
  std::vector<PartCandidate> candidates;
  for (const PartStart& start : options_.start) {
    PartCandidate candidate;
    for (const WantedPart& wanted : wanted_) {
      if (wanted.part->name == start.part) candidate.wanted = &wanted;
    }
    if (!candidate.wanted) {
      throw InvalidArgument(fmt::format("start: '{}' is not allowed; allowed: a part of the database", start.part));
    }
    candidate.pose = start.camera_from_part.as<Rigid3>();
    candidates.push_back(std::move(candidate));
  }
  parallel_for(candidates.size(), 1, [&](std::size_t i) {
    PartCandidate& candidate = candidates[i];
    const WantedPart& wanted = *candidate.wanted;
    const Verdict first = verify(scene_, wanted.mesh, candidate.pose, wanted.tolerance);
    constexpr std::size_t most_points = 400;
    const std::vector<Vec3> points = visible_points(scene_, first, candidate.pose, most_points);
    candidate.pose = refine(scene_, points, candidate.pose, {0.1 * wanted.diameter, 0.02 * wanted.diameter, 20});
    verify_and_polish(scene_, background_, candidate);
  });
  leave_out(candidates);
  return candidates;
}

void PartSearch::leave_out(std::vector<PartCandidate>& candidates) const {
  std::erase_if(candidates, [&](const PartCandidate& c) {
    const auto out = std::count_if(c.explains.begin(), c.explains.end(), [&](std::size_t i) { return left_out_[i]; });
    return c.explains.empty() || 2 * static_cast<std::size_t>(out) > c.explains.size();
  });
}

void PartSearch::search_round(int round) {
  std::vector<std::uint8_t> no_start = left_out_;
  for (std::size_t i = 0; i < no_start.size(); ++i) no_start[i] |= choice_->taken()[i];
  std::vector<SceneStart> starts = scene_starts(scene_, no_start, background_, settings_);
  if (options_.starts > 0 && starts.size() > static_cast<std::size_t>(options_.starts)) {
    starts.resize(static_cast<std::size_t>(options_.starts));
  }
  std::vector<PartCandidate> candidates;
  for (std::size_t i = 0; i < starts.size() && !stopped(); i += places_together) {
    const std::size_t count = std::min(places_together, starts.size() - i);
    look_about(std::span(starts).subspan(i, count));
    std::vector<std::vector<PartCandidate>> of_job(windows_.size());
    parallel_for(of_job.size(), 1, [&](std::size_t job) {
      if (!stopped()) of_job[job] = candidates_of(job, round);
    });
    for (auto& some : of_job) std::move(some.begin(), some.end(), std::back_inserter(candidates));
    if (work_.on_progress) {
      const double share = static_cast<double>(i + count) / static_cast<double>(starts.size());
      work_.on_progress((round + share) / options_.rounds);
    }
  }
  add_turned(candidates);
  leave_out(candidates);
  // All of them before any is taken: a wrong pose often explains most of what the right one does.
  choice_->consider(std::move(candidates));
}

void PartSearch::add_turned(std::vector<PartCandidate>& candidates) const {
  keep_likeliest(candidates);
  constexpr double least = -2;  // log-odds: what is less likely than this will not be taken
  const auto likely =
      std::count_if(candidates.begin(), candidates.end(), [](const PartCandidate& c) { return c.log_odds > least; });
  std::vector<std::vector<PartCandidate>> turned(static_cast<std::size_t>(likely));
  parallel_for(turned.size(), 1, [&](std::size_t i) { turned[i] = turned_poses(scene_, background_, candidates[i]); });
  for (std::vector<PartCandidate>& some : turned) std::move(some.begin(), some.end(), std::back_inserter(candidates));
}

void PartSearch::look_about(std::span<const SceneStart> starts) {
  windows_.resize(starts.size() * wanted_.size());
  std::vector<RoughSearch::Job> jobs(windows_.size());
  parallel_for(windows_.size(), 1, [&](std::size_t i) {
    const PoseReferences& part = *wanted_[i % wanted_.size()].part;
    windows_[i] = window_about(scene_, starts[i / wanted_.size()], 2 * part.image_size, part.pixel, part.edge_step,
                               part.distance_limit);
    jobs[i] = {i % wanted_.size(), &windows_[i]};
  });
  Control control;
  control.cancel = work_.cancel;
  if (options_.time_limit_ms > 0) {
    control.deadline = began_ + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double, std::milli>(options_.time_limit_ms));
  }
  rough_ = rough_search_.run(jobs, control);
}

std::vector<PartCandidate> PartSearch::candidates_of(std::size_t job, int round) {
  const WantedPart& wanted = wanted_[job % wanted_.size()];
  const PoseReferences& part = *wanted.part;
  const SceneWindow& window = windows_[job];
  std::vector<RoughPose>& rough = rough_[job];
  // What the first round could not tell is worth a closer look, and few places are left.
  const std::size_t effort = round == 0 ? 1 : 3;
  rough.resize(std::min(rough.size(), effort * static_cast<std::size_t>(options_.refined)));
  std::vector<PartCandidate> refined(rough.size());
  parallel_for(rough.size(), 1, [&](std::size_t i) {
    const std::vector<Vec3> points = points_of(wanted, rough[i].reference);
    PartCandidate& candidate = refined[i];
    candidate.wanted = &wanted;
    candidate.pose =
        refine(scene_, points, pose_of(rough[i], window, part), {0.06 * wanted.diameter, 0.02 * wanted.diameter, 15});
    candidate.worth = judge_points(scene_, points, candidate.pose, 0.03 * wanted.diameter).worth();
  });
  constexpr double hopeless = 0.3;
  std::erase_if(refined, [](const PartCandidate& c) { return c.worth < hopeless; });
  constexpr std::size_t most_verified = 6;
  keep_different(refined, effort * most_verified);
  parallel_for(refined.size(), 1, [&](std::size_t i) { verify_and_polish(scene_, background_, refined[i]); });
  std::erase_if(refined, [](const PartCandidate& c) { return c.explains.empty(); });
  return refined;
}

}  // namespace dovetail::pose
