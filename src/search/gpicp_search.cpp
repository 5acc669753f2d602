// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/gpicp_search.h"

#include <algorithm>
#include <cmath>

#include "search/different.h"
#include "search/direction_starts.h"
#include "search/free_space.h"
#include "search/halving.h"
#include "search/places_tried.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

using gpicp::OrientedPoint;
using gpicp::Placements;

/// Pairs that go through a batch together, and poses that are compared with each other.
constexpr std::size_t batch_states = 8192, compared = 8000;
/// Placements closer than this are one start; radians and radii.
constexpr double same_start = 0.2;
/// Those of directions are more exact.
constexpr double same_direction_start = 0.08;
/// Points that vote for shifts, of either cloud; points that are looked at where a sensor looked through, and the share
/// of them at which a pose counts a third.
constexpr std::size_t most_voters = 4000, points_seen = 300;
constexpr double usual_through = 0.02;
/// However few are asked for, so many starts run to the end.
constexpr std::size_t least_kept = 12;
/// Points on which starts are compared with each other.
constexpr std::size_t ranking_points = 512;

template <class T>
std::vector<T> thinned(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

bool better(const GpicpCandidate& a, const GpicpCandidate& b) { return a.score > b.score; }

auto closer_than(double apart, const Prepared& prepared) {
  return [apart, &prepared](const GpicpCandidate& a, const GpicpCandidate& b) {
    return difference(a.pose, b.pose, prepared) < apart;
  };
}

}  // namespace

GpicpSearch search_placements(const GpicpContext& context, std::size_t most) {
  GpicpSearch search;
  const GpicpPlan& plan = context.plan;
  const std::vector<OrientedPoint>& onto = context.target.contacts;
  std::vector<OrientedPoint> from = contacts_of(context.source, plan.contact_spacing);
  if (from.empty() || onto.empty()) return search;
  from = thinned(from, std::max<std::size_t>(24, plan.most_placements / onto.size()));

  Memory& memory = context.backend.memory();
  Keeper keeper;
  Batch<Placements> batch;
  batch.params = plan.placements;
  const LocalCloud asked = asked_points(context.source, plan.placements.points);
  const Placed<CloudView> placed = put(memory, asked);
  batch.data = {{placed.view, context.target.surface, memory.put(from, keeper), memory.put(onto, keeper)}};
  batch.max_iterations = 2;
  batch.control = context.control;
  PlacesTried tried(context.prepared, same_start, compared);
  const std::size_t count = from.size() * onto.size();
  for (std::size_t first = 0; first < count; first += batch_states) {
    batch.states.clear();
    for (std::size_t i = first; i < std::min(count, first + batch_states); ++i) {
      batch.states.push_back(Placements::first_state(plan.placements, 0, static_cast<std::uint32_t>(i % from.size()),
                                                     static_cast<std::uint32_t>(i / from.size())));
    }
    context.backend.run(batch);
    std::vector<const Placements::State*> fit;
    for (const Placements::State& s : batch.states) {
      if (s.score > batch.params.least_score && s.turn == s.turn) fit.push_back(&s);
    }
    std::vector<GpicpCandidate> candidates(fit.size());
    std::vector<std::uint64_t> ranges(fit.size());
    context.backend.on_host([&] {
      parallel_for(fit.size(), 64, [&](std::size_t i) {
        const Placements::State& s = *fit[i];
        candidates[i] = {Placements::pose_of(plan.placements, from[s.from], onto[s.onto], s.turn, s.back), s.score, 0,
                         static_cast<std::uint32_t>(s.onto * from.size() + s.from)};
        ranges[i] = tried.range_of(candidates[i].pose);
      });
    });
    for (std::size_t i = 0; i < candidates.size(); ++i) tried.add(candidates[i], ranges[i]);
    search.placements += batch.states.size();
    // What has so far been among the best sets how good the others have to be.
    batch.params.least_score = std::max(batch.params.least_score, 0.8 * tried.shrink());
    if (batch.stopped != StopRequest::none) {
      search.stopped = batch.stopped;
      break;
    }
  }
  search.ranked = tried.best_first();
  std::vector<Similarity3> poses;
  for (const GpicpCandidate& c : search.ranked) poses.push_back(c.pose);
  const std::vector<double> scores = cell_scores(poses, asked, context.target);
  for (std::size_t i = 0; i < scores.size(); ++i) search.ranked[i].score = scores[i];
  search.ranked = best_different(std::move(search.ranked), most, better, closer_than(same_start, context.prepared));
  return search;
}

GpicpSearch search_directions(const GpicpContext& context, std::size_t most, std::size_t first) {
  GpicpSearch search;
  const GpicpPlan& plan = context.plan;
  const bool one_sided = !plan.placements.both_sides;
  const FacingPoints from{contacts_of(context.source, plan.vote_spacing), one_sided, plan.placements.dimension};
  const FacingPoints onto{context.target.voters, one_sided, plan.placements.dimension};
  // Fewer of them than one per spacing would not meet each other, and more would take too long.
  if (from.points.size() > most_voters || onto.points.size() > most_voters) return search;
  std::vector<Similarity3> poses;
  context.backend.on_host([&] { poses = direction_starts(from, onto, {.cell = plan.vote_cell}); });
  search.placements = poses.size();
  if (poses.empty()) return search;
  std::vector<double> scores = cell_scores(poses, asked_points(context.source, plan.placements.points), context.target);
  context.backend.on_host([&] {
    parallel_for(poses.size(), 16, [&](std::size_t i) {
      scores[i] *= std::exp(-seen_through(context.prepared, poses[i], points_seen).value_or(0) / usual_through);
    });
  });
  for (std::size_t i = 0; i < poses.size(); ++i) {
    search.ranked.push_back({poses[i], scores[i], 0, static_cast<std::uint32_t>(first + i)});
  }
  search.ranked =
      best_different(std::move(search.ranked), most, better, closer_than(same_direction_start, context.prepared));
  return search;
}

namespace {

template <class M>
GpicpSearch refine_by(const GpicpContext& context, const std::vector<GpicpCandidate>& starts,
                      const std::vector<float>& bends, std::size_t most) {
  GpicpSearch search;
  const Prepared& prepared = context.prepared;
  Keeper keeper;
  Batch<M> batch;
  batch.params = context.plan.params;
  gpicp::Data data{context.level.source->points, context.level.target->tree_view, context.level.target->normals,
                   context.target.field.view, nullptr};
  if (!bends.empty()) data.bend = context.backend.memory().put(bends, keeper);
  LeftBalancedTree left_balanced;
  Placed<LeftBalancedView> placed_tree;
  if (context.plan.left_balanced) {
    context.backend.on_host([&] { left_balanced = LeftBalancedTree(*context.level.target->tree); });
    placed_tree = put(context.backend.memory(), left_balanced);
    data.left_balanced = placed_tree.view;
  }
  batch.data = {data};
  batch.control = context.control;
  for (const GpicpCandidate& start : starts) {
    gpicp::State s;
    s.start = start.start;
    s.target_from_source = start.pose;
    s.center = start.pose * prepared.source->centroid;
    s.radius = prepared.source->radius;
    batch.states.push_back(gpicp::first_state(batch.params, data, s));
  }
  const LocalCloud asked = asked_points(context.source, ranking_points);
  const auto rank = [&](std::size_t kept, double apart, bool last) {
    std::vector<std::size_t> order(batch.states.size());
    std::vector<Similarity3> poses;
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i, poses.push_back(batch.states[i].target_from_source);
    const std::vector<double> scores =
        last && context.rate ? context.rate(poses) : cell_scores(poses, asked, context.target);
    for (std::size_t i = 0; i < order.size() && context.drops && !asked.empty(); ++i) batch.states[i].score = scores[i];
    const auto best_first = [&](std::size_t a, std::size_t b) { return batch.states[a].score > batch.states[b].score; };
    const auto same = [&](std::size_t a, std::size_t b) {
      return difference(batch.states[a].target_from_source, batch.states[b].target_from_source, prepared) < apart;
    };
    std::vector<gpicp::State> left;
    for (const std::size_t i : best_different(std::move(order), kept, best_first, same))
      left.push_back(batch.states[i]);
    batch.states = std::move(left);
  };
  const auto run = [&](int iterations) {
    batch.max_iterations = 2 * iterations;  // a fitting and a scoring pass each
    if (search.stopped == StopRequest::none) context.backend.run(batch), search.stopped = batch.stopped;
  };
  const std::size_t least = context.drops ? std::max(least_kept, most) : starts.size();
  const std::vector<HalvingRound> rounds = halving_rounds(starts.size(), batch.params.iterations, least);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    run(rounds[i].iterations);
    if (i + 1 < rounds.size()) rank(rounds[i].kept, 0.5 * same_answer, false);
  }
  rank(most, same_answer, true);
  for (const gpicp::State& s : batch.states) {
    search.ranked.push_back({s.target_from_source, s.score, s.error, s.start});
  }
  return search;
}

}  // namespace

GpicpSearch refine_starts(const GpicpContext& context, const std::vector<GpicpCandidate>& starts, Metric metric,
                          const std::vector<float>& bends, std::size_t most) {
  if (metric == Metric::point_to_point) return refine_by<gpicp::PointToPoint>(context, starts, bends, most);
  return refine_by<gpicp::PointToPlane>(context, starts, bends, most);
}

}  // namespace dovetail
