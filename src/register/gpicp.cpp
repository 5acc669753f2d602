// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/quality.h"
#include "register/job.h"
#include "search/different.h"
#include "search/free_space.h"
#include "search/gpicp_search.h"
#include "search/icp_levels.h"
#include "search/scores.h"
#include "search/starts.h"

namespace dovetail {

namespace {

/// Answers that ICP follows to the end, and how far their scores look, in radii.
constexpr std::size_t leaders = 8, refined = 64;
/// Starts by directions that are followed by ICP's coarse levels.
constexpr std::size_t most_close = 150;
constexpr double score_radii = 0.1;
/// The least share of points that lie where a sensor looked through, of all answers, at which nobody believes in the
/// viewpoint any more.
constexpr double viewpoint_wrong = 0.15;

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
    if (placed.stopped != StopRequest::none) {
      // Stopped before any place was any good: the answer is the start, as it was given.
      if (placed.ranked.empty()) placed.ranked.push_back({job.given().front(), 0, 0, 0});
      return placed;
    }
    const GpicpSearch turned = search_directions(context(), most_close, placed.placements);
    auto next = static_cast<std::uint32_t>(placed.placements + turned.placements);
    for (const Similarity3& given : job.given()) placed.ranked.push_back({given, 0, 0, next++});
    return refine(placed.ranked, turned.ranked);
  }

  /// `close` are so near to where they lead that they need not be refined by GPICP.
  GpicpSearch refine(const std::vector<GpicpCandidate>& starts, const std::vector<GpicpCandidate>& close = {}) const {
    std::vector<float> bends;
    if (options.drawing == Drawing::features) {
      job.backend().on_host([&] { bends = bends_of(source); });
    }
    GpicpSearch search = refine_starts(context(), starts, options.metric, bends, refined);
    if (search.ranked.empty()) search.ranked.push_back({job.given().front(), 0, 0, 0});
    if (options.refine == Refinement::icp) {
      search.ranked.insert(search.ranked.end(), close.begin(), close.end());
      rank(search.ranked);
    }
    if (search.ranked.size() > leaders) search.ranked.resize(leaders);
    return search;
  }

  /// What GPICP itself came to, as it is.
  void answer(const GpicpSearch& search, Registration& result) const {
    std::vector<Similarity3> poses;
    for (const GpicpCandidate& c : search.ranked) poses.push_back(c.pose);
    const std::vector<Quality> qualities = evaluate_poses(job.prepared(), job.run(), job.backend(),
                                                          job.full_resolution(), poses, plan.params.free, job.start());
    const std::size_t best = job.best_of(poses, qualities);
    result.iterations = options.max_iterations;
    result.termination = termination_of(Status::schedule_finished, search.stopped);
    job.tell_answers(best, poses, qualities, poses.size(), true, result);
    search.stopped == StopRequest::none ? conclude_unrefined(poses[best], {}, job, result)
                                        : conclude(job.run(), result);
  }

  /// Takes candidates through the coarse levels of ICP and ranks those that end in different places by what sets them
  /// apart: walls lie on walls at most of them.
  void rank(std::vector<GpicpCandidate>& candidates) const {
    const Prepared& prepared = job.prepared();
    const IcpPlan icp = make_icp_plan({.normal_neighbours = options.normal_neighbours}, prepared);
    IcpJourney journey;
    journey.data = surfaces_of(job.levels());
    for (const GpicpCandidate& c : candidates) {
      IcpStart start = fine_start(c.pose, prepared, icp);
      start.first_level = std::min(1, icp.last_level());
      journey.states.push_back(start_state(icp, prepared, start, c.pose * prepared.source->centroid));
    }
    if (icp.last_level() > 0) run_levels(journey, icp, icp.last_level(), job.backend(), job.control());
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].pose = journey.states[i].target_from_source;
    std::vector<GpicpCandidate> different;
    keep_different(
        std::span<const GpicpCandidate>(candidates), candidates.size(),
        [&](const GpicpCandidate& a, const GpicpCandidate& b) {
          return difference(a.pose, b.pose, prepared) < same_answer;
        },
        different);
    std::vector<Similarity3> poses;
    for (const GpicpCandidate& c : different) poses.push_back(c.pose);
    const auto through = [&](const Similarity3& pose) { return seen_through(prepared, pose).value_or(0); };
    if (std::all_of(poses.begin(), poses.end(), [&](const Similarity3& p) { return through(p) > viewpoint_wrong; })) {
      job.forget_viewpoints();
    }
    const std::vector<double> distinct = job.learn_rarity(poses);
    const std::vector<double> scores =
        scores_of(poses, level().surfaces(), score_radii * prepared.source->radius, job.backend());
    std::vector<std::size_t> order(poses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distinct[a] > distinct[b]; });
    candidates.clear();
    for (const std::size_t i : order) candidates.push_back({poses[i], scores[i], 0, different[i].start});
  }
};

}  // namespace

template <>
Registration register_points(const PointsView& source, const PointsView& target, const Gpicp& options, const Run& run) {
  validate(options);
  if (options.metric == Metric::plane_to_plane) {
    throw InvalidArgument("option metric: plane_to_plane; of GPICP allowed: point_to_point, point_to_plane");
  }
  if (options.refine == Refinement::none) refuse_known_start(run, "gpicp by itself", "set refine to icp");
  RegistrationJob job(source, target, run, false);
  Registration result = job.begin("gpicp", options);
  if (job.hopeless()) return result;
  if (options.viewpoints == Viewpoints::automatic) job.look_for_viewpoints();
  GpicpRun gpicp(options, job);
  result.time_ms.prepare = job.milliseconds();
  const GpicpSearch search = gpicp.search();
  result.time_ms.loop = job.milliseconds() - result.time_ms.prepare;
  if (options.refine == Refinement::none) {
    gpicp.answer(search, result);
    result.time_ms.total = job.milliseconds();
    return result;
  }
  std::vector<ScoredPose> answers;
  for (const GpicpCandidate& c : search.ranked) answers.push_back({c.pose, c.score});
  Icp icp;
  icp.normal_neighbours = options.normal_neighbours;
  finish_by_icp(answers, search.stopped, icp, job, result);
  result.time_ms.total = job.milliseconds();
  return result;
}

}  // namespace dovetail
