// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/distance_field.h"

#include "backend/reference/reference_backend.h"

namespace dovetail {

namespace {

using Cell = std::uint32_t[3];

std::uint64_t squared(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t apart = a > b ? a - b : b - a;
  return apart * apart;
}

/// Squared distance in cells of a seed from a cell; far where there is no seed.
std::uint64_t distance_to(std::span<const std::uint64_t> keys, std::uint32_t seed, const Cell& at) {
  if (seed == no_site) return ~std::uint64_t{0};
  const std::uint64_t key = keys[seed];
  return squared(key_x(key), at[0]) + squared(key_y(key), at[1]) + squared(key_z(key), at[2]);
}

/// The best seed of each cell among those its line along `axis` holds: first along x, then y, then z. The lower
/// coordinate wins ties, so in the end the lower number does.
void pass_along(int axis, const FieldGrid& grid, std::span<const std::uint64_t> keys,
                std::vector<std::uint32_t>& nearest) {
  const std::vector<std::uint32_t> before = nearest;
  Cell at;
  for (at[2] = 0; at[2] < grid.cells[2]; ++at[2]) {
    for (at[1] = 0; at[1] < grid.cells[1]; ++at[1]) {
      for (at[0] = 0; at[0] < grid.cells[0]; ++at[0]) {
        std::uint32_t best = no_site;
        Cell other = {at[0], at[1], at[2]};
        for (other[axis] = 0; other[axis] < grid.cells[axis]; ++other[axis]) {
          const std::uint32_t seed = before[grid.index(other[0], other[1], other[2])];
          if (distance_to(keys, seed, at) < distance_to(keys, best, at)) best = seed;
        }
        nearest[grid.index(at[0], at[1], at[2])] = best;
      }
    }
  }
}

void build_dense(FieldLevel& level, std::span<const std::uint64_t> keys) {
  level.nearest.assign(level.grid.size(), no_site);
  for (std::uint32_t seed = 0; seed < keys.size(); ++seed) {
    level.nearest[level.grid.index(key_x(keys[seed]), key_y(keys[seed]), key_z(keys[seed]))] = seed;
  }
  for (int axis = 0; axis < level.grid.dimension; ++axis) pass_along(axis, level.grid, keys, level.nearest);
}

/// Every seed in turn to all cells within the band around it.
template <int D>
void build_banded(FieldLevel& level, std::span<const std::uint64_t> keys) {
  level.nearest.assign(level.stored_cells(), no_site);
  const FieldView view = level.view();
  const std::uint64_t reach = std::uint64_t{level.band} * level.band;
  for (std::uint32_t seed = 0; seed < keys.size(); ++seed) {
    const Cell centre = {key_x(keys[seed]), key_y(keys[seed]), key_z(keys[seed])};
    Cell low, high, at;
    for (int a = 0; a < 3; ++a) {
      low[a] = centre[a] - std::min(centre[a], level.band);
      high[a] = std::min(centre[a] + level.band, level.grid.cells[a] - 1);
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2]) {
      for (at[1] = low[1]; at[1] <= high[1]; ++at[1]) {
        for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) {
          const std::uint64_t apart = distance_to(keys, seed, at);
          const std::uint64_t at_cell = view.stored_at<D>(at[0], at[1], at[2]);
          if (apart > reach || at_cell == FieldView::no_cell) continue;
          if (apart < distance_to(keys, level.nearest[at_cell], at)) level.nearest[at_cell] = seed;
        }
      }
    }
  }
}

}  // namespace

void build_field_reference(FieldLevel& level, std::span<const std::uint64_t> keys) {
  if (level.band == 0) return build_dense(level, keys);
  level.grid.dimension == 2 ? build_banded<2>(level, keys) : build_banded<3>(level, keys);
}

void ReferenceBackend::add_distance_field() {
  add<FieldBuild>([](Backend& self, void* job) {
    FieldBuild& build = *static_cast<FieldBuild*>(job);
    build_field_reference(build.level, build.keys);
    build.placed = put(self.memory(), build.level);
  });
}

}  // namespace dovetail
