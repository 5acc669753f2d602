// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/icp_plan.h"

#include <algorithm>
#include <cmath>

namespace dovetail {

namespace {

// All lengths of the schedule are parts of R, the root mean square radius of the source about its centroid.
constexpr double coarsest_voxel = 1.0 / 5;
constexpr double voxel_ratio = 1.0 / 3;
constexpr double widest_scale = 1.0, coarse_scale = 0.1, middle_scale = 1.0 / 30, fine_scale = 0.025;
constexpr double coarse_factor = 0.9, fine_factor = 0.7;  ///< of the scale, per iteration
constexpr int settling_iterations = 5;                    ///< after the scale has come down, at all but the last level
constexpr double slice_share = 0.01;                      ///< of the stiffest direction's curvature
constexpr double round_flatness = 1.0, coarse_flatness = 0.01, fine_flatness = 0.001;

/// Voxel sizes from coarse to fine. A level is worth having while it is clearly coarser than the next.
std::vector<double> choose_voxels(const Icp& options, const Prepared& p) {
  const double finest = p.to_local(options.voxel);
  const double resolution = std::max(finest, std::max(p.source->scale.spacing, p.target->scale.spacing));
  const int coarser = options.levels > 0 ? options.levels - 1 : 2;
  std::vector<double> voxels;
  double voxel = coarsest_voxel * p.source->radius;
  for (int i = 0; i < coarser && i + 1 < icp::most_levels && voxel > 2 * resolution; ++i, voxel *= voxel_ratio) {
    voxels.push_back(voxel);
  }
  voxels.push_back(finest);
  return voxels;
}

int steps_between(double first, double last, double factor) {
  return first > last ? static_cast<int>(std::ceil(std::log(last / first) / std::log(factor) - 1e-9)) : 0;
}

}  // namespace

unsigned free_motions(const Freedom& free, bool estimate_scale, int dimension) {
  const bool each[7] = {free.rx, free.ry, free.rz, free.tx, free.ty, free.tz, estimate_scale};
  unsigned mask = 0;
  for (unsigned i = 0; i < 7; ++i) {
    const bool in_plane = i == 2 || i == 3 || i == 4 || i == 6;
    if (each[i] && (dimension == 3 || in_plane)) mask |= 1u << i;
  }
  return mask;
}

int IcpPlan::max_iterations() const {
  int sum = 0;
  for (int i = 0; i < params.levels; ++i) sum += params.level[i].max_iterations;
  return sum;
}

IcpPlan make_icp_plan(const Icp& options, const Prepared& p) {
  IcpPlan plan;
  const double unit = p.source->radius;
  plan.voxels = choose_voxels(options, p);
  plan.params.levels = static_cast<int>(plan.voxels.size());
  plan.params.dimension = p.dimension;
  plan.params.estimate_scale = options.estimate_scale;
  plan.params.max_distance = p.to_local(options.max_distance);
  plan.params.overlap = options.overlap;
  plan.params.free = free_motions(options.free, options.estimate_scale, p.dimension);

  const int last = plan.params.levels - 1;
  for (int i = 0; i <= last; ++i) {
    icp::LevelPlan& level = plan.params.level[i];
    const bool coarse = i == 0, fine = i == last;
    level.kernel = options.kernel;
    level.kernel_on_distance = true;
    // What the levels before have done need not be done again; a level that is alone does it all.
    level.first_scale = unit * (coarse ? widest_scale : i == 1 ? coarse_scale : middle_scale);
    level.last_scale = unit * (fine ? fine_scale : coarse ? coarse_scale : middle_scale);
    if (level.first_scale < level.last_scale) level.first_scale = level.last_scale;
    level.anneal = steps_between(level.first_scale, level.last_scale, coarse ? coarse_factor : fine_factor);
    level.first_flatness = coarse ? round_flatness : fine ? fine_flatness : coarse_flatness;
    level.last_flatness = fine ? fine_flatness : coarse_flatness;
    if (options.kernel_scale > 0 && fine) {
      level.last_scale = p.to_local(options.kernel_scale);
      level.first_scale = std::max(level.first_scale, level.last_scale);
    }
    level.tolerance = fine ? options.tolerance * unit : 0;
    level.max_iterations = fine ? level.anneal + options.max_iterations : level.anneal + settling_iterations;
  }

  if (!p.source->tells_surface && p.target->tells_surface && options.metric == Metric::plane_to_plane) {
    // A slice has no planes of its own, and what those of the target do not hold stays where the start has it.
    plan.params.weak_share = slice_share;
    plan.segments = {{Metric::point_to_plane, 0, last + 1}};
  } else if (options.metric == Metric::point_to_plane && last > 0) {
    // Planes are no guide while the pose is far off: the coarse levels go from points to planes by themselves.
    plan.segments = {{Metric::plane_to_plane, 0, last}, {Metric::point_to_plane, last, last + 1}};
  } else {
    plan.segments = {{options.metric, 0, last + 1}};
  }
  // Whatever the metric: the score compares normals, and the target's shape tells weak directions.
  plan.needs.target_normals = plan.needs.source_normals = true;
  plan.needs.neighbours = options.normal_neighbours;
  return plan;
}

double close_scale(const Prepared& prepared) { return middle_scale * prepared.source->radius; }

}  // namespace dovetail
