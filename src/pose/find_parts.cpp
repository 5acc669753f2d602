// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "dovetail/options.h"
#include "dovetail/workspace.h"
#include "pose/fine_pose.h"
#include "pose/found_parts.h"
#include "pose/part_choice.h"
#include "pose/polished_pose.h"
#include "pose/rough_search.h"
#include "pose/turned_poses.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace pose;

/// How much a depth scatters: half of the measured pixels are less than two thirds of it from their neighbours' median.
double noise_of(const RangeImage& image, const RangeScene& scene) {
  std::vector<float> off;
  for (std::size_t i = 0; i < image.depth.size(); ++i) {
    if (image.depth[i] > 0 && scene.depth[i] > 0) off.push_back(std::fabs(image.depth[i] - scene.depth[i]));
  }
  if (off.empty()) return 0;
  const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
  std::nth_element(off.begin(), middle, off.end());
  return 1.5 * static_cast<double>(*middle);
}

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

void check(const RangeImage& image, const PoseDatabase& database, const FindParts& options) {
  const DepthCamera& camera = image.camera;
  if (!(camera.fx > 0) || !(camera.fy > 0) || !std::isfinite(camera.fx) || !std::isfinite(camera.fy)) {
    throw InvalidArgument(fmt::format(
        "image: camera: fx {} and fy {} are not allowed; allowed: focal lengths more than 0", camera.fx, camera.fy));
  }
  if (camera.width < 3 || camera.height < 3) {
    throw InvalidArgument(fmt::format("image: camera: {} x {} pixels are not allowed; allowed: 3 and more each",
                                      camera.width, camera.height));
  }
  const std::size_t pixels = static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height);
  if (image.depth.size() != pixels) {
    throw InvalidArgument(fmt::format("image: {} depths for the {} x {} pixels of its camera; one each is needed",
                                      image.depth.size(), camera.width, camera.height));
  }
  if (!options.mask.empty() && options.mask.size() != pixels) {
    throw InvalidArgument(
        fmt::format("mask: {} pixels; the image has {} x {}", options.mask.size(), camera.width, camera.height));
  }
  if (const auto& box = options.region) {
    const PixelRegion inside =
        common({box->left, box->top, box->width, box->height}, {0, 0, camera.width, camera.height});
    if (box->width < 1 || box->height < 1 || inside.empty()) {
      throw InvalidArgument(fmt::format("region: {} x {} pixels from ({}, {}) on; the image has {} x {}", box->width,
                                        box->height, box->left, box->top, camera.width, camera.height));
    }
  }
  for (int a = 0; options.reach && a < 3; ++a) {
    if (options.reach->low[a] < options.reach->high[a]) continue;
    throw InvalidArgument(fmt::format("reach: from {:.6g} to {:.6g} along {}; the second must be larger",
                                      options.reach->low[a], options.reach->high[a], "xyz"[a]));
  }
  if (database.parts().empty()) throw InvalidArgument("database: has no parts");
}

/// 1 for the pixels in which nothing is looked for.
std::vector<std::uint8_t> left_out_of(const RangeImage& image, const FindParts& options) {
  std::vector<std::uint8_t> left_out(image.depth.size(), 0);
  const PixelRegion region = options.region ? PixelRegion{options.region->left, options.region->top,
                                                          options.region->width, options.region->height}
                                            : PixelRegion{0, 0, image.camera.width, image.camera.height};
  std::size_t at = 0;
  for (int y = 0; y < image.camera.height; ++y) {
    for (int x = 0; x < image.camera.width; ++x, ++at) {
      left_out[at] = !region.contains(x, y) || (!options.mask.empty() && !options.mask[at]);
    }
  }
  return left_out;
}

/// The search of one image.
class Search {
 public:
  Search(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work,
         Backend& backend)
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
    settings_ = {0.35 * smallest_diameter, 0.07 * smallest_diameter, 1.6 * largest_diameter};
    background_ = background_of(scene_, settings_);
    choice_.emplace(scene_, options.min_confidence);
  }

  void run() {
    choice_->consider(given_starts());
    for (int round = 0; round < options_.rounds && !stopped(); ++round) {
      const std::size_t before = choice_->found().size();
      search_round(round);
      if (choice_->found().size() == before) break;
    }
  }

  bool stopped() const {
    return (work_.cancel && *work_.cancel) ||
           (options_.time_limit_ms > 0 && milliseconds_since(began_) > options_.time_limit_ms);
  }
  const RangeScene& scene() const { return scene_; }
  const std::vector<WantedPart>& wanted() const { return wanted_; }
  const PartChoice& choice() const { return *choice_; }

 private:
  /// Those that the caller gave, refined.
  std::vector<PartCandidate> given_starts() const {
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

  /// Those that do not mostly lie where parts are looked for.
  void leave_out(std::vector<PartCandidate>& candidates) const {
    std::erase_if(candidates, [&](const PartCandidate& c) {
      const auto out = std::count_if(c.explains.begin(), c.explains.end(), [&](std::size_t i) { return left_out_[i]; });
      return c.explains.empty() || 2 * static_cast<std::size_t>(out) > c.explains.size();
    });
  }

  void search_round(int round) {
    std::vector<std::uint8_t> no_start = left_out_;
    for (std::size_t i = 0; i < no_start.size(); ++i) no_start[i] |= choice_->taken()[i];
    std::vector<SceneStart> starts = scene_starts(scene_, no_start, settings_);
    if (options_.starts > 0 && starts.size() > static_cast<std::size_t>(options_.starts)) {
      starts.resize(static_cast<std::size_t>(options_.starts));
    }
    std::vector<PartCandidate> candidates;
    for (std::size_t i = 0; i < starts.size() && !stopped(); ++i) {
      const std::size_t place = i % places_together;
      if (place == 0) look_about(std::span(starts).subspan(i, std::min(places_together, starts.size() - i)));
      for (const WantedPart& wanted : wanted_) add_candidates(wanted, place, round, candidates);
      if (work_.on_progress) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(starts.size());
        work_.on_progress((round + share) / options_.rounds);
      }
    }
    add_turned(candidates);
    leave_out(candidates);
    // All of them before any is taken: a wrong pose often explains most of what the right one does.
    choice_->consider(std::move(candidates));
  }

  /// What may as well be another way round is looked at that way too.
  void add_turned(std::vector<PartCandidate>& candidates) const {
    keep_likeliest(candidates);
    constexpr double least = -2;  // log-odds: what is less likely than this will not be taken
    const auto likely =
        std::count_if(candidates.begin(), candidates.end(), [](const PartCandidate& c) { return c.log_odds > least; });
    std::vector<std::vector<PartCandidate>> turned(static_cast<std::size_t>(likely));
    parallel_for(turned.size(), 1,
                 [&](std::size_t i) { turned[i] = turned_poses(scene_, background_, candidates[i]); });
    for (std::vector<PartCandidate>& some : turned) std::move(some.begin(), some.end(), std::back_inserter(candidates));
  }

  /// The windows and rough poses of all parts about some places, at once.
  void look_about(std::span<const SceneStart> starts) {
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
    rough_ = rough_search_.run(jobs, control);
  }

  /// The best poses of a part about the place of this number among those that were looked at last.
  void add_candidates(const WantedPart& wanted, std::size_t place, int round, std::vector<PartCandidate>& to) {
    const PoseReferences& part = *wanted.part;
    const std::size_t job = place * wanted_.size() + wanted.index;
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
    std::move(refined.begin(), refined.end(), std::back_inserter(to));
  }

  /// Of a reference, in the part's frame.
  static std::vector<Vec3> points_of(const WantedPart& wanted, std::size_t reference) {
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

  const FindParts& options_;
  const Work& work_;
  Clock::time_point began_;
  RangeScene scene_;
  std::vector<WantedPart> wanted_;
  std::vector<std::uint8_t> left_out_, background_;
  StartSettings settings_;
  std::optional<PartChoice> choice_;
  static constexpr std::size_t places_together = 16;
  RoughSearch rough_search_;
  std::vector<SceneWindow> windows_;           // of the places that are looked at together, part by part
  std::vector<std::vector<RoughPose>> rough_;  // likewise
};

}  // namespace

Found find_parts(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work) {
  validate(options);
  check(image, database, options);
  const auto began = Clock::now();
  Found found;
  std::optional<Workspace> own;
  if (options.workspace == nullptr) own.emplace(options.machine, options.device, work.threads);
  const Workspace& workspace = options.workspace != nullptr ? *options.workspace : *own;
  found.machine = workspace.machine_name();
  found.build = build_info().compiler;
  found.version = build_info().version;
  FindParts used = options;
  used.workspace = nullptr;  // it may be gone when somebody looks
  found.part_options = std::make_shared<const FindParts>(std::move(used));
  Threads(work.threads).execute([&] {
    Search search(image, database, options, work, workspace.backend());
    tell_sizes(search.scene(), search.wanted(), found);
    found.time_ms.prepare = milliseconds_since(began);
    const auto searching = Clock::now();
    search.run();
    found.time_ms.search = milliseconds_since(searching);
    found.stopped = search.stopped();
    tell_parts(search.choice(), options, found);
  });
  if (found.stopped) found.message += "; the search was stopped before its end";
  found.time_ms.total = milliseconds_since(began);
  return found;
}

}  // namespace dovetail
