// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/soft_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "prepare/icp_plan.h"
#include "spatial/scale.h"
#include "spatial/voxel_grid.h"

namespace dovetail {

namespace {

constexpr double degree = std::numbers::pi / 180;

// Lengths of the schedule are parts of the source's root mean square radius.
constexpr double widest_sigma = 1.0;
constexpr double finest_sigma = 0.5;    ///< of the spacing
constexpr double scale_sigma = 0.5;     ///< where a scale begins to be estimated
constexpr double least_quality = 0.85;  ///< of the matches, before what is left is taken for noise
constexpr int automatic_rotations = 121, automatic_angles = 25;

/// Points of the target (of the source, twice as many) in the parts that the search looks at.
constexpr std::size_t part_points[] = {150, 400, 1000};

/// Every n-th point along the curve, enough of them to tell which voxels are taken.
LocalCloud thinned(const LocalCloud& cloud, std::size_t most) {
  if (cloud.size() <= most) return cloud;
  std::vector<std::uint32_t> kept(most);
  for (std::size_t i = 0; i < most; ++i) kept[i] = static_cast<std::uint32_t>(i * cloud.size() / most);
  return gather(cloud, kept);
}

/// The smallest voxel, to a tenth, that leaves at most so many points; 0 where there are no more from the start.
double voxel_for(const LocalCloud& cloud, std::size_t most, double extent) {
  if (cloud.size() <= most) return 0;
  double low = 0, high = extent;
  for (double voxel = extent / std::sqrt(static_cast<double>(most)); high > 1.1 * low || low == 0;
       voxel = low > 0 ? std::sqrt(low * high) : high / 2) {
    (group_by_voxel(cloud, voxel).size() <= most ? high : low) = voxel;
    if (high < 1e-9 * extent) break;
  }
  return high;
}

struct Scheme {
  double first, last;
  double factor = 0;  ///< of σ² a pose; 0: adaptive
  bool accelerate = true;
  double quality = 0;
  double tolerance = 0;
  int settle = 0;
  int max_iterations = 0;  ///< 0: as many as the way from first to last can take
};

/// The schedule of one level among those of a method's parameters.
soft::Params at_level(soft::Params params, std::uint32_t level, const Scheme& s) {
  soft::LevelPlan& plan = params.level[level];
  plan.first_sigma = std::max(s.first, s.last);
  plan.last_sigma = s.last;
  plan.factor = s.factor;
  plan.accelerate = s.accelerate;
  plan.quality = s.quality;
  plan.tolerance = s.tolerance;
  plan.settle = s.settle;
  const double slowest = s.factor > 0 ? s.factor : soft::annealing(1e9);
  const double steps = std::log(std::pow(plan.last_sigma / plan.first_sigma, 2)) / std::log(slowest);
  plan.max_iterations = s.max_iterations > 0 ? s.max_iterations : 2 + static_cast<int>(std::ceil(steps)) + s.settle;
  params.levels = static_cast<int>(level) + 1;
  return params;
}

/// From every start to a few answers: wide weights and few points first. In partial overlap wide weights pull towards
/// the middle, so that the way through them is short and most of the poses are where they are narrow.
std::vector<SoftStage> search_stages(const soft::Params& params, double radius) {
  const auto last = static_cast<std::uint32_t>(params.levels - 1);
  const auto level = [&](std::uint32_t i) { return std::min(i, last); };
  const double first = 0.5 * radius, coarse = 0.15 * radius, middle = 0.08 * radius, fast = 0.7;
  const double fine = std::max(0.04 * radius, params.spacing[level(2)]);
  const double after_three = first * std::pow(fast, 1.5);
  std::vector<SoftStage> stages;
  stages.push_back({at_level(params, level(0), {first, coarse, fast, false, 0, 0, 0, 3}), 0, 0, 0});
  stages.push_back({at_level(params, level(0), {after_three, coarse, fast, false}), 24, 8 * degree, 0.08});
  stages.push_back(
      {at_level(params, level(1), {coarse, middle, 0.85, true, 0, 0.02 * middle, 6}), 4, 5 * degree, 0.05});
  stages.push_back({at_level(params, level(2), {std::max(0.1 * radius, fine), fine, 0, true, 0, 0.01 * fine, 20}), 4,
                    2 * degree, 0.02});
  return stages;
}

/// What both methods' options say alike.
template <class Options>
SoftPlan common_plan(const Options& options, const Prepared& p, std::span<const Level> levels, soft::Params params) {
  SoftPlan plan;
  plan.normal_neighbours = options.normal_neighbours;
  plan.free = options.free;
  plan.refinement = options.refine;
  plan.starts = options.starts > 0 ? options.starts : p.dimension == 2 ? automatic_angles : automatic_rotations;

  const double radius = p.source->radius;
  const auto finest = static_cast<std::uint32_t>(levels.size() - 1);
  params.levels = static_cast<int>(levels.size());
  params.model.dimension = p.dimension;
  params.model.estimate_scale = options.estimate_scale;
  params.model.free = free_motions(options.free, options.estimate_scale, p.dimension);
  params.outlier_distance = p.to_local(options.outlier_distance);
  params.overlap = options.overlap;
  params.scale_sigma = scale_sigma * radius;
  params.tolerance = options.accuracy;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const KdTree& target = *levels[l].target->tree;
    params.points[l] = static_cast<double>(target.size());
    params.spacing[l] = std::max(
        l == finest && !(options.voxel > 0) ? p.target->scale.spacing : measure_scale(target).spacing, 1e-6 * radius);
  }

  const double spacing = params.spacing[finest];
  Scheme finish{.first = widest_sigma * radius, .last = finest_sigma * spacing};
  if (plan.starts > 1) {
    plan.search = search_stages(params, radius);
    finish.first = std::max(2 * spacing, plan.search.back().params.level[plan.search.back().level()].last_sigma);
  }
  if (options.sigma_end > 0) finish.last = p.to_local(options.sigma_end);
  if (options.sigma_start > 0) finish.first = p.to_local(options.sigma_start);
  finish.factor = options.annealing;
  finish.accelerate = options.annealing == 0;
  finish.quality = options.annealing == 0 && options.sigma_end == 0 ? least_quality : 0;
  finish.tolerance = options.tolerance * radius;
  // Without longer steps it takes more of them to stand still.
  finish.settle = finish.accelerate ? 20 : 100;
  finish.max_iterations = options.max_iterations;
  plan.finish = at_level(params, finest, finish);
  return plan;
}

}  // namespace

template <class Options>
std::vector<double> soft_voxels(const Options& options, const Prepared& p) {
  const double finest = p.to_local(options.voxel);
  std::vector<double> voxels;
  if (options.starts != 1) {
    constexpr std::size_t enough = 20'000;
    const LocalCloud source = thinned(p.source->points, enough), target = thinned(p.target->points, enough);
    for (const std::size_t most : part_points) {
      const double voxel = std::max(voxel_for(target, most, p.target->scale.extent),
                                    voxel_for(source, 2 * most, p.source->scale.extent));
      if (voxel > finest && (voxels.empty() || voxel < voxels.back())) voxels.push_back(voxel);
    }
  }
  voxels.push_back(finest);
  return voxels;
}
template std::vector<double> soft_voxels(const EmIcp&, const Prepared&);
template std::vector<double> soft_voxels(const Softassign&, const Prepared&);

SoftPlan make_soft_plan(const EmIcp& options, const Prepared& prepared, std::span<const Level> levels) {
  soft::Params params;
  params.square_roots = options.weighting == Weighting::square_root;
  // A source that shrinks finds a near target point for all of its own, however many target points it leaves alone:
  // their claims have to count too.
  if (options.estimate_scale) params.sweeps = 1;
  return common_plan(options, prepared, levels, params);
}

SoftPlan make_soft_plan(const Softassign& options, const Prepared& prepared, std::span<const Level> levels) {
  soft::Params params;
  params.sweeps = options.sweeps;
  return common_plan(options, prepared, levels, params);
}

int most_passes(const soft::Params& params) {
  return params.level[params.levels - 1].max_iterations * (2 * params.sweeps + 1);
}

}  // namespace dovetail
