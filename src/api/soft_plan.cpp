// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/soft_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "api/icp_plan.h"
#include "dovetail/rotation.h"

namespace dovetail {

namespace {

// Lengths of the schedule are parts of R, the root mean square radius of the source about its centroid.
constexpr double search_voxel = 1.0 / 6;
constexpr double widest_sigma = 1.0, search_sigma = 0.3, contest_sigma = 0.1;
constexpr double still_factor = 0.85, moving_factor = 0.95;  ///< of σ, an iteration
constexpr double much_motion = 0.2;                          ///< of σ
constexpr int settling_iterations = 100;
constexpr int automatic_starts = 60;

struct Schedule {
  double first, last;
};

soft::LevelPlan level_plan(const Schedule& schedule, double annealing) {
  soft::LevelPlan plan;
  plan.first_sigma = std::max(schedule.first, schedule.last);
  plan.last_sigma = schedule.last;
  plan.factor = annealing > 0 ? std::sqrt(annealing) : still_factor;
  plan.moving_factor = annealing > 0 ? plan.factor : moving_factor;
  plan.much_motion = much_motion;
  return plan;
}

int steps_of(const soft::LevelPlan& plan) {
  const double slowest = std::max(plan.factor, plan.moving_factor);
  return 1 + static_cast<int>(std::ceil(std::log(plan.last_sigma / plan.first_sigma) / std::log(slowest) - 1e-9));
}

/// What both methods' options say alike.
template <class Options>
SoftPlan common_plan(const Options& options, const Prepared& p, double outlier_ratio) {
  SoftPlan plan;
  const double radius = p.source_radius, spacing = std::max(p.source_scale.spacing, p.target_scale.spacing);
  const double finest = p.to_local(options.voxel);
  plan.starts = options.starts > 0 ? options.starts : automatic_starts;
  if (p.dimension == 2 && options.starts == 0) plan.starts = 24;
  plan.normal_neighbours = options.normal_neighbours;
  plan.free = options.free;
  plan.refinement = options.refine;
  if (plan.starts > 1 && search_voxel * radius > std::max(finest, 1.5 * spacing)) {
    plan.voxels.push_back(search_voxel * radius);
  }
  plan.voxels.push_back(finest);

  soft::Params params;
  params.model.dimension = p.dimension;
  params.model.estimate_scale = options.estimate_scale;
  params.model.free = free_motions(options.free, options.estimate_scale, p.dimension);
  params.outlier_distance = p.to_local(options.outlier_distance);
  params.outlier_ratio = outlier_ratio;
  params.spacing = p.target_scale.spacing;
  params.overlap = options.overlap;
  params.scale_sigma = 0.5 * radius;
  params.tolerance = options.accuracy;

  const double last = options.sigma_end > 0 ? p.to_local(options.sigma_end) : std::max(finest, spacing);
  const double first = options.sigma_start > 0 ? p.to_local(options.sigma_start) : widest_sigma * radius;
  const int coarse = 0, fine = static_cast<int>(plan.finest());
  const auto with = [&](int level, const Schedule& schedule, bool to_the_end) {
    soft::Params one = params;
    one.levels = level + 1;
    soft::LevelPlan& at = one.level[level];
    at = level_plan(schedule, options.annealing);
    at.tolerance = to_the_end ? options.tolerance * radius : 0;
    at.settle = to_the_end ? settling_iterations : 0;
    at.max_iterations = to_the_end ? options.max_iterations : steps_of(at);
    return one;
  };
  plan.search = with(coarse, {first, search_sigma * radius}, false);
  plan.contest = with(coarse, {search_sigma * radius, contest_sigma * radius}, false);
  plan.refine = with(fine, {contest_sigma * radius, last}, true);
  plan.whole = with(fine, {first, last}, true);
  return plan;
}

}  // namespace

SoftPlan make_soft_plan(const EmIcp& options, const Prepared& prepared) {
  SoftPlan plan = common_plan(options, prepared, 2);
  for (soft::Params* params : {&plan.search, &plan.contest, &plan.refine, &plan.whole}) {
    params->square_roots = options.weighting == Weighting::square_root;
  }
  return plan;
}

SoftPlan make_soft_plan(const Softassign& options, const Prepared& prepared) {
  SoftPlan plan = common_plan(options, prepared, 2);
  for (soft::Params* params : {&plan.search, &plan.contest, &plan.refine, &plan.whole}) params->turns = options.sweeps;
  return plan;
}

int most_passes(const soft::Params& params) {
  return params.level[params.levels - 1].max_iterations * (2 * params.turns + 1);
}

std::vector<Similarity3> rotated_starts(const Similarity3& start, const Prepared& prepared, unsigned free, int count) {
  std::vector<Similarity3> starts{start};
  const auto turned = [&](const Mat3& rotation) {
    Similarity3 pose = start;
    pose.rotation = rotation * start.rotation;
    pose.translation = prepared.target_centroid - pose.scale * (pose.rotation * prepared.source_centroid);
    starts.push_back(pose);
  };
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if ((free >> axis & 1u) != 0) axes.push_back(axis);
  }
  const int turns = count - 1;
  for (int i = 0; i < turns && !axes.empty(); ++i) {
    if (axes.size() == 3) {
      // Super-Fibonacci spiral (Alexa 2022): rotations as evenly spread as any known set of free size.
      const double s = i + 0.5, t = s / turns, a = 2 * std::numbers::pi * s;
      const double alpha = a / std::numbers::sqrt2, beta = a / 1.533751168755204288118041;
      const double r = std::sqrt(t), q = std::sqrt(1 - t);
      turned(matrix_from_quaternion(
          Quaternion<double>{q * std::cos(beta), r * std::sin(alpha), r * std::cos(alpha), q * std::sin(beta)}));
    } else {
      // Evenly around each free axis in turn.
      const int each = (turns + static_cast<int>(axes.size()) - 1) / static_cast<int>(axes.size());
      Vec3 turn{};
      turn[axes[static_cast<std::size_t>(i / each)]] = 2 * std::numbers::pi * (i % each + 1) / (each + 1);
      turned(exp_so3(turn));
    }
  }
  return starts;
}

}  // namespace dovetail
