// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <climits>
#include <string>

#include "backend/cuda/distance_field.h"

// A banded field, tile by tile: along x, then y, then z, each pass looking at most a band away through the table of
// tiles. A cell within the band of a seed sees it, for all cells between them on the way x, y, z are within the band of
// that seed too, so their tiles are stored. Between the passes a cell holds the offset to its best seed so far.

namespace dovetail::cuda {
namespace {

constexpr unsigned block_size = 256;
constexpr int no_offset = -128;  ///< as dx: no seed within the band
constexpr int rows_at_once = 8;

template <int D>
struct Band {
  static constexpr std::uint32_t side = tile_side(D), shift = D == 2 ? 4 : 3, low = side - 1;
  static constexpr std::uint32_t cells = tile_cells(D), rows = cells / side;

  DeviceTiles tiles;
  std::uint32_t across[3];  ///< tiles of the grid along x, y, z
  int band;
  uint2* seeds;     ///< of each row of a stored tile: which cells are seeds, and the first one's number
  std::int8_t* dx;  ///< of each cell stored
  char2* dxy;       ///< likewise, 3D only
  std::uint32_t* nearest;

  struct Place {
    std::uint32_t x, y, z;
  };
  __device__ Place place(std::uint32_t tile) const {
    return {tile % across[0], tile / across[0] % across[1], tile / across[0] / across[1]};
  }
  /// Where a tile is stored; no_site where it is not, or lies outside of the grid.
  __device__ std::uint32_t slot(int x, int y, int z) const {
    if (x < 0 || y < 0 || z < 0) return no_site;
    const unsigned ux = static_cast<unsigned>(x), uy = static_cast<unsigned>(y), uz = static_cast<unsigned>(z);
    if (ux >= across[0] || uy >= across[1] || uz >= across[2]) return no_site;
    return __ldg(tiles.slot + (std::size_t{uz} * across[1] + uy) * across[0] + ux);
  }
  /// Of a cell within a tile.
  __device__ static std::uint32_t row_of(std::uint32_t y, std::uint32_t z) {
    return D == 2 ? (y & low) : (z & low) * side + (y & low);
  }
  /// Of the seed in a cell of the grid.
  __device__ std::uint32_t number(int x, int y, int z) const {
    const std::uint32_t home = slot(x >> shift, y >> shift, z >> shift);
    const uint2 row =
        __ldg(seeds + std::size_t{home} * rows + row_of(static_cast<unsigned>(y), static_cast<unsigned>(z)));
    return row.y + static_cast<unsigned>(__popc(row.x & ((1u << (static_cast<unsigned>(x) & low)) - 1u)));
  }
};

// A thread a seed; the first seed in a row of a tile writes the row.
template <int D>
__global__ void band_seeds_kernel(const std::uint64_t* keys, std::uint32_t count, Band<D> band) {
  using B = Band<D>;
  const std::uint32_t i = blockIdx.x * block_size + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t key = keys[i];
  if (i > 0 && keys[i - 1] >> B::shift == key >> B::shift) return;
  std::uint32_t bits = 1u << (key & B::low);
  for (std::uint32_t j = i + 1; j < count && keys[j] >> B::shift == key >> B::shift; ++j) {
    bits |= 1u << (keys[j] & B::low);
  }
  const std::uint32_t x = key_x(key), y = key_y(key), z = key_z(key);
  const std::uint32_t slot = band.slot(static_cast<int>(x >> B::shift), static_cast<int>(y >> B::shift),
                                       static_cast<int>(D == 2 ? 0 : z >> B::shift));
  if (slot != no_site) band.seeds[std::size_t{slot} * B::rows + B::row_of(y, z)] = make_uint2(bits, i);
}

// A thread a row of a tile: the nearest seed in the row, of each of its cells.
template <int D>
__global__ void band_along_x_kernel(Band<D> band) {
  using B = Band<D>;
  const std::size_t at = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::uint32_t slot = static_cast<std::uint32_t>(at / B::rows), row = static_cast<std::uint32_t>(at % B::rows);
  if (slot >= band.tiles.stored_count) return;
  const auto tile = band.place(band.tiles.stored[slot]);
  const int x = static_cast<int>(tile.x), y = static_cast<int>(tile.y), z = static_cast<int>(tile.z);
  constexpr int side = static_cast<int>(B::side);
  const auto bits_of = [&](int step) {
    const std::uint32_t other = band.slot(x + step, y, z);
    return other == no_site ? 0 : band.seeds[std::size_t{other} * B::rows + row].x;
  };
  const std::uint32_t own = bits_of(0);
  const int reach = (band.band + side - 1) / side;
  int left = -1000, right = 1000;  // from the tile's first cell
  for (int k = 1; k <= reach && left == -1000; ++k) {
    const std::uint32_t bits = bits_of(-k);
    if (bits != 0) left = -k * side + 31 - __clz(static_cast<int>(bits));
  }
  for (int k = 1; k <= reach && right == 1000; ++k) {
    const std::uint32_t bits = bits_of(k);
    if (bits != 0) right = k * side + __ffs(static_cast<int>(bits)) - 1;
  }
  std::uint32_t packed[side / 4];
#pragma unroll
  for (int w = 0; w < side / 4; ++w) packed[w] = 0;
#pragma unroll
  for (int i = 0; i < side; ++i) {
    const std::uint32_t below = own & ((2u << i) - 1u), above = own >> i;
    const int to_left = i - (below != 0 ? 31 - __clz(static_cast<int>(below)) : left);
    const int to_right = above != 0 ? __ffs(static_cast<int>(above)) - 1 : right - i;
    int offset = to_left <= to_right ? -to_left : to_right;
    if (min(to_left, to_right) > band.band) offset = no_offset;
    packed[i / 4] |= (static_cast<std::uint32_t>(offset) & 0xffu) << (8 * (i % 4));
  }
  auto* to = reinterpret_cast<std::uint32_t*>(band.dx + at * B::side);
#pragma unroll
  for (int w = 0; w < side / 4; ++w) to[w] = packed[w];
}

// A thread 8 cells along y or z: their best candidates, from the own tile outwards until none can be better.
template <int D, int axis>
__global__ void band_pass_kernel(Band<D> band) {
  using B = Band<D>;
  constexpr bool last = axis == D - 1;
  constexpr int side = static_cast<int>(B::side);
  constexpr unsigned a_tile = B::cells / rows_at_once, place_bits = 8;
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::uint32_t slot = static_cast<std::uint32_t>(thread / a_tile),
                      part = static_cast<std::uint32_t>(thread % a_tile);
  if (slot >= band.tiles.stored_count) return;  // whole warps
  const auto tile = band.place(band.tiles.stored[slot]);
  const int tile_at[3] = {static_cast<int>(tile.x), static_cast<int>(tile.y), static_cast<int>(tile.z)};
  // The thread's first cell in its tile, and from there to the next along the axis.
  const std::uint32_t x = part % B::side, second = part / B::side;
  const int first = D == 2 ? static_cast<int>(second) * rows_at_once : 0;
  constexpr std::uint32_t stride = axis == 1 ? B::side : B::side * B::side;
  const std::uint32_t cell = D == 2 ? x : (axis == 1 ? second * B::side * B::side + x : second * B::side + x);
  const int reach = band.band;

  int keys[rows_at_once];
#pragma unroll
  for (int j = 0; j < rows_at_once; ++j) keys[j] = INT_MAX;
  // Where the tile so many tiles on along the axis is stored.
  const auto slot_on = [&](int step) {
    return axis == 1 ? band.slot(tile_at[0], tile_at[1] + step, tile_at[2])
                     : band.slot(tile_at[0], tile_at[1], tile_at[2] + step);
  };
  const auto visit = [&](int step) {
    const std::uint32_t other = slot_on(step);
    if (other == no_site) return;
    const std::size_t base = std::size_t{other} * B::cells + cell;
#pragma unroll
    for (int r = 0; r < side; ++r) {
      const int apart = first - (step * side + r);  // of the thread's first cell
      if (apart > reach || apart + rows_at_once - 1 < -reach) continue;
      const std::size_t from = base + static_cast<std::uint32_t>(r) * stride;
      int cost;
      if constexpr (axis == 1) {
        const int dx = band.dx[from];
        if (dx == no_offset) continue;
        cost = dx * dx;
      } else {
        const char2 d = band.dxy[from];
        if (d.x == no_offset) continue;
        cost = d.x * d.x + d.y * d.y;
      }
      int key = ((cost + apart * apart) << place_bits) + (128 - apart);  // lower coordinates first
      const int more = (2 * apart) * (1 << place_bits);
#pragma unroll
      for (int j = 0; j < rows_at_once; ++j) {
        keys[j] = min(keys[j], key);
        key += more;
      }
    }
  };
  visit(0);
  const int tiles_away = (reach + side - 1) / side;
  for (int k = 1; k <= tiles_away; ++k) {
    const int gap = (k - 1) * side + 1;
    bool more = false;
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) {
      // keys[j] lacks j².
      more = more || keys[j] == INT_MAX || (keys[j] >> place_bits) + j * j >= gap * gap;
    }
    if (!__any_sync(0xffffffffu, more)) break;
    visit(-k);
    visit(k);
  }

  const std::size_t out = std::size_t{slot} * B::cells + cell + static_cast<std::uint32_t>(first) * stride;
#pragma unroll
  for (int j = 0; j < rows_at_once; ++j) {
    const int squared = (keys[j] >> place_bits) + j * j;
    const bool found = keys[j] != INT_MAX && squared <= reach * reach;
    const int at = first - (128 - (keys[j] & 255));  // the candidate, from the tile's first cell
    const std::size_t to = out + static_cast<std::uint32_t>(j) * stride;
    if (!found) {
      if constexpr (last) {
        band.nearest[to] = no_site;
      } else {
        band.dxy[to] = make_char2(no_offset, 0);
      }
      continue;
    }
    const std::size_t from =
        std::size_t{slot_on(at >> B::shift)} * B::cells + cell + (static_cast<std::uint32_t>(at) & B::low) * stride;
    if constexpr (!last) {
      band.dxy[to] = make_char2(band.dx[from], static_cast<signed char>(at - (first + j)));
    } else if constexpr (D == 2) {
      band.nearest[to] =
          band.number(tile_at[0] * side + static_cast<int>(x) + band.dx[from], tile_at[1] * side + at, 0);
    } else {
      const char2 d = band.dxy[from];
      band.nearest[to] = band.number(tile_at[0] * side + static_cast<int>(x) + d.x,
                                     tile_at[1] * side + static_cast<int>(second) + d.y, tile_at[2] * side + at);
    }
  }
}

template <int D>
void build(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, std::uint32_t reach,
           const DeviceTiles& tiles, std::uint32_t* nearest, Workspace& workspace) {
  using B = Band<D>;
  B band{};
  band.tiles = tiles;
  for (int a = 0; a < 3; ++a) band.across[a] = a < D ? (grid.cells[a] - 1) / B::side + 1 : 1;
  band.band = static_cast<int>(reach);
  band.nearest = nearest;
  const std::size_t rows = std::size_t{tiles.stored_count} * B::rows, cells = rows * B::side;
  band.seeds = workspace.take<uint2>(rows);
  band.dx = workspace.take<std::int8_t>(cells);
  if (D == 3) band.dxy = workspace.take<char2>(cells);
  const cudaStream_t stream = workspace.stream();
  const auto blocks = [](std::size_t threads) { return static_cast<unsigned>((threads - 1) / block_size + 1); };
  check_cuda(cudaMemsetAsync(band.seeds, 0, rows * sizeof(uint2), stream), "CUDA: clearing a distance field");
  band_seeds_kernel<D><<<blocks(count), block_size, 0, stream>>>(keys, count, band);
  band_along_x_kernel<D><<<blocks(rows), block_size, 0, stream>>>(band);
  band_pass_kernel<D, 1><<<blocks(cells / rows_at_once), block_size, 0, stream>>>(band);
  if constexpr (D == 3) band_pass_kernel<D, 2><<<blocks(cells / rows_at_once), block_size, 0, stream>>>(band);
  check_cuda(cudaGetLastError(), "CUDA: starting a banded distance field");
}

}  // namespace

void build_banded_field(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, std::uint32_t band,
                        const DeviceTiles& tiles, std::uint32_t* nearest, Workspace& workspace) {
  if (count == 0) throw InvalidArgument("a distance field needs at least one seed");
  if (band == 0 || band > widest_band) {
    throw InvalidArgument("the band of a distance field is " + std::to_string(band) + " cells; allowed are 1 to " +
                          std::to_string(widest_band));
  }
  if (tiles.stored_count == 0) return;
  if (grid.dimension == 2) {
    build<2>(grid, keys, count, band, tiles, nearest, workspace);
  } else {
    build<3>(grid, keys, count, band, tiles, nearest, workspace);
  }
}

}  // namespace dovetail::cuda
