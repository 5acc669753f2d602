// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/icp_search.h"

#include <algorithm>

#include "search/different.h"
#include "search/scores.h"

namespace dovetail {

namespace {

/// Coarse answers that go on to the next level, besides the first given start's own.
constexpr std::size_t survivors = 3;
/// An answer this close to the best score, out of 1, may win by being nearer to its start.
constexpr double tie = 0.02;

/// Whether two candidates have come to one answer.
auto same(const Prepared& prepared) {
  return
      [&](const IcpCandidate& a, const IcpCandidate& b) { return difference(a.pose, b.pose, prepared) < same_answer; };
}

bool better(const IcpCandidate& a, const IcpCandidate& b) { return a.score > b.score; }

/// Scores the poses at a level, out to a distance in radii.
void score(std::vector<IcpCandidate>& candidates, const IcpContext& context, int level, double distance) {
  std::vector<Similarity3> poses;
  for (const IcpCandidate& c : candidates) poses.push_back(c.pose);
  const std::vector<double> scores = scores_of(poses, context.levels[static_cast<std::size_t>(level)],
                                               distance * context.prepared.source->radius, context.backend);
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].score = scores[i];
}

/// Runs every candidate from its start through levels 0 to end − 1.
StopRequest run_to(std::vector<IcpCandidate>& candidates, const IcpContext& context, int end, double distance) {
  IcpJourney journey;
  journey.data.assign(context.levels.begin(), context.levels.end());
  for (const IcpCandidate& c : candidates) journey.states.push_back(c.state(context));
  run_levels(journey, context.plan, end, context.backend, context.control);
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].pose = journey.states[i].target_from_source;
  if (journey.stopped != StopRequest::none) {
    std::vector<IcpCandidate> unmoved = candidates;
    for (IcpCandidate& c : unmoved) c.pose = c.given;
    candidates.insert(candidates.end(), unmoved.begin(), unmoved.end());
  }
  score(candidates, context, end - 1, distance);
  return journey.stopped;
}

/// By score; among those as good as the best, the one nearest to `start` comes first.
void rank(std::vector<IcpCandidate>& candidates, const Similarity3& start, const Prepared& prepared) {
  std::stable_sort(candidates.begin(), candidates.end(), better);
  const auto ties_end = std::find_if(candidates.begin(), candidates.end(),
                                     [&](const IcpCandidate& c) { return c.score < candidates.front().score - tie; });
  const auto nearest =
      std::min_element(candidates.begin(), ties_end, [&](const IcpCandidate& a, const IcpCandidate& b) {
        return difference(a.pose, start, prepared) < difference(b.pose, start, prepared);
      });
  std::rotate(candidates.begin(), nearest, nearest + 1);
}

}  // namespace

icp::State IcpCandidate::state(const IcpContext& context) const {
  return start_state(context.plan, context.prepared, start, given * context.prepared.source->centroid);
}

IcpSearch search_starts(const IcpContext& context, const std::vector<Similarity3>& given, int count) {
  IcpSearch search;
  for (const Similarity3& pose : given) {
    for (const IcpStart& start : starts_nearby(pose, context.prepared, context.plan.params.free, count)) {
      search.ranked.push_back({start, pose, start.pose, 0});
    }
  }
  if (search.ranked.size() == 1) return search;
  search.stopped = run_to(search.ranked, context, 1, 0.2);
  const IcpCandidate first = search.ranked.front();
  search.ranked = best_different(search.ranked, 1 + survivors + given.size(), better, same(context.prepared), {first});
  if (search.stopped == StopRequest::none && context.plan.params.levels > 1) {
    for (const Similarity3& pose : given) {
      const IcpStart fine = fine_start(pose, context.prepared, context.plan);
      search.ranked.insert(search.ranked.begin(), {fine, pose, pose, 0, &pose == &given.front()});
    }
    search.stopped = run_to(search.ranked, context, std::max(2, context.plan.last_level()), 0.1);
  }
  rank(search.ranked, given.front(), context.prepared);
  return search;
}

}  // namespace dovetail
