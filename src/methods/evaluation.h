// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "dovetail/host_device.h"
#include "dovetail/transform.h"
#include "methods/float_pose.h"
#include "methods/method.h"
#include "methods/surface_pair.h"
#include "spatial/neighbours.h"

namespace dovetail {

/// How well a pose fits: one pass, no motion. A method like any other, so every machine and every batch size serves it.
struct Evaluation : OnePass {
  using Data = SurfacePair;
  struct Params {
    double inlier_distance = 0;   ///< local units, as all lengths here
    double overlap_distance = 0;  ///< three target spacings
    double score_distance = 0;    ///< beyond it a point adds nothing to the score
  };

  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Similarity3 target_from_source = Similarity3::identity();
    double rmse = 0, inlier_ratio = 0, overlap = 0, score = 0;
  };

  struct Sums {
    double points, inliers, inlier_squared, overlapping, agreement;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.source.count; }

  /// The farthest a pass has to look.
  DOVETAIL_HD static float search_squared(const Params& p) {
    const double farthest = fmax(p.score_distance, fmax(p.inlier_distance, p.overlap_distance));
    return static_cast<float>(farthest * farthest);
  }

  /// What one source point adds. `squared` is the squared distance to its nearest target point, where there is one
  /// within reach; `cosine` is that between their normals, 1 where there are none.
  DOVETAIL_HD static void add(const Params& p, bool found, float squared, float cosine, Sums& sums) {
    sums.points += 1;
    if (!found) return;
    const double d = squared;
    if (squared <= static_cast<float>(p.inlier_distance * p.inlier_distance)) {
      sums.inliers += 1;
      sums.inlier_squared += d;
    }
    if (squared <= static_cast<float>(p.overlap_distance * p.overlap_distance)) sums.overlapping += 1;
    const double part = 1 - d / (p.score_distance * p.score_distance);
    if (part > 0) sums.agreement += part * static_cast<double>(cosine) * static_cast<double>(cosine);
  }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params& params, const State& state, std::uint32_t i,
                                   const Search& search, Sums& sums) {
    const FloatPose pose(state.target_from_source);
    const CloudView& source = data.source;
    const NormalsView &own = source.normal, &other = data.target_normals;
    float moved[3], cosine = 1.0f;
    pose.apply(source.x[i], source.y[i], source.z[i], moved);
    const Neighbour match = search.nearest(data.target, moved, search_squared(params));
    if (match.found() && own.x != nullptr && other.x != nullptr) {
      float turned[3];
      pose.rotate(own.x[i], own.y[i], own.z[i], turned);
      const float n[3] = {other.x[match.slot], other.y[match.slot], other.z[match.slot]};
      const bool known = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] > 0 &&
                         n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0;
      if (known) cosine = turned[0] * n[0] + turned[1] * n[1] + turned[2] * n[2];
    }
    add(params, match.found(), match.squared_distance, cosine, sums);
  }

  DOVETAIL_HD static void advance(const Params&, State& state, const Sums* sums, const std::uint32_t*) {
    state.done = true;
    if (sums->points > 0) {
      state.inlier_ratio = sums->inliers / sums->points;
      state.overlap = sums->overlapping / sums->points;
      state.score = sums->agreement / sums->points;
    }
    state.rmse = sums->inliers > 0 ? std::sqrt(sums->inlier_squared / sums->inliers) : 0;
  }
};

}  // namespace dovetail
