// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/distance_field.h"

#include <algorithm>

#include "spatial/flat_normal.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

std::uint32_t cell_of(const FieldGrid& grid, int axis, float coordinate) {
  const float offset = (coordinate - grid.origin[axis]) * grid.per_unit;  // as FieldView::site_at has it
  if (!(offset > 0)) return 0;
  return std::min(static_cast<std::uint32_t>(offset), grid.cells[axis] - 1);
}

struct Candidate {
  std::uint64_t key;
  float from_centre;
  std::uint32_t point;
};

/// Variance across the surface, as a part of the least one along it.
constexpr double flat = 0.04;
constexpr int least_neighbours[4] = {0, 0, 4, 6};  // by dimension, the site itself included
constexpr int most_neighbours = 32;

template <int D>
std::uint32_t normal_of(const KdTreeView& tree, const Site& site, float reach) {
  KNearest<most_neighbours> near(most_neighbours, reach * reach);
  search(tree, site.x, site.y, site.z, near);
  Vector<double, D> normal{};
  if (near.size() < least_neighbours[D] || !flat_normal<D>(tree, near, flat, normal)) return 0;
  float n[3] = {0, 0, 0};
  for (int a = 0; a < D; ++a) n[a] = static_cast<float>(normal[a]);
  return pack_normal(D, n[0], n[1], n[2]);
}

}  // namespace

Seeds make_seeds(const FieldGrid& grid, const LocalCloud& points) {
  std::vector<Candidate> all(points.size());
  const std::vector<float>* coordinate[3] = {&points.x, &points.y, &points.z};
  parallel_for(points.size(), 4096, [&](std::size_t i) {
    std::uint32_t at[3] = {0, 0, 0};
    float squared = 0;
    for (int a = 0; a < grid.dimension; ++a) {
      const float c = (*coordinate[a])[i];
      at[a] = cell_of(grid, a, c);
      const float off = c - (grid.origin[a] + (static_cast<float>(at[a]) + 0.5f) * grid.cell);
      squared += off * off;
    }
    all[i] = {cell_key(at[0], at[1], at[2]), squared, static_cast<std::uint32_t>(i)};
  });
  parallel_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.from_centre < b.from_centre || b.from_centre < a.from_centre) return a.from_centre < b.from_centre;
    return points.index[a.point] < points.index[b.point];
  });
  const auto same_cell = [](const Candidate& a, const Candidate& b) { return a.key == b.key; };
  all.erase(std::unique(all.begin(), all.end(), same_cell), all.end());
  Seeds seeds;
  seeds.keys.reserve(all.size());
  seeds.sites.reserve(all.size());
  for (const Candidate& c : all) {
    seeds.keys.push_back(c.key);
    const std::uint32_t i = c.point;
    const std::uint32_t normal =
        points.has_normals() ? pack_normal(grid.dimension, points.nx[i], points.ny[i], points.nz[i]) : 0;
    seeds.sites.push_back({points.x[i], points.y[i], points.z[i], normal});
  }
  return seeds;
}

void estimate_site_normals(int dimension, float reach, std::vector<Site>& sites) {
  std::vector<Vec3f> points(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) points[i] = {sites[i].x, sites[i].y, sites[i].z};
  const KdTree tree(points);
  const KdTreeView view = tree.view();
  parallel_for(sites.size(), 512, [&](std::size_t i) {
    sites[i].normal = dimension == 2 ? normal_of<2>(view, sites[i], reach) : normal_of<3>(view, sites[i], reach);
  });
}

FieldTiles make_tiles(const FieldGrid& grid, std::span<const std::uint64_t> keys, std::uint32_t band) {
  const std::uint32_t side = tile_side(grid.dimension);
  FieldTiles t;
  for (int a = 0; a < 3; ++a) t.tiles[a] = a < grid.dimension ? (grid.cells[a] + side - 1) / side : 1;
  t.slot.assign(std::size_t{t.tiles[0]} * t.tiles[1] * t.tiles[2], no_site);
  std::vector<std::uint32_t> seeded;
  const auto tile = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return (z * t.tiles[1] + y) * t.tiles[0] + x;
  };
  const std::uint32_t z_side = grid.dimension == 2 ? 1 : side;
  for (const std::uint64_t key : keys) {
    const std::uint32_t at = tile(key_x(key) / side, key_y(key) / side, key_z(key) / z_side);
    if (seeded.empty() || seeded.back() != at) seeded.push_back(at);
  }
  std::sort(seeded.begin(), seeded.end());
  seeded.erase(std::unique(seeded.begin(), seeded.end()), seeded.end());

  // Whole tiles apart on each axis; tiles next to each other are no cell apart.
  const std::uint32_t reach = (band + side - 1) / side;
  const auto gap = [&](std::uint32_t tiles) { return tiles > 1 ? double{(tiles - 1) * side + 1.0} : tiles * 1.0; };
  const double reach_squared = double{band * 1.0} * band;
  for (const std::uint32_t at : seeded) {
    const std::uint32_t x = at % t.tiles[0], y = at / t.tiles[0] % t.tiles[1], z = at / t.tiles[0] / t.tiles[1];
    const auto low = [&](std::uint32_t c) { return c > reach ? c - reach : 0; };
    const auto high = [&](std::uint32_t c, int a) { return std::min(c + reach, t.tiles[a] - 1); };
    for (std::uint32_t k = low(z); k <= high(z, 2); ++k) {
      for (std::uint32_t j = low(y); j <= high(y, 1); ++j) {
        for (std::uint32_t i = low(x); i <= high(x, 0); ++i) {
          const double dx = gap(std::max(i, x) - std::min(i, x)), dy = gap(std::max(j, y) - std::min(j, y)),
                       dz = gap(std::max(k, z) - std::min(k, z));
          if (dx * dx + dy * dy + dz * dz <= reach_squared) t.slot[tile(i, j, k)] = 0;
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < t.slot.size(); ++i) {
    if (t.slot[i] == no_site) continue;
    t.slot[i] = static_cast<std::uint32_t>(t.stored.size());
    t.stored.push_back(i);
  }
  return t;
}

FieldView FieldLevel::view() const {
  FieldView v;
  v.grid = grid;
  v.sites = sites.data();
  v.site_count = static_cast<std::uint32_t>(sites.size());
  v.nearest = nearest.data();
  if (band > 0) {
    v.tile_slot = tiles.slot.data();
    for (int a = 0; a < 3; ++a) v.tiles[a] = tiles.tiles[a];
  }
  return v;
}

}  // namespace dovetail
