// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/eigen_symmetric.h"
#include "core/random.h"
#include "gpicp/loops.h"
#include "methods/pose_step.h"
#include "spatial/kd_search.h"
#include "spatial/left_balanced_search.h"
#include "spatial/parallel.h"
#include "stopwatch.h"

namespace dovetail::bench::gpicp_studies {
namespace {

Vec3 point_of(const LocalCloud& cloud, std::uint32_t i) {
  return {double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}};
}

/// The mean of the roots of the covariance's eigenvalues: how far PCL wants points of a triplet to be apart.
double mean_root_eigenvalue(const StudiedObject& object) {
  Symmetric<double, 3> covariance{};
  for (std::uint32_t i = 0; i < object.size(); ++i) {
    covariance.add_outer(1.0 / object.size(), point_of(object.cloud, i) - object.centroid);
  }
  const auto eigen = eigen_symmetric(covariance);
  return (std::sqrt(eigen.values[0]) + std::sqrt(eigen.values[1]) + std::sqrt(eigen.values[2])) / 3;
}

/// One start on its way.
class PlainStart {
 public:
  PlainStart(const Setting& setting, const Scene& scene, const StudiedObject& object, std::uint32_t number,
             const Similarity3& start, double least_apart)
      : setting_(setting),
        scene_(scene),
        object_(object),
        random_(23, number),
        pose_(start),
        center_(start * object.centroid),
        least_apart_(least_apart) {}

  void run() {
    for (int i = 0; i < setting_.iterations; ++i) step(reach_of(setting_, object_, i));
  }
  const Similarity3& pose() const { return pose_; }
  double score() const { return score_; }
  double error() const { return error_; }

 private:
  struct Scored {
    double agreement = 0, distance = 0;
  };

  std::uint32_t draw() { return random_.below(object_.size()); }

  std::vector<std::uint32_t> drawn_set() {
    std::vector<std::uint32_t> set(static_cast<std::size_t>(setting_.set_points));
    for (int attempt = 0; attempt < 1000; ++attempt) {
      for (std::uint32_t& i : set) i = draw();
      if (!setting_.triplets_apart || apart(set)) break;
    }
    return set;
  }
  bool apart(const std::vector<std::uint32_t>& set) const {
    for (std::size_t a = 0; a < set.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (norm(point_of(object_.cloud, set[a]) - point_of(object_.cloud, set[b])) < least_apart_) return false;
      }
    }
    return true;
  }

  Neighbour exact(const Vec3& at, double reach) const {
    return nearest_stackless(scene_.left_balanced.view(), static_cast<float>(at[0]), static_cast<float>(at[1]),
                             static_cast<float>(at[2]), static_cast<float>(reach * reach));
  }
  /// The place in the scene that a slot of its tree has.
  Vec3 place(const Neighbour& near) const {
    const TreePoint& q = scene_.tree.points()[near.index];
    return {double{q.x}, double{q.y}, double{q.z}};
  }

  /// The pairs of all points before any transform, where they are all there is.
  void search_once(double reach) {
    pairs_.assign(object_.size(), std::nullopt);
    for (std::uint32_t i = 0; i < object_.size(); ++i) {
      const Neighbour near = exact(pose_ * point_of(object_.cloud, i), reach);
      if (near.found()) pairs_[i] = place(near);
    }
  }
  std::optional<Vec3> partner(std::uint32_t i, double reach) const {
    if (setting_.one_search) return pairs_[i];
    const Neighbour near = exact(pose_ * point_of(object_.cloud, i), reach);
    return near.found() ? std::optional(place(near)) : std::nullopt;
  }

  std::optional<Similarity3> transform_of_a_set(double reach) {
    Moments moments{};
    for (const std::uint32_t i : drawn_set()) {
      if (const auto q = partner(i, reach)) moments.add(1, point_of(object_.cloud, i), *q);
    }
    if (moments.weight < 3) return std::nullopt;
    const Step step = fit_moments({pose_, center_, object_.radius}, moments, {3, false, 0b111111});
    return step.solved ? std::optional(step.target_from_source) : std::nullopt;
  }

  /// The squared distance of a scored point; the reach's where there is nothing.
  double squared_distance_of(std::uint32_t i, const Similarity3& pose, double reach) const {
    const Vec3 at = pose * point_of(object_.cloud, i);
    if (setting_.one_search) return pairs_[i] ? std::min(reach * reach, squared_norm(at - *pairs_[i])) : reach * reach;
    const Neighbour near =
        nearest_on_way_down(scene_.left_balanced.view(), static_cast<float>(at[0]), static_cast<float>(at[1]),
                            static_cast<float>(at[2]), static_cast<float>(reach * reach));
    return near.found() ? double{near.squared_distance} : reach * reach;
  }
  Scored scored(const Similarity3& pose, double reach) {
    Scored result;
    const int asked = std::max(1, static_cast<int>(setting_.share * object_.size()));
    for (int k = 0; k < asked; ++k) {
      const double squared = squared_distance_of(draw(), pose, reach);
      result.agreement += (1 - squared / (reach * reach)) / asked;
      result.distance += std::sqrt(squared) / asked;
    }
    return result;
  }

  void step(double reach) {
    if (setting_.one_search) search_once(reach);
    Similarity3 best = pose_;
    double highest = -1;
    for (int k = 0; k < setting_.sets; ++k) {
      const auto transform = transform_of_a_set(reach);
      if (!transform) continue;
      const Scored s = scored(*transform, reach);
      if (s.agreement > highest) best = *transform, highest = s.agreement, error_ = s.distance;
    }
    pose_ = best, score_ = highest;
  }

  const Setting& setting_;
  const Scene& scene_;
  const StudiedObject& object_;
  RandomStream random_;
  Similarity3 pose_;
  Vec3 center_;
  double least_apart_;
  std::vector<std::optional<Vec3>> pairs_;
  double score_ = -1, error_ = 0;
};

}  // namespace

double reach_of(const Setting& setting, const StudiedObject& object, int iteration) {
  const double part = setting.iterations > 1 ? std::min(1.0, iteration / (0.6 * (setting.iterations - 1))) : 1.0;
  return first_reach(object) * std::pow(last_reach(object) / first_reach(object), part);
}

Outcome run_plain(const Setting& setting, const Scene& scene, const StudiedObject& object, const Instance& instance) {
  const double before = processor_ms();
  const Stopwatch watch;
  const double apart = setting.triplets_apart ? mean_root_eigenvalue(object) : 0;
  std::vector<PlainStart> starts;
  for (const Similarity3& start : starts_of(instance, object, setting.starts, setting.shift)) {
    starts.emplace_back(setting, scene, object, static_cast<std::uint32_t>(starts.size()), start, apart);
  }
  parallel_for(starts.size(), 1, [&](std::size_t i) { starts[i].run(); });
  const auto best = std::max_element(starts.begin(), starts.end(),
                                     [](const PlainStart& a, const PlainStart& b) { return a.score() < b.score(); });
  return {best->pose(), watch.milliseconds(), processor_ms() - before, best->error()};
}

}  // namespace dovetail::bench::gpicp_studies
