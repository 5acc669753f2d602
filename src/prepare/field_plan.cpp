// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/field_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/prepare.h"
#include "spatial/bounds.h"
#include "spatial/distance_field.h"
#include "spatial/selection.h"

namespace dovetail {

namespace {

constexpr double mebibyte = 1024 * 1024;
constexpr double automatic_cells[4] = {0, 0, 2048, 256};  // along the longest side, by dimension
constexpr double automatic_margin = 0.05;                 // of the diagonal
constexpr int automatic_band[4] = {0, 0, 32, 16};
constexpr float neighbourhood[4] = {0, 0, 2.5f, 2.0f};  // cells about a site that tell its normal, by dimension
constexpr double dense_share = 0.25;                    // of the memory, for the coarse field beside a banded one

/// What the grids are laid out over.
struct Domain {
  Vec3 low{}, high{};
  int dimension = 3;
  double margin = 0;

  /// Cells of a given side along an axis; infinite numbers stay so.
  double cells(int axis, double cell) const {
    return axis < dimension ? std::floor((high[axis] - low[axis]) / cell) + 1 : 1.0;
  }
  double dense_bytes(double cell) const { return 4 * cells(0, cell) * cells(1, cell) * cells(2, cell); }
  bool countable(double cell) const {
    for (int a = 0; a < dimension; ++a) {
      if (!(cells(a, cell) <= FieldGrid::most_cells_a_side)) return false;
    }
    return true;
  }
};

Domain domain_of(const PointCloud& cloud, const Selection& usable, const FieldOptions& options) {
  const Bounds box = bounds_of(cloud, usable.kept);
  Domain d;
  d.dimension = cloud.dimension;
  double diagonal = 0;
  for (int a = 0; a < d.dimension; ++a) diagonal = std::hypot(diagonal, box.sides()[a]);
  d.margin = options.margin > 0 ? options.margin : automatic_margin * (diagonal > 0 ? diagonal : 1);
  for (int a = 0; a < 3; ++a) {
    d.low[a] = a < d.dimension ? box.low[a] - d.margin : 0;
    d.high[a] = a < d.dimension ? box.high[a] + d.margin : 0;
  }
  return d;
}

/// The grid of cells 2^coarser times as large as the finest, about the middle of the domain.
FieldGrid grid_of(const Domain& domain, double cell, int coarser) {
  FieldGrid grid;
  grid.dimension = domain.dimension;
  grid.cell = static_cast<float>(std::ldexp(1.0, coarser));
  grid.per_unit = 1 / grid.cell;
  for (int a = 0; a < domain.dimension; ++a) {
    grid.cells[a] = static_cast<std::uint32_t>(domain.cells(a, std::ldexp(cell, coarser)));
    grid.origin[a] = -0.5f * static_cast<float>(grid.cells[a]) * grid.cell;
  }
  return grid;
}

/// The reference's points in local coordinates.
LocalCloud local_points(const Reference& reference, double cell, const LocalFrame& frame, OriginPoints origin_points,
                        std::size_t& count) {
  const bool continuous = !reference.lines.empty() || !reference.points.faces.empty();
  const PointCloud sampled = continuous ? sample_reference(reference, 0.5 * cell) : PointCloud();
  const PointCloud& cloud = continuous ? sampled : reference.points;
  const Selection usable = select_usable(cloud, continuous ? OriginPoints::keep : origin_points);
  count = usable.kept.size();
  PointsView view(cloud);
  if (!continuous) view.normals = nullptr;
  return make_local_cloud(view, usable.kept, frame);
}

/// Sites of lines and surfaces know their normals; those of points are asked for their neighbours.
FieldLevel level_of(const FieldGrid& grid, const LocalCloud& points, std::uint32_t band,
                    std::vector<std::uint64_t>& keys) {
  FieldLevel level;
  level.grid = grid;
  level.band = band;
  Seeds seeds = make_seeds(grid, points);
  if (band > 0) level.tiles = make_tiles(grid, seeds.keys, band);
  level.sites = std::move(seeds.sites);
  if (!points.has_normals()) {
    estimate_site_normals(grid.dimension, neighbourhood[grid.dimension] * grid.cell, level.sites);
  }
  keys = std::move(seeds.keys);
  return level;
}

double bytes_of(const FieldLevel& level) {
  return 4 * (static_cast<double>(level.stored_cells()) + static_cast<double>(level.tiles.slot.size())) +
         static_cast<double>(sizeof(Site) * level.sites.size());
}

[[noreturn]] void refuse(double cell, double bytes, const FieldOptions& options, const char* what) {
  throw InvalidArgument(
      fmt::format("option cell: {:.6g} makes a {} of {:.0f} MiB; memory_mb allows {:.0f}. Allow more, "
                  "or make cells larger",
                  cell, what, std::ceil(bytes / mebibyte), options.memory_mb));
}

}  // namespace

void build_field(PlannedField& plan, bool on_host, Backend& backend) {
  FieldData::PlacedLevels placed;
  for (std::size_t i = 0; i < plan.field.levels.size(); ++i) {
    FieldBuild build{plan.field.levels[i], plan.keys[i], on_host};
    backend.run(build);
    placed.push_back(std::move(build.placed));
  }
  plan.field.resident->in(backend.memory(), [&] { return std::move(placed); });
}

PlannedField plan_field(const Reference& reference, const FieldOptions& options, OriginPoints origin_points) {
  if (reference.points.empty()) throw InvalidArgument("reference: it has no points");
  const bool continuous = !reference.lines.empty() || !reference.points.faces.empty();
  const Selection usable = select_usable(reference.points, continuous ? OriginPoints::keep : origin_points);
  if (usable.kept.empty()) throw InvalidArgument("reference: none of its points can be used");
  const Domain domain = domain_of(reference.points, usable, options);
  const int dimension = domain.dimension;
  const double budget = options.memory_mb * mebibyte;
  double longest = 0;
  for (int a = 0; a < dimension; ++a) longest = std::max(longest, domain.high[a] - domain.low[a] - 2 * domain.margin);
  const bool chosen = options.cell > 0;
  double cell = chosen ? options.cell : (longest > 0 ? longest : domain.margin) / automatic_cells[dimension];
  // Finer than the points lie, cells would show single points instead of the surface these are on.
  if (!chosen && !continuous) cell = std::max(cell, measure_scale(reference.points).spacing);
  const auto fits = [&](double c) { return domain.countable(c) && domain.dense_bytes(c) <= budget; };
  const bool banded =
      options.storage == FieldStorage::banded || (options.storage == FieldStorage::automatic && chosen && !fits(cell));
  if (chosen && !domain.countable(cell)) {
    throw InvalidArgument(
        fmt::format("option cell: {:.6g} makes more than {} cells along a side", cell, FieldGrid::most_cells_a_side));
  }
  if (!banded && chosen && !fits(cell)) refuse(cell, domain.dense_bytes(cell), options, "dense field");
  while (!banded && !fits(cell)) cell *= 1.1;
  while (!domain.countable(cell)) cell *= 1.1;

  PlannedField plan;
  FieldData& field = plan.field;
  for (;; cell *= 1.25) {
    field = {};
    field.geo = reference.frame;
    field.dropped_non_finite = usable.dropped_non_finite;
    field.dropped_at_origin = usable.dropped_at_origin;
    field.frame = {0.5 * (domain.low + domain.high),
                   double{static_cast<float>(1 / cell)}};  // observed points use a float
    field.margin = domain.margin / cell;
    plan.keys.clear();
    const LocalCloud points = local_points(reference, cell, field.frame, origin_points, field.points);
    if (points.empty()) throw InvalidArgument("reference: none of its points can be used");
    field.lines = make_line_map(reference, field.frame);  // after sampling, which checks the reference
    const auto add = [&](int coarser, std::uint32_t band) {
      field.levels.push_back(level_of(grid_of(domain, cell, coarser), points, band, plan.keys.emplace_back()));
    };
    if (!banded) {
      add(0, 0);
      return plan;
    }
    int coarser = 2;
    while (!(domain.dense_bytes(std::ldexp(cell, coarser)) <= dense_share * budget)) ++coarser;
    const double tiles = domain.dense_bytes(cell) / tile_cells(dimension);
    const auto band = static_cast<std::uint32_t>(options.band > 0 ? options.band : automatic_band[dimension]);
    if (tiles <= 0.5 * budget) {
      add(coarser, 0);
      add(0, band);
      const double bytes = bytes_of(field.levels[0]) + bytes_of(field.levels[1]);
      if (bytes <= budget) return plan;
      if (chosen) refuse(cell, bytes, options, "banded field");
    } else if (chosen) {
      refuse(cell, 2 * tiles, options, "banded field");
    }
  }
}

}  // namespace dovetail
