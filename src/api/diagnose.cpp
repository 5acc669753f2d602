// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ldlt.h"
#include "core/point_rank.h"
#include "core/weak_directions.h"
#include "dovetail/machines.h"

namespace dovetail {

namespace {

/// A direction is weak when it is held by less than this share of what holds the stiffest one. A sphere's or a plane's
/// free directions measure 1e-5 to 1e-3 with the noise of real normals; the least of a bunny's is 0.05.
constexpr double weak_share = 5e-3;

Vec3 point(const LocalCloud& cloud, std::size_t i) {
  return {double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}};
}

}  // namespace

int rank_of(const LocalCloud& cloud) {
  // Float coordinates of local size one: what is thinner than their rounding is flat.
  return point_rank<3>(
      cloud.size(), [&](std::size_t i) { return point(cloud, i); }, 1, [](double) { return std::pow(4e-7, 2); });
}

void describe_machine(const Backend& backend, Registration& result) {
  const BuildInfo build = build_info();
  result.version = build.version;
  result.machine = backend.name();
  result.build = fmt::format("{}, {}", build.compiler, backend.arithmetic());
}

void describe_input(const Prepared& prepared, const Backend& backend, Registration& result) {
  describe_machine(backend, result);
  result.points.source = prepared.source_points;
  result.points.target = prepared.target_points;
  result.points.dropped_non_finite = prepared.dropped_non_finite;
  result.points.dropped_at_origin = prepared.dropped_at_origin;
  const std::size_t merged =
      prepared.source_points + prepared.target_points - prepared.source.size() - prepared.target.size();
  if (merged * 100 > prepared.source_points + prepared.target_points) {
    result.warnings.push_back(fmt::format("{} points lie exactly where another one does; they count once", merged));
  }
  const double source = prepared.from_local(prepared.source_scale.extent);
  const double target = prepared.from_local(prepared.target_scale.extent);
  if (source > 0 && target > 0) {
    const double ratio = std::max(source / target, target / source);
    if (ratio > 300) {
      result.warnings.push_back(
          fmt::format("the source is {:.3g} across and the target {:.3g}: are they in different units, such as metres "
                      "and millimetres?",
                      source, target));
    }
  }
}

void evaluate_results(const Prepared& prepared, const Run& run, Backend& backend, Place place,
                      std::span<const Similarity3> poses, std::span<Registration> results) {
  // Twice the spacing, but no less than a fortieth of the source's radius: a LiDAR's points lie close along each of its
  // rings and far apart across them, so that the spacing says little about where the surface is.
  const double spacing = std::max(prepared.source_scale.spacing, prepared.target_scale.spacing);
  const double automatic = std::max(2 * spacing, prepared.source_radius / 40);
  Batch<Evaluation> batch;
  batch.params.inlier_distance = run.inlier_distance > 0 ? prepared.to_local(run.inlier_distance) : automatic;
  batch.params.overlap_distance = 3 * prepared.target_scale.spacing;
  batch.params.score_distance = std::max(0.1 * prepared.source_radius, batch.params.inlier_distance);
  batch.max_iterations = 1;
  batch.level_end = static_cast<int>(place.level) + 1;
  for (const Similarity3& pose : poses) {
    Evaluation::State state;
    state.problem = place.problem;
    state.level = place.level;
    state.target_from_source = pose;
    batch.states.push_back(state);
  }
  backend.run(batch);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Evaluation::State& state = batch.states[i];
    results[i].rmse = prepared.from_local(state.rmse);
    results[i].inlier_distance = prepared.from_local(batch.params.inlier_distance);
    results[i].inlier_ratio = state.inlier_ratio;
    results[i].overlap = state.overlap;
    results[i].score = std::min(1.0, state.score);  // but for rounding
  }
}

void copy_evaluation(const Registration& from, Registration& to) {
  to.rmse = from.rmse;
  to.inlier_distance = from.inlier_distance;
  to.inlier_ratio = from.inlier_ratio;
  to.overlap = from.overlap;
  to.score = from.score;
}

void set_covariance(const NormalEquations<7>& equations, unsigned free, bool with_scale, const Vec3& center,
                    const Prepared& prepared, Registration& result) {
  const int size = with_scale ? 7 : 6;
  const auto factors = ldlt(equations.jtj, free & all_unknowns(size));
  int unknowns = 0;
  for (int i = 0; i < size; ++i) unknowns += static_cast<int>(free >> i & 1u);
  const double surplus = equations.weight - unknowns;
  result.covariance_center = (1 / prepared.scale) * center + prepared.target_origin;
  if (factors.rank < unknowns || !(surplus > 0)) return;
  const auto inverse = factors.inverse();
  const double variance = equations.cost / surplus;

  std::vector<int> used;  // of a plane's motion: one rotation and two shifts
  for (int i = 0; i < size; ++i) {
    if (prepared.dimension == 3 || i == 2 || i == 3 || i == 4 || i == 6) used.push_back(i);
  }
  result.covariance.clear();
  for (const int i : used) {
    for (const int j : used) {
      const double lengths =
          (i >= 3 && i < 6 ? 1 / prepared.scale : 1.0) * (j >= 3 && j < 6 ? 1 / prepared.scale : 1.0);
      result.covariance.push_back(variance * inverse(i, j) * lengths);
    }
  }
}

double set_weak_directions(const NormalEquations<6>& equations, unsigned free, const Prepared& prepared,
                           Registration& result) {
  Vector<double, 6> units{};
  for (int i = 0; i < 6; ++i) units[i] = i < 3 ? 1 / prepared.source_radius : 1.0;
  const auto solution = solve_truncated(equations.jtj, equations.jtr, weak_share, units, free & all_unknowns(6));
  result.weak_directions.clear();
  double freest = 1;
  const double stiffest = solution.eigenvalues[5];
  for (int k = 0; k < 6; ++k) {
    if ((solution.weak >> k & 1u) == 0) continue;
    WeakDirection direction;
    for (int i = 0; i < 3; ++i) {
      direction.rotation[i] = solution.vectors(i, k);
      direction.translation[i] = solution.vectors(3 + i, k);
    }
    result.weak_directions.push_back(direction);
    freest = std::min(freest, stiffest > 0 ? std::max(0.0, solution.eigenvalues[k]) / stiffest : 0.0);
  }
  return freest;
}

int least_points(Model model) {
  switch (model) {
    case Model::rigid2:
    case Model::similarity2:
      return 2;
    case Model::affine2:
    case Model::rigid3:
    case Model::similarity3:
      return 3;
    default:
      return 4;
  }
}

void conclude(const Run& run, Registration& result) {
  bool finite = true;
  for (int i = 0; i < 16; ++i) finite = finite && std::isfinite(result.target_from_source.matrix[i]);
  const bool failed =
      result.termination == Termination::degenerate || result.termination == Termination::no_correspondences;
  const bool stopped =
      result.termination == Termination::time_limit || result.termination == Termination::stopped_by_callback;
  const bool unfinished = stopped && result.iterations == 0;
  const double inliers = result.inlier_ratio * static_cast<double>(result.points.source);
  const int needed = least_points(result.target_from_source.model);
  const bool enough = result.inlier_ratio >= run.min_inlier_ratio;
  const bool few =
      result.method != "evaluate" && run.min_inlier_ratio > 0 && result.points.source > 0 && inliers < needed - 0.5;
  result.is_usable = finite && !failed && !unfinished && enough && !few;
  if (failed || unfinished) {
    result.margin.reset();
    result.covariance.clear();
    result.expected_error.reset();
  }
  if (!result.message.empty()) return;
  if (result.termination == Termination::no_correspondences) {
    result.message = "no source point has a target point near enough: check the start, the units and max_distance";
  } else if (result.termination == Termination::degenerate) {
    result.message = "the pairs found do not determine the transform: they lie on one line or in one place";
  } else if (unfinished) {
    result.message =
        fmt::format("{} before any start was followed to its end; the transform is only a guess",
                    result.termination == Termination::time_limit ? "stopped at the time limit" : "stopped as asked");
  } else if (enough && few) {
    result.message = fmt::format("only {:.0f} source points have a target point within {:.3g}; a {} transform needs {}",
                                 inliers, result.inlier_distance, to_string(result.target_from_source.model), needed);
  } else if (!result.is_usable) {
    result.message =
        fmt::format("only {:.1f}% of the source points have a target point within {:.3g}; {:.1f}% are needed",
                    100 * result.inlier_ratio, result.inlier_distance, 100 * run.min_inlier_ratio);
  } else {
    const char* ended = result.termination == Termination::converged             ? "converged"
                        : result.termination == Termination::max_iterations      ? "stopped after the last iteration"
                        : result.termination == Termination::time_limit          ? "stopped at the time limit"
                        : result.termination == Termination::stopped_by_callback ? "stopped as asked"
                                                                                 : "finished its schedule";
    result.message = fmt::format("{} after {} iterations: {:.1f}% inliers, rmse {:.3g}", ended, result.iterations,
                                 100 * result.inlier_ratio, result.rmse);
    if (!result.weak_directions.empty()) {
      result.message += fmt::format("; the data leaves {} direction{} of motion weakly determined",
                                    result.weak_directions.size(), result.weak_directions.size() == 1 ? "" : "s");
    }
  }
}

void conclude_alternative(const Run& run, Registration& result) {
  result.termination = Termination::schedule_finished;
  conclude(run, result);
  if (!result.is_usable) return;
  result.message = fmt::format("another answer: {:.1f}% inliers, rmse {:.3g}", 100 * result.inlier_ratio, result.rmse);
}

}  // namespace dovetail
