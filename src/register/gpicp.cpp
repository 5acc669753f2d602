// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/free_space.h"
#include "register/job.h"
#include "search/gpicp_search.h"
#include "search/scores.h"
#include "search/starts.h"

namespace dovetail {

namespace {

/// Answers that ICP follows to the end, and how far their scores look, in radii.
constexpr std::size_t leaders = 8, refined = 64;
constexpr double score_radii = 0.1;
/// What a share of points that lie where a sensor looked through takes from the score, and the least share of all
/// answers at which nobody believes in the viewpoint any more.
constexpr double through_weight = 2, viewpoint_wrong = 0.15;

/// A registration by GPICP: what it works with, and its steps.
struct GpicpRun {
  const Gpicp& options;
  RegistrationJob& job;
  GpicpPlan plan;
  std::shared_ptr<const GpicpTarget> target;
  LocalCloud source;  ///< of the level that sets are drawn from

  const Level& level() const { return job.levels()[drawn_level(job.levels().size())]; }
  GpicpContext context() const {
    return {job.prepared(), plan, level(), *target, source, options.drop, {}, job.backend(), job.control()};
  }

  GpicpRun(const Gpicp& with, RegistrationJob& of)
      : options(with), job(of), plan(make_gpicp_plan(with, of.prepared(), of.run())) {
    job.make_levels(plan.voxels, plan.needs);
    if (options.scored > 0) {
      const double points = options.scored * static_cast<double>(level().source->points.count);
      plan.params.scored_points = std::max(1, static_cast<int>(points));
    }
    const RangeMap *const from = job.prepared().source_view.get(), *const onto = job.prepared().target_view.get();
    plan.placements.both_sides = from == nullptr || onto == nullptr;
    job.backend().on_host([&] {
      target = make_gpicp_target(*level().target, plan, {}, onto, {}, job.backend());
      source = oriented_source(*level().source, from, job.backend());
    });
  }

  /// Rotations about each given start, and shifts of them to every side.
  std::vector<GpicpCandidate> rotations_about_given() const {
    std::vector<GpicpCandidate> starts;
    RandomStream random(job.run().seed, 0x6770696370ull);
    const unsigned free = plan.params.free;
    for (const Similarity3& given : job.given()) {
      std::vector<Mat3> rotations{Mat3::identity()};
      const int count = static_cast<int>(plan.starts);
      if (options.starts_from == StartsFrom::rotations) rotations = spread_rotations(free, count);
      while (static_cast<int>(rotations.size()) < count) {
        if (job.prepared().dimension == 2) {
          rotations.push_back(exp_so3(Vec3{0, 0, random.uniform(-std::numbers::pi, std::numbers::pi)}));
        } else {
          rotations.push_back(random.rotation());
        }
      }
      const Vec3 center = given * job.prepared().source->centroid;
      const double shift = job.prepared().to_local(options.shift);
      for (const Mat3& turn : rotations) {
        Similarity3 pose = given;
        pose.rotation = turn * given.rotation;
        pose.translation = center + turn * (given.translation - center);
        starts.push_back({pose, 0, 0, static_cast<std::uint32_t>(starts.size())});
        for (int axis = 0; axis < (shift > 0 ? job.prepared().dimension : 0); ++axis) {
          for (const double side : {-shift, shift}) {
            Similarity3 beside = pose;
            beside.translation[axis] += side;
            starts.push_back({beside, 0, 0, static_cast<std::uint32_t>(starts.size())});
          }
        }
      }
    }
    return starts;
  }

  /// The different places where starts end, best first; the given starts take part.
  GpicpSearch search() const {
    if (options.starts_from != StartsFrom::contacts) return refine(rotations_about_given());
    GpicpSearch placed = search_placements(context(), plan.starts);
    if (placed.stopped != StopRequest::none) return placed;
    auto next = static_cast<std::uint32_t>(placed.placements);
    for (const Similarity3& given : job.given()) placed.ranked.push_back({given, 0, 0, next++});
    return refine(placed.ranked);
  }

  GpicpSearch refine(const std::vector<GpicpCandidate>& starts) const {
    std::vector<float> bends;
    if (options.drawing == Drawing::features) {
      job.backend().on_host([&] { bends = bends_of(source); });
    }
    GpicpSearch search = refine_starts(context(), starts, options.metric, bends, refined);
    if (search.ranked.empty()) search.ranked.push_back({job.given().front(), 0, 0, 0});
    rank(search.ranked);
    return search;
  }

  /// By how well the surfaces fit, and by how little lies where a sensor looked through.
  void rank(std::vector<GpicpCandidate>& candidates) const {
    std::vector<Similarity3> poses;
    for (const GpicpCandidate& c : candidates) poses.push_back(c.pose);
    const std::vector<double> scores =
        scores_of(poses, level().surfaces(), score_radii * job.prepared().source->radius, job.backend());
    std::vector<double> through(poses.size(), 0);
    for (std::size_t i = 0; i < poses.size(); ++i) through[i] = seen_through(job.prepared(), poses[i]).value_or(0);
    if (*std::min_element(through.begin(), through.end()) > viewpoint_wrong) {
      job.forget_viewpoints();
      through.assign(poses.size(), 0);
    }
    for (std::size_t i = 0; i < scores.size(); ++i) candidates[i].score = scores[i] - through_weight * through[i];
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const GpicpCandidate& a, const GpicpCandidate& b) { return a.score > b.score; });
    // What was looked through may leave even the best below 0.
    const double highest = candidates.front().score, least = highest - 0.5 * std::abs(highest);
    std::erase_if(candidates, [&](const GpicpCandidate& c) { return c.score < least; });
    if (candidates.size() > leaders) candidates.resize(leaders);
  }
};

}  // namespace

template <>
Registration register_points(const PointsView& source, const PointsView& target, const Gpicp& options, const Run& run) {
  validate(options);
  if (options.metric == Metric::plane_to_plane) {
    throw InvalidArgument("option metric: plane_to_plane; of GPICP allowed: point_to_point, point_to_plane");
  }
  RegistrationJob job(source, target, run, false);
  Registration result = job.begin("gpicp", options);
  if (job.hopeless()) return result;
  if (options.viewpoints == Viewpoints::automatic) job.look_for_viewpoints();
  GpicpRun gpicp(options, job);
  result.time_ms.prepare = job.milliseconds();
  const GpicpSearch search = gpicp.search();
  result.time_ms.loop = job.milliseconds() - result.time_ms.prepare;
  std::vector<ScoredPose> answers;
  for (const GpicpCandidate& c : search.ranked) answers.push_back({c.pose, c.score});
  Icp icp;
  icp.normal_neighbours = options.normal_neighbours;
  finish_by_icp(answers, search.stopped, icp, job, result);
  result.time_ms.total = job.milliseconds();
  return result;
}

}  // namespace dovetail
