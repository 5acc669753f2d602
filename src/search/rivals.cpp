// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/rivals.h"

#include <algorithm>

#include "search/different.h"
#include "search/rival_poses.h"
#include "search/scores.h"

namespace dovetail {

namespace {

/// Points of the source that tell whether a pose is worth following at a coarse level.
constexpr std::size_t coarse_points = 96, middle_points = 1000;
/// How wide the kernel begins and ends at the coarsest level, in radii.
constexpr double widest = 0.3, narrow = 0.1;

/// A round of the race: those of the best go on that are so far apart and as good as a part of the answer.
struct Round {
  double part;
  double apart;
  std::size_t most;
};
constexpr Round tried{0.4, 0.25, 14}, nudged{0.55, 0.2, 6}, followed{0.75, same_answer, 4},
    arrived{0.85, same_answer, 3};
constexpr int nudges = 3, narrowing = 5, settling = 3;  ///< iterations

/// A level with fewer points of the source, evenly out of all.
class Thinned {
 public:
  Thinned(const SurfacePair& level, std::size_t most, Backend& backend) : pair(level) {
    CloudView& cloud = pair.source;
    if (cloud.count <= most) return;
    Memory& memory = backend.memory();
    const auto thin = [&]<class T>(const T*& values) {
      if (values == nullptr) return;
      const std::vector<T> all = memory.get(values, level.source.count);
      std::vector<T> some;
      for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
      values = memory.copy(std::span<const T>(some), keeper_);
    };
    for (const float** values :
         {&cloud.x, &cloud.y, &cloud.z, &cloud.normal.x, &cloud.normal.y, &cloud.normal.z, &cloud.weight}) {
      thin(*values);
    }
    cloud.count = static_cast<std::uint32_t>(most);
  }

  SurfacePair pair;

 private:
  Keeper keeper_;
};

/// The answer, which stands first, and those that may rival it.
class Race {
 public:
  Race(const IcpContext& context, const Similarity3& answer) : context_(context) {
    add(answer);
    for (const Similarity3& pose : poses_of_rivals(context, answer)) add(pose);
  }

  std::vector<IcpCandidate> candidates;

  void score(const SurfacePair& pair, double radii) {
    std::vector<Similarity3> poses;
    for (const IcpCandidate& c : candidates) poses.push_back(c.pose);
    const auto scores = scores_of(poses, pair, radii * context_.prepared.source->radius, context_.backend);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].score = scores[i];
  }

  void keep(const Round& round) {
    const IcpCandidate first = candidates.front();
    std::erase_if(candidates, [&](const IcpCandidate& c) { return c.score < round.part * first.score; });
    const auto better = [](const IcpCandidate& a, const IcpCandidate& b) { return a.score > b.score; };
    const auto close = [&](const IcpCandidate& a, const IcpCandidate& b) {
      return difference(a.pose, b.pose, context_.prepared) < round.apart;
    };
    candidates = best_different(candidates, 1 + round.most, better, close, {first});
  }

  /// All but the answer through the levels of a plan, from the first level of their starts on; false: stopped, or
  /// nobody is left. The answer has arrived.
  bool run(const IcpPlan& plan, std::span<const SurfacePair> levels, int end) {
    if (candidates.size() == 1) return false;
    IcpJourney journey;
    journey.data.assign(levels.begin(), levels.end());
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      const IcpCandidate& c = candidates[i];
      journey.states.push_back(
          start_state(plan, context_.prepared, c.start, c.start.pose * context_.prepared.source->centroid));
    }
    run_levels(journey, plan, end, context_.backend, context_.control);
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      candidates[i].pose = candidates[i].start.pose = journey.states[i - 1].target_from_source;
    }
    return journey.stopped == StopRequest::none;
  }

 private:
  void add(const Similarity3& pose) { candidates.push_back({{.pose = pose}, pose, pose, 0}); }

  const IcpContext& context_;
};

/// A plan whose coarsest level goes from one kernel to another in so many iterations, and then stays for a few.
IcpPlan coarse_plan(const IcpPlan& plan, double first_scale, double last_scale, int anneal, int stay) {
  IcpPlan shorter = plan;
  icp::LevelPlan& level = shorter.params.level[0];
  level.first_scale = first_scale;
  level.last_scale = last_scale;
  if (anneal == 0) level.last_flatness = level.first_flatness;
  level.anneal = anneal;
  level.max_iterations = anneal + stay;
  return shorter;
}

}  // namespace

std::vector<IcpCandidate> rivals_of(const IcpContext& context, const Similarity3& answer) {
  const Prepared& prepared = context.prepared;
  const double radius = prepared.source->radius;
  std::vector<SurfacePair> levels(context.levels.begin(), context.levels.end());
  const Thinned coarse(levels[0], coarse_points, context.backend);
  levels[0] = coarse.pair;
  Race race(context, answer);
  race.score(levels[0], widest);
  race.keep(tried);
  if (!race.run(coarse_plan(context.plan, widest * radius, widest * radius, 0, nudges), levels, 1)) return {};
  race.score(levels[0], 0.2);
  race.keep(nudged);
  levels[0] = context.levels[0];
  if (!race.run(coarse_plan(context.plan, widest * radius, narrow * radius, narrowing, settling), levels, 1)) return {};
  race.score(levels[0], 0.2);
  race.keep(followed);
  // Through the levels before the last, where all points are; there only those go on that fit about as well.
  const int last = context.plan.last_level();
  for (IcpCandidate& c : race.candidates) c.start = fine_start(c.pose, prepared, context.plan);
  if (last > 1) {
    const Thinned middle(levels[static_cast<std::size_t>(last) - 1], middle_points, context.backend);
    levels[static_cast<std::size_t>(last) - 1] = middle.pair;
    if (!race.run(context.plan, levels, last)) return {};
    race.score(middle.pair, 0.1);
    race.keep(arrived);
    for (IcpCandidate& c : race.candidates) c.start = {c.pose, close_scale(prepared), last};
  }
  race.candidates.erase(race.candidates.begin());
  for (IcpCandidate& c : race.candidates) c.given = c.pose;
  return race.candidates;
}

std::vector<Similarity3> rivals_beside(const Similarity3& answer, Icp options, const Prepared& prepared,
                                       std::span<const Level> coarser, const Level& full, Backend& backend,
                                       const Control& control) {
  IcpPlan plan = make_icp_plan(options, prepared);
  if (plan.voxels.size() > coarser.size() + 1) {
    options.levels = static_cast<int>(coarser.size()) + 1;
    plan = make_icp_plan(options, prepared);
  }
  std::vector<SurfacePair> surfaces;
  if (plan.last_level() > 0) surfaces.push_back(coarser.front().surfaces());
  if (plan.last_level() > 1) surfaces.push_back(coarser.back().surfaces());
  surfaces.push_back(full.surfaces());
  std::vector<Similarity3> poses;
  for (const IcpCandidate& c : rivals_of({prepared, plan, surfaces, backend, control}, answer)) poses.push_back(c.pose);
  return poses;
}

}  // namespace dovetail
