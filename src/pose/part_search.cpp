// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/part_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dovetail/error.h"
#include "pose/find_parts_input.h"
#include "pose/polished_pose.h"
#include "pose/turned_poses.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

using Clock = std::chrono::steady_clock;

/// Pixels: what explains fewer says nothing, however well it fits.
constexpr std::size_t fewest_explained = 24;

}  // namespace

PartSearch::PartSearch(const RangeImage& image, const PoseDatabase& database, const FindParts& options,
                       const Work& work, Backend& backend)
    : options_(options),
      work_(work),
      database_(database),
      began_(Clock::now()),
      places_together_(backend.memory().is_host() ? 16 : 64),
      rough_search_(backend, database, options.rough) {
  double smallest = 1e300;
  for (const PoseReferences& part : database.parts()) smallest = std::min(smallest, part.edge_step);
  scene_ = prepare_scene(image, smallest);
  choice_.emplace(scene_, options.min_confidence);
  const double noise = noise_of(image, scene_);
  wanted_ = wanted_parts(database, noise);
  std::erase_if(wanted_, [&](const WantedPart& wanted) {
    const std::optional<std::string> why = why_not_to_be_told(scene_, wanted, noise);
    if (why) not_looked_for_.push_back(*why);
    return why.has_value();
  });
  if (wanted_.empty()) return;
  left_out_ = left_out_of(image, options);
  double smallest_diameter = wanted_.front().diameter, largest_diameter = 0;
  for (const WantedPart& w : wanted_) {
    smallest_diameter = std::min(smallest_diameter, w.diameter);
    largest_diameter = std::max(largest_diameter, w.diameter);
  }
  settings_ = {0.35 * smallest_diameter, 0.07 * smallest_diameter, largest_diameter};
  background_ = background_of(scene_, settings_);
  fine_scene_.emplace(backend, scene_, background_, database.cache().shapes_in(backend.memory(), database.parts()));
}

void PartSearch::run() {
  check_starts();
  if (wanted_.empty()) return;
  choice_->consider(given_starts(), [this] { return stopped(); });
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

void PartSearch::check_starts() const {
  for (const PartStart& start : options_.start) {
    if (std::ranges::none_of(database_.parts(), [&](const PoseReferences& p) { return p.name == start.part; })) {
      throw InvalidArgument(fmt::format("start: '{}' is not allowed; allowed: a part of the database", start.part));
    }
  }
}

std::vector<PartCandidate> PartSearch::given_starts() const {
  std::vector<PartCandidate> candidates;
  for (const PartStart& start : options_.start) {
    PartCandidate candidate;
    for (const WantedPart& wanted : wanted_) {
      if (wanted.part->name == start.part) candidate.wanted = &wanted;
    }
    if (!candidate.wanted) continue;  // it cannot be told in this image
    candidate.pose = start.camera_from_part.as<Rigid3>();
    candidates.push_back(std::move(candidate));
  }
  constexpr std::size_t most_points = 400;
  const std::vector<FinePose> refined = refine_visible(
      *fine_scene_, candidates, most_points,
      [](const WantedPart& w) {
        return FineSettings{0.1 * w.diameter, 0.02 * w.diameter, 20, 0};
      },
      control());
  if (refined.size() != candidates.size()) return {};
  for (std::size_t i = 0; i < refined.size(); ++i) candidates[i].pose = refined[i].pose;
  verify_and_polish(*fine_scene_, candidates, control());
  leave_out(candidates);
  return candidates;
}

void PartSearch::leave_out(std::vector<PartCandidate>& candidates) const {
  std::erase_if(candidates, [&](const PartCandidate& c) {
    const auto out = std::count_if(c.explains.begin(), c.explains.end(), [&](std::size_t i) { return left_out_[i]; });
    return c.explains.size() < fewest_explained || 2 * static_cast<std::size_t>(out) > c.explains.size();
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
  for (std::size_t i = 0; i < starts.size() && !stopped(); i += places_together_) {
    const std::size_t count = std::min(places_together_, starts.size() - i);
    look_about(std::span(starts).subspan(i, count));
    std::vector<PartCandidate> some = candidates_about(round);
    std::move(some.begin(), some.end(), std::back_inserter(candidates));
    if (work_.on_progress) {
      const double share = static_cast<double>(i + count) / static_cast<double>(starts.size());
      work_.on_progress((round + share) / options_.rounds);
    }
  }
  add_turned(candidates);
  leave_out(candidates);
  // All of them before any is taken: a wrong pose often explains most of what the right one does.
  choice_->consider(std::move(candidates), [this] { return stopped(); });
}

void PartSearch::add_turned(std::vector<PartCandidate>& candidates) const {
  keep_likeliest(candidates);
  constexpr double least = -2;  // log-odds: what is less likely than this will not be taken
  const auto likely =
      std::count_if(candidates.begin(), candidates.end(), [](const PartCandidate& c) { return c.log_odds > least; });
  std::vector<PartCandidate> turned =
      turned_poses(*fine_scene_, std::span(candidates).first(static_cast<std::size_t>(likely)), control());
  std::move(turned.begin(), turned.end(), std::back_inserter(candidates));
}

void PartSearch::look_about(std::span<const SceneStart> starts) {
  windows_.resize(starts.size() * wanted_.size());
  std::vector<RoughSearch::Job> jobs(windows_.size());
  parallel_for(windows_.size(), 1, [&](std::size_t i) {
    const PoseReferences& part = *wanted_[i % wanted_.size()].part;
    windows_[i] = window_about(scene_, starts[i / wanted_.size()], 2 * part.image_size, part.pixel, part.edge_step,
                               part.distance_limit);
    jobs[i] = {wanted_[i % wanted_.size()].index, &windows_[i]};
  });
  rough_ = rough_search_.run(jobs, control());
}

Control PartSearch::control() const {
  Control control;
  control.cancel = work_.cancel;
  if (options_.time_limit_ms > 0) {
    control.deadline = began_ + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double, std::milli>(options_.time_limit_ms));
  }
  return control;
}

std::vector<std::vector<PartCandidate>> PartSearch::refined_about(std::size_t effort) {
  std::vector<ReferencePose> poses;
  for (std::size_t job = 0; job < windows_.size(); ++job) {
    const WantedPart& wanted = wanted_[job % wanted_.size()];
    const double diameter = wanted.diameter;
    std::vector<RoughPose>& rough = rough_[job];
    rough.resize(std::min(rough.size(), effort * static_cast<std::size_t>(options_.refined)));
    for (const RoughPose& pose : rough) {
      poses.push_back({&wanted,
                       pose.reference,
                       pose_of(pose, windows_[job], *wanted.part),
                       {0.06 * diameter, 0.02 * diameter, 15, 0.03 * diameter}});
    }
  }
  const std::vector<FinePose> refined = refine_references(*fine_scene_, poses, control());
  std::vector<std::vector<PartCandidate>> candidates(windows_.size());
  if (refined.size() != poses.size()) return candidates;
  std::size_t next = 0;
  for (std::size_t job = 0; job < windows_.size(); ++job) {
    for (std::size_t i = 0; i < rough_[job].size(); ++i, ++next) {
      constexpr double hopeless = 0.3;
      if (refined[next].verdict.worth() < hopeless) continue;
      PartCandidate& candidate = candidates[job].emplace_back();
      candidate.wanted = poses[next].wanted;
      candidate.pose = refined[next].pose;
      candidate.worth = refined[next].verdict.worth();
    }
  }
  return candidates;
}

std::vector<PartCandidate> PartSearch::candidates_about(int round) {
  // What the first round could not tell is worth a closer look, and few places are left.
  const std::size_t effort = round == 0 ? 1 : 3;
  std::vector<std::vector<PartCandidate>> refined = refined_about(effort);
  constexpr std::size_t most_verified = 6;
  parallel_for(refined.size(), 1, [&](std::size_t job) { keep_different(refined[job], effort * most_verified); });
  std::vector<PartCandidate> candidates;
  for (auto& some : refined) std::move(some.begin(), some.end(), std::back_inserter(candidates));
  verify_and_polish(*fine_scene_, candidates, control());
  std::erase_if(candidates, [](const PartCandidate& c) { return c.explains.empty(); });
  return candidates;
}

}  // namespace dovetail::pose
