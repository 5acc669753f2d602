// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/icp_search.h"

#include <algorithm>
#include <numbers>

#include "core/eigen_symmetric.h"

#include "search/different.h"
#include "search/scores.h"

namespace dovetail {

namespace {

/// Coarse answers that go on to the next level, besides the first given start's own.
constexpr std::size_t survivors = 3;
/// An answer this close to the best score, out of 1, may win by being nearer to its start.
constexpr double tie = 0.02;

/// Rotations at which rivals of an answer are looked for, how far they are at least from it, and how wide one looks.
constexpr int rival_rotations = 60, slice_rotations = 24;
constexpr double rival_angle = 0.5, rival_distance = 0.3;
/// Of the answer's score, before rivals are followed, after the coarsest level and before the finest.
constexpr double promising = 0.5, rivalling = 0.75, as_good = 0.85;
constexpr std::size_t followed_rivals = 6, most_rivals = 3;

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

namespace {

/// The axes along which a cloud's points spread, the thinnest first.
Mat3 axes_of(const PreparedCloud& cloud) {
  const LocalCloud& points = cloud.points;
  Symmetric<double, 3> scatter{};
  constexpr std::size_t enough = 1024;
  const std::size_t every = std::max<std::size_t>(1, points.size() / enough);
  for (std::size_t i = 0; i < points.size(); i += every) {
    scatter.add_outer(1, Vec3{double{points.x[i]}, double{points.y[i]}, double{points.z[i]}} - cloud.centroid);
  }
  return eigen_symmetric(scatter).vectors;
}

Vec3 column(const Mat3& m, int k) { return {m(0, k), m(1, k), m(2, k)}; }

/// Rotations about an axis by the angles of two-, three-, four- and sixfold symmetry.
void add_folds(const Vec3& axis, std::vector<Mat3>& turns) {
  for (const double degrees : {60, 90, 120, 180, 240, 270, 300}) {
    turns.push_back(exp_so3((degrees * std::numbers::pi / 180) * axis));
  }
}

/// An answer turned: about its own middle by rotations spread over all, and about the axes of either cloud as symmetric
/// parts are; a slice in its plane.
std::vector<Similarity3> turned_about(const IcpContext& context, const Similarity3& answer) {
  const PreparedCloud &source = *context.prepared.source, &target = *context.prepared.target;
  const unsigned free = context.plan.params.free;
  std::vector<Similarity3> poses;
  const auto add = [&](const Vec3& center, const std::vector<Mat3>& turns) {
    for (const Mat3& turn : turns) {
      if (rotation_angle(turn) < rival_angle) continue;
      Similarity3& pose = poses.emplace_back(answer);
      pose.rotation = turn * answer.rotation;
      pose.translation = center + turn * (answer.translation - center);
    }
  };
  const Vec3 middle = answer * source.centroid;
  std::vector<Mat3> own, whole;
  if (!source.tells_surface) {
    const Vec3 axis = answer.rotation * source.across;
    for (int i = 1; i < slice_rotations; ++i)
      own.push_back(exp_so3((2 * std::numbers::pi * i / slice_rotations) * axis));
  } else {
    own = spread_rotations(free, rival_rotations);
    if ((free & 0b111u) == 0b111u) {
      const Mat3 of_source = axes_of(source), of_target = axes_of(target);
      for (int k = 0; k < 3; ++k) add_folds(answer.rotation * column(of_source, k), own);
      for (int k = 0; k < 3; ++k) add_folds(column(of_target, k), whole);
    }
  }
  add(middle, own);
  add(target.centroid, whole);
  return poses;
}

/// An answer shifted to both sides along the axes of the source's points, of a slice along those in its plane.
std::vector<Similarity3> shifted_along(const IcpContext& context, const Similarity3& answer) {
  const PreparedCloud& source = *context.prepared.source;
  const Mat3 axes = axes_of(source);  // of a slice, the first is across it
  std::vector<Similarity3> poses;
  for (int k = source.tells_surface ? 0 : 1; k < 3; ++k) {
    for (const double radii : {-1.2, -0.8, -0.4, 0.4, 0.8, 1.2}) {
      Vec3 shift = radii * source.radius * (answer.rotation * column(axes, k));
      for (int a = 0; a < 3; ++a) shift[a] *= (context.plan.params.free >> (3 + a) & 1u) != 0 ? 1 : 0;
      if (squared_norm(shift) > 0) poses.emplace_back(answer).translation += shift;
    }
  }
  return poses;
}

}  // namespace

std::vector<IcpCandidate> rivals_of(const IcpContext& context, const Similarity3& answer) {
  const Prepared& prepared = context.prepared;
  const double widest = rival_distance * prepared.source->radius;
  std::vector<IcpCandidate> candidates{{{.pose = answer}, answer, answer, 0}};
  for (const auto& poses : {turned_about(context, answer), shifted_along(context, answer)}) {
    for (const Similarity3& pose : poses) {
      candidates.push_back({{.pose = pose, .widest_scale = widest}, pose, pose, 0});
    }
  }
  // Keeps those of the best that are as good as a part of the answer, which stands first.
  const auto keep = [&](double part, double apart, std::size_t most) {
    const IcpCandidate first = candidates.front();
    std::erase_if(candidates, [&](const IcpCandidate& c) { return c.score < part * first.score; });
    const auto close = [&](const IcpCandidate& a, const IcpCandidate& b) {
      return difference(a.pose, b.pose, prepared) < apart;
    };
    candidates = best_different(candidates, 1 + most, better, close, {first});
  };
  score(candidates, context, 0, rival_distance);
  keep(promising, 0.25, followed_rivals);
  const auto follow = [&](int end, double distance) {
    return candidates.size() > 1 && run_to(candidates, context, end, distance) == StopRequest::none;
  };
  if (!follow(1, 0.2)) return {};
  keep(rivalling, same_answer, most_rivals);
  // Through the levels before the last, where all points are; there only those go on that fit about as well.
  const int last = context.plan.last_level();
  for (IcpCandidate& c : candidates) c.start = fine_start(c.pose, prepared, context.plan);
  candidates.front().start.pose = answer;
  if (last > 1) {
    if (!follow(last, 0.1)) return {};
    keep(as_good, same_answer, most_rivals);
    for (IcpCandidate& c : candidates) c.start = {c.pose, close_scale(prepared), last};
  }
  candidates.erase(candidates.begin());
  return candidates;
}

}  // namespace dovetail
