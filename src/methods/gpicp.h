// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/random.h"
#include "dovetail/gpicp.h"
#include "methods/float_pose.h"
#include "methods/method.h"
#include "methods/pose_step.h"
#include "spatial/cloud_view.h"
#include "spatial/field_grid.h"
#include "spatial/kd_tree.h"
#include "spatial/left_balanced_search.h"
#include "spatial/neighbours.h"

// GPICP: a state is one start. Its passes come in turn: in a fitting pass each hypothesis is a small random set of
// points, which find their nearest neighbours and give it a transform; in a scoring pass each hypothesis is one of
// those transforms, looked at on a sample of the points. Equation numbers: docs/methods/gpicp.md. All lengths are
// local.

namespace dovetail::gpicp {

inline constexpr int most_sets = 32;

/// What passes read.
struct Data {
  CloudView source;
  KdTreeView target;
  NormalsView target_normals;   ///< by tree slot
  FieldView field;              ///< of the target; empty where the tree is asked
  const float* bend = nullptr;  ///< of each source point, 0 flat to 1; null: points are drawn evenly
  /// Of the target, its points called by their slots there; empty: the target's own tree is searched.
  LeftBalancedView left_balanced{};
};

struct Params {
  std::uint64_t seed = 0;
  int sets = 8, set_points = 12, scored_points = 300, iterations = 20;
  int dimension = 3;
  unsigned free = 0b111111;
  bool keeps_pose = true;     ///< the pose so far competes with those of the sets
  bool scores_evenly = true;  ///< the scored points are spread over all, else drawn one by one
  Lookup lookup = Lookup::field;
  float bound_factor = 1;  ///< (1 + epsilon)² of a search of the tree
  /// Distance at which a pair stops counting: geometrically from first to last over the iterations.
  double first_reach = 0, last_reach = 0;
  double tolerance = 0;  ///< converged when nothing better came for `patience` iterations at the last reach
  int patience = 4;
};

enum class Phase : int { fit, score };

struct State {
  std::uint32_t data = 0;
  std::uint32_t start = 0;  ///< its number: random choices follow from it
  Phase phase = Phase::fit;
  Status status = Status::running;
  std::uint32_t items = 0;  ///< of the next pass
  std::uint32_t most_scored = 0;
  int iteration = 0;
  int unchanged = 0;  ///< iterations since a set was better than the pose
  double reach = 0;
  Vec3 center{};
  double radius = 0;
  Similarity3 target_from_source = Similarity3::identity();
  double score = 0;  ///< of it: (3), 0 to 1
  double error = 0;  ///< mean distance of the scored points from their counterparts, none farther than the reach
  std::uint32_t solved = 0;  ///< a bit for each set that has a transform
  Rigid3 candidate[most_sets];
};

DOVETAIL_HD inline double reach_at(const Params& p, int iteration) {
  const double part = p.iterations > 1 ? fmin(1.0, iteration / (0.6 * (p.iterations - 1))) : 1.0;
  return p.first_reach * pow(p.last_reach / p.first_reach, part);
}

/// A state that begins at a pose.
DOVETAIL_HD inline State first_state(const Params& p, const Data& data, State s) {
  s.phase = Phase::fit;
  s.status = Status::running;
  s.iteration = s.unchanged = 0;
  s.reach = reach_at(p, 0);
  s.items = static_cast<std::uint32_t>(p.set_points);
  const std::uint32_t most = data.source.count;
  s.most_scored =
      static_cast<std::uint32_t>(p.scored_points) < most ? static_cast<std::uint32_t>(p.scored_points) : most;
  return s;
}

/// The sums of a fitting pass are a set's; those of a scoring pass a transform's.
template <class Fitting>
struct Sums {
  Fitting fit;
  double pairs;                       ///< of the set
  double agreement, distance, asked;  ///< of the transform
};

/// Which point an item looks at: a function of the seed, the start, the iteration, the hypothesis and the item.
DOVETAIL_HD inline std::uint32_t drawn(const Data& data, const Params& p, const State& s, std::uint32_t hypothesis,
                                       std::uint32_t item) {
  const Philox philox{p.seed};
  const std::uint64_t stream =
      std::uint64_t{s.start} << 32 | static_cast<std::uint64_t>(s.iteration) << 1 | (s.phase == Phase::score ? 1u : 0u);
  const std::uint32_t count = data.source.count;
  if (s.phase == Phase::score && p.scores_evenly) {
    // One from each of as many equal stretches along the curve, the same for every transform.
    const float within = uniform_float(philox(stream, 0).word[0]);
    const double at = (static_cast<double>(item) + static_cast<double>(within)) * count / s.items;
    const auto i = static_cast<std::uint32_t>(at);
    return i < count ? i : count - 1;
  }
  std::uint32_t index = 0;
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    const Philox::Block random = philox(stream, attempt << 60 | std::uint64_t{hypothesis} << 32 | item);
    for (int k = 0; k < 4; k += 2) {
      index = static_cast<std::uint32_t>(std::uint64_t{random.word[k]} * count >> 32);
      if (data.bend == nullptr || uniform_float(random.word[k + 1]) < data.bend[index]) return index;
    }
  }
  return index;
}

/// The pose that a hypothesis of the next pass looks from.
DOVETAIL_HD inline Similarity3 pose_of(const State& s, std::uint32_t hypothesis) {
  if (s.phase == Phase::fit || hypothesis >= static_cast<std::uint32_t>(most_sets)) return s.target_from_source;
  return {s.candidate[hypothesis].rotation, s.candidate[hypothesis].translation, s.target_from_source.scale};
}

DOVETAIL_HD inline void add_pair(const State&, const Vec3& p, const Vec3&, const Vec3& q, const Vec3&, Moments& sums) {
  sums.add(1, p, q);
}
/// Points without a normal hold a place themselves.
DOVETAIL_HD inline void add_pair(const State& s, const Vec3&, const Vec3& y, const Vec3& q, const Vec3& n,
                                 NormalEquations<6>& sums) {
  const auto add = [&](const Vec3& axis) {
    const Vector<double, 7> row = plane_row(y - s.center, axis);
    sums.add(1, Vector<double, 6>{row[0], row[1], row[2], row[3], row[4], row[5]}, dot(axis, y - q));
  };
  if (squared_norm(n) > 0) return add(n);
  add({1, 0, 0}), add({0, 1, 0}), add({0, 0, 1});
}

DOVETAIL_HD inline Step fit_step(const Params& p, const State& s, const Moments& m) {
  return fit_moments({s.target_from_source, s.center, s.radius}, m, {p.dimension, false, p.free});
}
DOVETAIL_HD inline Step fit_step(const Params& p, const State& s, const NormalEquations<6>& e) {
  return solve_step({s.target_from_source, s.center, s.radius}, e, p.free);
}

/// What a scored point finds.
struct Look {
  bool found = false;
  float squared = 0;
  float normal[3] = {0, 0, 0};
};

/// The nearest point of the target, in the tree that is to be searched.
template <class Search>
DOVETAIL_HD inline Neighbour nearest_point(const Data& data, const float* at, float reach_squared, float bound_factor,
                                           const Search& search) {
  if (data.left_balanced.count == 0) return search.nearest(data.target, at, reach_squared, bound_factor);
  Neighbour near = nearest_stackless(data.left_balanced, at[0], at[1], at[2], reach_squared, bound_factor);
  near.slot = near.index;
  return near;
}
/// A point that lies near, straight down the tree.
template <class Search>
DOVETAIL_HD inline Neighbour point_down_the_tree(const Data& data, const float* at, float reach_squared,
                                                 const Search& search) {
  if (data.left_balanced.count == 0) return search.in_bucket(data.target, at, reach_squared);
  Neighbour near = nearest_on_way_down(data.left_balanced, at[0], at[1], at[2], reach_squared);
  near.slot = near.index;
  return near;
}

template <class Search>
DOVETAIL_HD inline Look look_up(const Data& data, const Params& p, const float* at, float reach_squared,
                                const Search& search) {
  Look look;
  if (p.lookup == Lookup::field) {
    const std::uint32_t k = data.field.template site_at<3>(at);
    if (k == no_site) return look;
    const Site site = data.field.sites[k];
    const float d[3] = {at[0] - site.x, at[1] - site.y, at[2] - site.z};
    look.squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    look.found = look.squared <= reach_squared;
    if (look.found) site.template unpack_normal<3>(look.normal);
    return look;
  }
  const Neighbour near = p.lookup == Lookup::tree ? nearest_point(data, at, reach_squared, p.bound_factor, search)
                                                  : point_down_the_tree(data, at, reach_squared, search);
  if (!near.found()) return look;
  look.found = true;
  look.squared = near.squared_distance;
  const NormalsView& n = data.target_normals;
  if (n.x != nullptr) {
    look.normal[0] = n.x[near.slot], look.normal[1] = n.y[near.slot], look.normal[2] = n.z[near.slot];
  }
  return look;
}

/// Squared cosine between two normals; 1 where one is not known.
DOVETAIL_HD inline float alike(const float* a, const float* b) {
  const float aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
  const float ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return aa > 0 && bb > 0 ? ab * ab : 1.0f;
}

template <Metric which, class Fitting>
struct Variant : MethodDefaults {
  using Data = gpicp::Data;
  using Params = gpicp::Params;
  using State = gpicp::State;
  using Sums = gpicp::Sums<Fitting>;
  static constexpr Metric metric = which;

  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t items(const Data&, const State& s) { return s.items; }
  static std::uint32_t most_items(const Params& p, const Data&) {
    return static_cast<std::uint32_t>(p.set_points > p.scored_points ? p.set_points : p.scored_points);
  }
  DOVETAIL_HD static std::uint32_t hypotheses(const Params& p, const State& s) {
    return static_cast<std::uint32_t>(p.sets) + (s.phase == Phase::score && p.keeps_pose ? 1u : 0u);
  }
  static std::uint32_t most_hypotheses(const Params& p) {
    return static_cast<std::uint32_t>(p.sets) + (p.keeps_pose ? 1u : 0u);
  }
  DOVETAIL_HD static bool finished(const State& s) { return s.status != Status::running; }

  /// What all items of a hypothesis share.
  struct Context {
    Similarity3 from;
    FloatPose pose;
    bool counts;  ///< there is a transform to score
  };
  DOVETAIL_HD static Context context_of(const Data&, const Params& p, const State& s, std::uint32_t hypothesis) {
    // The last hypothesis of a scoring pass is the pose so far.
    const bool own = hypothesis == static_cast<std::uint32_t>(p.sets);
    const Similarity3 from = pose_of(s, own ? static_cast<std::uint32_t>(most_sets) : hypothesis);
    return {from, FloatPose(from), s.phase == Phase::fit || own || (s.solved >> hypothesis & 1u) != 0};
  }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params& p, const State& s, std::uint32_t hypothesis,
                                   const Context& context, std::uint32_t item, const Search& search, Sums& sums) {
    if (!context.counts) return;
    const std::uint32_t i = drawn(data, p, s, hypothesis, item);
    const CloudView& source = data.source;
    const FloatPose& pose = context.pose;
    const float reach = static_cast<float>(s.reach * s.reach);
    float at[3], turned[3] = {0, 0, 0};
    pose.apply(source.x[i], source.y[i], source.z[i], at);
    if (source.normal.x != nullptr) pose.rotate(source.normal.x[i], source.normal.y[i], source.normal.z[i], turned);
    if (s.phase == Phase::score) {
      sums.asked += 1;
      const Look look = look_up(data, p, at, reach, search);
      if (!look.found) {
        sums.distance += s.reach;
        return;
      }
      sums.distance += sqrt(static_cast<double>(look.squared));
      sums.agreement += static_cast<double>((1 - look.squared / reach) * alike(turned, look.normal));
      return;
    }
    const Neighbour near = nearest_point(data, at, reach, 1.0f, search);
    if (!near.found()) return;
    const NormalsView& normals = data.target_normals;
    float n[3] = {0, 0, 0};
    if (normals.x != nullptr) n[0] = normals.x[near.slot], n[1] = normals.y[near.slot], n[2] = normals.z[near.slot];
    if (alike(turned, n) < 0.25f) return;  // another side of something
    const TreePoint q = data.target.points[near.slot];
    const Vec3 own_point{double{source.x[i]}, double{source.y[i]}, double{source.z[i]}};
    add_pair(s, own_point, context.from * own_point, {double{q.x}, double{q.y}, double{q.z}},
             {double{n[0]}, double{n[1]}, double{n[2]}}, sums.fit);
    sums.pairs += 1;
  }

  DOVETAIL_HD static void advance(const Params& p, State& s, const Sums* sums, const std::uint32_t*) {
    s.phase == Phase::fit ? take_transforms(p, s, sums) : take_best(p, s, sums);
  }

 private:
  /// (1), (2): each set's transform.
  DOVETAIL_HD static void take_transforms(const Params& p, State& s, const Sums* sums) {
    s.solved = 0;
    const double least_pairs = metric == Metric::point_to_point ? 3 : 6;
    for (int h = 0; h < p.sets; ++h) {
      if (sums[h].pairs < least_pairs) continue;
      const Step step = fit_step(p, s, sums[h].fit);
      if (!step.solved) continue;
      s.candidate[h] = {step.target_from_source.rotation, step.target_from_source.translation};
      s.solved |= 1u << h;
    }
    s.phase = Phase::score;
    s.items = s.most_scored;
  }

  /// (4): the one that fits best; among equals the pose so far, then the first.
  DOVETAIL_HD static void take_best(const Params& p, State& s, const Sums* sums) {
    int best = -1;
    double highest = -1;
    if (p.keeps_pose) highest = share_of(sums[p.sets]);
    for (int h = 0; h < p.sets; ++h) {
      if ((s.solved >> h & 1u) == 0 || !(share_of(sums[h]) > highest)) continue;
      best = h;
      highest = share_of(sums[h]);
    }
    if (best >= 0) s.target_from_source = pose_of(s, static_cast<std::uint32_t>(best));
    s.unchanged = best >= 0 ? 0 : s.unchanged + 1;
    const Sums& chosen = sums[best >= 0 ? best : p.keeps_pose ? p.sets : 0];
    s.score = share_of(chosen);
    s.error = chosen.asked > 0 ? chosen.distance / chosen.asked : s.reach;
    ++s.iteration;
    s.phase = Phase::fit;
    s.items = static_cast<std::uint32_t>(p.set_points);
    const double reach = reach_at(p, s.iteration);
    const bool settled = p.keeps_pose && s.unchanged >= p.patience && s.reach <= p.last_reach * 1.0000001;
    if (settled) s.status = Status::converged;
    if (s.iteration >= p.iterations) s.status = Status::schedule_finished;
    if (s.status == Status::running) s.reach = reach;
  }

  DOVETAIL_HD static double share_of(const Sums& sums) { return sums.asked > 0 ? sums.agreement / sums.asked : 0.0; }
};

using PointToPoint = Variant<Metric::point_to_point, Moments>;
using PointToPlane = Variant<Metric::point_to_plane, NormalEquations<6>>;

}  // namespace dovetail::gpicp
