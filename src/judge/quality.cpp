// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/quality.h"

#include <algorithm>

#include "judge/confidence.h"
#include "judge/distinction.h"
#include "judge/evidence.h"
#include "search/different.h"
#include "search/free_space.h"

namespace dovetail {

namespace {

/// How far evidence looks, in units that evidence.cpp measures by.
constexpr double contact_reach = 10;
/// What a share of points counts that lie where a sensor looked through, beyond the few that edges make.
constexpr double through_weight = 150, through_noise = 0.004;
/// What it counts that another pose was more distinct.
constexpr double distinction_weight = 5;

}  // namespace

Calibration calibration_of(const Prepared& prepared) {
  if (prepared.dimension == 2) return Calibration::plane;
  const bool both = prepared.source->tells_surface && prepared.target->tells_surface;
  return both ? Calibration::surfaces : Calibration::slice;
}

std::vector<Quality> evaluate_poses(const Prepared& prepared, const Run& run, Backend& backend, const Level& level,
                                    std::span<const Similarity3> poses, unsigned free, const FirstStart& start) {
  // Twice the spacing, but no less than a fortieth of the source's radius: a LiDAR's points lie close along each of its
  // rings and far apart across them, so that the spacing says little about where the surface is.
  const double radius = prepared.source->radius;
  const double spacing = std::max(prepared.source->scale.spacing, prepared.target->scale.spacing);
  const double automatic = std::max(2 * spacing, radius / 40);
  Batch<Evaluation> batch;
  batch.params.inlier_distance = run.inlier_distance > 0 ? prepared.to_local(run.inlier_distance) : automatic;
  batch.params.overlap_distance = 3 * prepared.target->scale.spacing;
  batch.params.score_distance = std::max(0.1 * radius, batch.params.inlier_distance);
  batch.data = {level.surfaces()};
  for (const Similarity3& pose : poses) batch.states.emplace_back().target_from_source = pose;
  backend.run(batch);
  std::vector<Quality> all;
  for (const Evaluation::State& state : batch.states) {
    all.push_back({.rmse = prepared.from_local(state.rmse),
                   .inlier_distance = prepared.from_local(batch.params.inlier_distance),
                   .inlier_ratio = state.inlier_ratio,
                   .overlap = state.overlap,
                   .score = std::min(1.0, state.score)});  // but for rounding
  }
  const double reach = std::max(batch.params.inlier_distance, contact_reach * std::max(2 * spacing, radius / 50));
  const NormalSettings settings{.neighbours = 8, .dimension = prepared.dimension};  // where they are not known yet
  const std::vector<Contact> contacts = contacts_of(level, poses, reach, settings, backend);
  std::vector<double> distinct;
  if (prepared.rarity) distinct = distinctions(prepared, *prepared.rarity, level, poses, backend);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].evidence = evidence_of(contacts[i], poses[i], prepared, free, start.known);
    all[i].evidence.push_back({"from_start", difference(poses[i], start.pose, prepared)});
    const std::optional<double> through = seen_through(prepared, poses[i]);
    if (through) all[i].evidence.push_back({"seen_through", *through});
    tell_log_odds(calibration_of(prepared), all[i]);
    if (through) all[i].log_odds -= through_weight * std::max(0.0, *through - through_noise);
    if (prepared.rarity) {
      const double less = std::max(0.0, prepared.rarity->most_distinct - distinct[i]);
      all[i].evidence.push_back({"less_distinct", less});
      all[i].log_odds -= distinction_weight * less;
    }
    if (!start.known) continue;
    int motions = 0;
    for (int k = 0; k < 6; ++k) motions += (free >> k & 1u) != 0 && start.known->information(k, k) > 0 ? 1 : 0;
    count_known_start(squared_sigmas(*start.known, poses[i]), motions, all[i]);
  }
  return all;
}

}  // namespace dovetail
