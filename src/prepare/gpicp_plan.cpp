// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/gpicp_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "prepare/icp_plan.h"
#include "spatial/kd_search.h"
#include "spatial/parallel.h"
#include "spatial/voxel_grid.h"

namespace dovetail {

namespace {

// All lengths are parts of R, the root mean square radius of the source about its centroid.
constexpr double contact_spacing = 1.0 / 5;
constexpr double placement_reach = 0.2;
constexpr double vote_spacing = 0.1, vote_cell = 0.05;
constexpr double first_reach = 0.25, last_reach = 0.08;
constexpr double field_cell = 1.0 / 16;
constexpr int placement_turns = 24;
constexpr float clear_agreement = 0.3f;  // of a point at a pose, to be counted among its poses

constexpr std::size_t automatic_starts = 400, most_placements = 150'000;
constexpr int scored_points = 300;
constexpr double most_cells = 48e6;

LocalCloud cloud_of(const TargetLevel& level, const std::vector<char>& left_out, Backend& backend) {
  const KdTreeView& tree = level.tree_view;
  LocalCloud cloud;
  const std::span<const TreePoint> points = level.tree->points();
  std::vector<float> normal[3];
  const float* const from[3] = {level.normals.x, level.normals.y, level.normals.z};
  for (int a = 0; a < 3; ++a) {
    if (from[a] != nullptr) normal[a] = backend.memory().get(from[a], tree.count);
  }
  for (std::uint32_t slot = 0; slot < tree.count; ++slot) {
    if (!left_out.empty() && left_out[slot] != 0) continue;
    cloud.x.push_back(points[slot].x), cloud.y.push_back(points[slot].y), cloud.z.push_back(points[slot].z);
    cloud.index.push_back(points[slot].index);
    if (normal[0].empty()) continue;
    cloud.nx.push_back(normal[0][slot]), cloud.ny.push_back(normal[1][slot]), cloud.nz.push_back(normal[2][slot]);
  }
  return cloud;
}

/// One point of each voxel, that nearest to the mean of those there, where the normal is known.
std::vector<gpicp::OrientedPoint> one_per_voxel(const LocalCloud& cloud, double voxel) {
  std::vector<gpicp::OrientedPoint> points;
  if (!cloud.has_normals()) return points;
  const VoxelGroups groups = group_by_voxel(cloud, voxel);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Vec3 mean{};
    const auto at = [&](std::uint32_t i) { return Vec3{double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}}; };
    for (const std::uint32_t i : groups.group(g)) mean += at(i);
    mean = (1.0 / static_cast<double>(groups.group(g).size())) * mean;
    double nearest = 1e300;
    std::uint32_t best = 0;
    for (const std::uint32_t i : groups.group(g)) {
      const bool known = cloud.nx[i] != 0 || cloud.ny[i] != 0 || cloud.nz[i] != 0;
      const double d = squared_norm(at(i) - mean);
      if (known && d < nearest) nearest = d, best = i;
    }
    if (nearest == 1e300) continue;
    points.push_back({{cloud.x[best], cloud.y[best], cloud.z[best]}, {cloud.nx[best], cloud.ny[best], cloud.nz[best]}});
  }
  return points;
}

void turn_towards(const Vec3& viewpoint, LocalCloud& cloud) {
  for (std::size_t i = 0; i < cloud.size() && cloud.has_normals(); ++i) {
    const Vec3 ray = viewpoint - Vec3{double{cloud.x[i]}, double{cloud.y[i]}, double{cloud.z[i]}};
    const Vec3 n{double{cloud.nx[i]}, double{cloud.ny[i]}, double{cloud.nz[i]}};
    if (dot(ray, n) >= 0) continue;
    cloud.nx[i] = -cloud.nx[i], cloud.ny[i] = -cloud.ny[i], cloud.nz[i] = -cloud.nz[i];
  }
}

FieldGrid grid_around(const LocalCloud& cloud, float cell, double margin) {
  FieldGrid grid;
  grid.cell = cell;
  grid.per_unit = 1 / cell;
  const std::vector<float>* axis[3] = {&cloud.x, &cloud.y, &cloud.z};
  for (int a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax_element(axis[a]->begin(), axis[a]->end());
    const double from = std::floor((double{*low} - margin) / double{cell}) * double{cell};
    grid.origin[a] = static_cast<float>(from);
    const double cells = std::ceil((double{*high} + margin - from) / double{cell}) + 1;
    grid.cells[a] = static_cast<std::uint32_t>(std::clamp(cells, 1.0, double{FieldGrid::most_cells_a_side}));
  }
  return grid;
}

/// Whether a sensor looked through a place to something behind it.
bool is_free(const Vec3& place, const RangeMap* view, double slack) {
  if (view == nullptr) return false;
  const std::uint32_t cell = view->cell_of(place);
  if (cell == RangeMap::no_cell || view->at(cell).nothing()) return false;
  return norm(place - view->viewpoint()) < double{view->at(cell).near} - slack;
}

/// What a point finds in each cell of a field.
std::vector<std::uint32_t> surface_cells(const FieldLevel& level, double reach, const RangeMap* view,
                                         const std::function<bool(const Vec3&)>& impossible) {
  const FieldGrid& grid = level.grid;
  std::vector<std::uint32_t> cells(grid.size(), 0);
  const auto per_square = static_cast<float>(1 / (reach * reach));
  parallel_for(std::size_t{grid.cells[2]} * grid.cells[1], 16, [&](std::size_t row) {
    const auto y = static_cast<std::uint32_t>(row % grid.cells[1]), z = static_cast<std::uint32_t>(row / grid.cells[1]);
    for (std::uint32_t x = 0; x < grid.cells[0]; ++x) {
      const std::uint64_t at = grid.index(x, y, z);
      const std::uint32_t k = level.nearest[at];
      if (k == no_site) continue;  // there are no sites at all
      const Site& site = level.sites[k];
      const auto middle = [&](int a, std::uint32_t c) {
        return grid.origin[a] + (static_cast<float>(c) + 0.5f) * grid.cell;
      };
      const float d[3] = {middle(0, x) - site.x, middle(1, y) - site.y, middle(2, z) - site.z};
      const float nearness = 1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * per_square;
      float n[3];
      if (nearness > 0) {
        if (site.unpack_normal<3>(n)) cells[at] = gpicp::SurfaceCells::packed(nearness, n);
      } else {
        const Vec3 place{double{middle(0, x)}, double{middle(1, y)}, double{middle(2, z)}};
        if (is_free(place, view, 0.5 * reach) || (impossible && impossible(place))) {
          cells[at] = gpicp::SurfaceCells::free;
        }
      }
    }
  });
  return cells;
}

}  // namespace

std::size_t drawn_level(std::size_t levels) { return levels > 1 ? 1 : 0; }

GpicpPlan make_gpicp_plan(const Gpicp& options, const Prepared& prepared, const Run& run) {
  GpicpPlan plan;
  const double unit = prepared.source->radius;
  const IcpPlan icp = make_icp_plan({.normal_neighbours = options.normal_neighbours}, prepared);
  plan.voxels = icp.voxels;
  plan.needs = icp.needs;
  plan.params.seed = run.seed;
  plan.params.sets = options.sets;
  plan.params.set_points = options.set_points;
  plan.params.iterations = options.max_iterations;
  plan.params.dimension = prepared.dimension;
  plan.params.free = icp.params.free & 0b111111u;
  plan.params.keeps_pose = options.drop;
  plan.params.scores_evenly = options.drawing == Drawing::even && options.drop;
  plan.params.lookup = options.lookup;
  plan.params.bound_factor = static_cast<float>((1 + options.epsilon) * (1 + options.epsilon));
  plan.params.first_reach = first_reach * unit;
  plan.params.last_reach = last_reach * unit;
  plan.params.scored_points = scored_points;
  plan.placements.dimension = prepared.dimension;
  plan.placements.turns = prepared.dimension == 2 ? 1 : placement_turns;
  plan.placement_reach = placement_reach * unit;
  plan.contact_spacing = contact_spacing * unit;
  plan.vote_spacing = vote_spacing * unit;
  plan.vote_cell = vote_cell * unit;
  plan.starts = options.starts > 0 ? static_cast<std::size_t>(options.starts) : automatic_starts;
  plan.most_placements = most_placements;
  plan.left_balanced = options.tree == SearchTree::left_balanced;
  return plan;
}

std::shared_ptr<GpicpTarget> make_gpicp_target(const TargetLevel& level, const GpicpPlan& plan,
                                               const std::vector<char>& left_out, const RangeMap* view,
                                               const std::function<bool(const Vec3&)>& impossible, Backend& backend) {
  auto target = std::make_shared<GpicpTarget>();
  LocalCloud cloud = cloud_of(level, left_out, backend);
  if (cloud.empty()) return target;
  if (view != nullptr) turn_towards(view->viewpoint(), cloud);
  const double unit = plan.params.first_reach / first_reach;
  auto cell = static_cast<float>(std::exp2(std::floor(std::log2(field_cell * unit))));
  const double margin = std::max(plan.params.first_reach, plan.placement_reach);
  FieldLevel& field = target->field_level;
  field.grid = grid_around(cloud, cell, margin);
  while (static_cast<double>(field.grid.size()) > most_cells) field.grid = grid_around(cloud, cell *= 2, margin);
  Seeds seeds = make_seeds(field.grid, cloud);
  field.sites = std::move(seeds.sites);
  FieldBuild build{field, seeds.keys, true};
  backend.run(build);
  target->field = std::move(build.placed);
  target->surface.grid = field.grid;
  target->cells = surface_cells(field, plan.placement_reach, view, impossible);
  target->surface.one_sided = !plan.placements.both_sides;
  target->surface.cells = backend.memory().put(target->cells, target->keeper);
  target->contacts = one_per_voxel(cloud, plan.contact_spacing);
  target->voters = one_per_voxel(cloud, plan.vote_spacing);
  return target;
}

LocalCloud oriented_source(const SourceLevel& level, const RangeMap* view, Backend& backend) {
  LocalCloud cloud = *level.cloud;
  const NormalsView& n = level.points.normal;
  if (n.x != nullptr) {
    cloud.nx = backend.memory().get(n.x, level.points.count);
    cloud.ny = backend.memory().get(n.y, level.points.count);
    cloud.nz = backend.memory().get(n.z, level.points.count);
  }
  if (view != nullptr) turn_towards(view->viewpoint(), cloud);
  return cloud;
}

std::vector<gpicp::OrientedPoint> contacts_of(const LocalCloud& source, double spacing) {
  return one_per_voxel(source, spacing);
}

std::vector<double> cell_scores(std::span<const Similarity3> poses, const LocalCloud& asked,
                                const GpicpTarget& target) {
  gpicp::SurfaceCells cells = target.surface;
  cells.cells = target.cells.data();  // on the host
  const std::vector<FloatPose> each(poses.begin(), poses.end());
  const auto answer_of = [&](const FloatPose& pose, std::size_t i) {
    float at[3], turned[3];
    pose.apply(asked.x[i], asked.y[i], asked.z[i], at);
    pose.rotate(asked.nx[i], asked.ny[i], asked.nz[i], turned);
    const std::uint32_t* const cell = gpicp::cell_at(cells, at);
    return cell == nullptr ? gpicp::SurfaceCells::Answer{0, 0} : cells.ask(*cell, turned);
  };
  std::vector<std::uint32_t> agreed(asked.size(), 0);
  parallel_for(asked.size(), 4, [&](std::size_t i) {
    for (const FloatPose& pose : each) agreed[i] += answer_of(pose, i).agreement > clear_agreement ? 1 : 0;
  });
  const std::vector<double> rarity = rarity_of(agreed, poses.size());
  const double whole = std::accumulate(rarity.begin(), rarity.end(), 0.0);
  std::vector<double> scores(poses.size(), 0);
  parallel_for(poses.size(), 4, [&](std::size_t k) {
    double agreement = 0, visible = 0, rare = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const gpicp::SurfaceCells::Answer answer = answer_of(each[k], i);
      agreement += double{answer.agreement}, visible += double{answer.visible};
      rare += rarity[i] * double{answer.agreement};
    }
    const double pure = agreement / std::max(1.0, visible);
    scores[k] = whole > 0 ? std::sqrt(rare / whole) * pure * pure : 0;
  });
  return scores;
}

LocalCloud asked_points(const LocalCloud& cloud, std::size_t count) {
  std::vector<std::uint32_t> known;
  for (std::uint32_t i = 0; i < cloud.size() && cloud.has_normals(); ++i) {
    if (cloud.nx[i] != 0 || cloud.ny[i] != 0 || cloud.nz[i] != 0) known.push_back(i);
  }
  // Along the curve in steps of the golden ratio: every beginning is spread over all of it.
  std::vector<std::uint32_t> order;
  constexpr double golden = 0.6180339887498949;
  for (std::size_t i = 0; i < std::min(count, known.size()); ++i) {
    const double at = 0.5 + golden * static_cast<double>(i);
    order.push_back(known[static_cast<std::size_t>((at - std::floor(at)) * static_cast<double>(known.size()))]);
  }
  return gather(cloud, order);
}

std::vector<float> bends_of(const LocalCloud& cloud) {
  constexpr int neighbours = 12;
  constexpr float least = 0.1f;  // flat parts hold a pose too
  std::vector<float> bends(cloud.size(), 1.0f);
  if (!cloud.has_normals()) return bends;
  const KdTree tree(cloud.x, cloud.y, cloud.z);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    KNearest<neighbours> near(neighbours, INFINITY);
    search(tree.view(), cloud.x[i], cloud.y[i], cloud.z[i], near);
    float most = 0;
    for (int k = 0; k < near.size(); ++k) {
      const std::uint32_t j = near[k].index;
      const float cosine = cloud.nx[i] * cloud.nx[j] + cloud.ny[i] * cloud.ny[j] + cloud.nz[i] * cloud.nz[j];
      most = std::max(most, 1 - cosine * cosine);
    }
    bends[i] = std::max(least, most);
  }
  return bends;
}

}  // namespace dovetail
