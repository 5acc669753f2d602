// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/field_scan.cuh"

// The lines of the two passes of a dense field. Along y a candidate is a row with seeds and its cost the square of the
// offset in x to the row's nearest seed. Along z a candidate is a plane with seeds and its cost the squared distance in
// the plane to the seed that the pass along y found. A tile is the candidates of 32 lines in shared memory; where there
// are too many for that, they are read where they are.

namespace dovetail::cuda {

/// Candidates a tile holds at most.
constexpr std::uint32_t most_in_tile = 512;
/// Candidates bounded together where a line is long.
constexpr std::uint32_t group_size = 32;

/// 256 rows of 32 lines: a word of a row of cells, and which rows and lines.
struct LineBlock {
  unsigned word, chunk, set;
};

struct DenseField {
  FieldRows rows;
  std::uint32_t nx, ny, nz;
  std::uint32_t* in_plane;  ///< of each cell: x | y << 16 of the nearest seed in its plane; of planes with seeds only
  std::uint32_t* nearest;
  // Of long lines only:
  std::uint32_t knot_count;     ///< of a line
  std::uint16_t* knots;         ///< best candidate of every 256th row, for each line
  FieldWord* row_groups;        ///< along y: the words of 32 candidates laid over each other
  std::uint32_t* plane_groups;  ///< along z: the least cost of 32 candidates on 32 lines
  std::uint32_t* left;          ///< blocks of lines with more candidates than fit a tile
  std::uint32_t* left_count;    ///< how many

  __device__ std::size_t cell(unsigned x, unsigned y, unsigned z) const { return (std::size_t{z} * ny + y) * nx + x; }
  __device__ const FieldWord* word(unsigned x, unsigned y, unsigned z) const {
    return rows.words + std::size_t{z * ny + y} * rows.words_a_row + x / 32;
  }
  __device__ std::uint32_t number(unsigned x, unsigned y, unsigned z) const { return seed_number(word(x, y, z), x); }
};

/// Along y: the lines of 32 cells side by side in plane z.
struct RowLines {
  static constexpr std::uint32_t most_candidates = 1u << 16;
  using Cost = std::int16_t;  ///< in a tile: the offset itself

  const FieldWord* words;
  const std::uint16_t* rows;
  const FieldWord* groups;
  std::uint32_t count, words_a_row;
  int x, lane;

  __device__ RowLines(const DenseField& field, unsigned word, unsigned z) {
    words = field.word(word * 32, 0, z);
    rows = field.rows.rows + std::size_t{z} * field.ny;
    count = field.rows.row_count[z];
    words_a_row = field.rows.words_a_row;
    groups = field.row_groups + std::size_t{z} * ((field.ny - 1) / group_size + 1) * words_a_row + word;
    lane = static_cast<int>(threadIdx.x & 31u);
    x = static_cast<int>(word) * 32 + lane;
  }
  __device__ int position(std::uint32_t c) const { return __ldg(rows + c); }
  __device__ int offset_at(int row) const {
    return offset_in_row(load_word(words + static_cast<std::size_t>(row) * words_a_row), lane, x);
  }
  __device__ int offset(std::uint32_t c) const { return offset_at(position(c)); }
  __device__ int cost_at(int row) const { return cost_of(static_cast<Cost>(offset_at(row))); }
  __device__ Cost tile_entry(std::uint32_t c) const { return static_cast<Cost>(offset(c)); }
  /// No candidate of the group costs less on any of the 32 lines.
  __device__ unsigned group_bound(std::uint32_t g) const {
    const FieldWord all = load_word(groups + std::size_t{g} * words_a_row);
    const int first = x - lane, least = all.bits != 0 ? 0 : min(first - all.left, all.right - (first + 31));
    return static_cast<unsigned>(least * least);
  }
  /// The same on this lane's line.
  __device__ unsigned group_cost(std::uint32_t g) const {
    const int least = offset_in_row(load_word(groups + std::size_t{g} * words_a_row), lane, x);
    return static_cast<unsigned>(least * least);
  }
  __device__ static int cost_of(Cost entry) { return int{entry} * entry; }
};

/// Along z: the lines of 32 cells side by side in the rows y.
struct PlaneLines {
  static constexpr std::uint32_t most_candidates = 1u << 16;
  using Cost = int;

  const std::uint32_t* in_plane;
  const std::uint16_t* planes;
  const std::uint32_t* groups;
  std::size_t plane_size, group_stride;
  std::uint32_t count;
  int x, y;  ///< x of the row's last cell in lanes past its end

  __device__ PlaneLines(const DenseField& field, unsigned word, unsigned row) {
    const unsigned column = word * 32 + (threadIdx.x & 31u), inside = min(column, field.nx - 1);
    plane_size = std::size_t{field.nx} * field.ny;
    in_plane = field.in_plane + std::size_t{row} * field.nx + inside;
    groups = field.plane_groups + std::size_t{row} * field.rows.words_a_row + word;
    group_stride = std::size_t{field.ny} * field.rows.words_a_row;
    planes = field.rows.planes;
    count = *field.rows.plane_count;
    x = static_cast<int>(inside);
    y = static_cast<int>(row);
  }
  __device__ int position(std::uint32_t c) const { return __ldg(planes + c); }
  __device__ std::uint32_t seed(std::uint32_t plane) const { return __ldg(in_plane + plane * plane_size); }
  __device__ int cost_at(int plane) const {
    const std::uint32_t at = seed(static_cast<unsigned>(plane));
    const int dx = x - static_cast<int>(at & 0xffffu), dy = y - static_cast<int>(at >> 16);
    return dx * dx + dy * dy;
  }
  __device__ Cost tile_entry(std::uint32_t c) const { return cost_at(position(c)); }
  __device__ unsigned group_bound(std::uint32_t g) const { return __ldg(groups + g * group_stride); }
  __device__ unsigned group_cost(std::uint32_t g) const { return group_bound(g); }
  __device__ static int cost_of(Cost entry) { return entry; }
};

/// Writes what 8 rows' best candidates mean; in steps, so that the loads of the 8 overlap.
template <bool last>
struct AlongY {
  using Lines = RowLines;
  DOVETAIL_HD static std::uint32_t rows(const DenseField& field) { return field.ny; }
  static std::uint32_t line_sets(const DenseField& field) { return field.nz; }

  template <class Source>
  __device__ static void write(const DenseField& field, const Lines& lines, const LineBlock& at, const Source& source,
                               int row, const std::uint32_t (&best)[rows_at_once]) {
    std::uint32_t result[rows_at_once];
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) {
      const unsigned x = static_cast<unsigned>(lines.x + source.offset(best[j]));
      const unsigned y = static_cast<unsigned>(source.position(best[j]));
      result[j] = last ? field.number(x, y, at.set) : x | y << 16;
    }
    const unsigned x = static_cast<unsigned>(lines.x), y = static_cast<unsigned>(row);
    if (x >= field.nx) return;
    std::uint32_t* to = (last ? field.nearest : field.in_plane) + field.cell(x, y, at.set);
#pragma unroll
    for (unsigned j = 0; j < rows_at_once; ++j) {
      if (y + j < field.ny) to[std::size_t{j} * field.nx] = result[j];
    }
  }
};

struct AlongZ {
  using Lines = PlaneLines;
  DOVETAIL_HD static std::uint32_t rows(const DenseField& field) { return field.nz; }
  static std::uint32_t line_sets(const DenseField& field) { return field.ny; }

  template <class Source>
  __device__ static void write(const DenseField& field, const Lines& lines, const LineBlock& at, const Source& source,
                               int row, const std::uint32_t (&best)[rows_at_once]) {
    std::uint32_t result[rows_at_once], plane[rows_at_once];
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) {
      plane[j] = static_cast<unsigned>(source.position(best[j]));
      result[j] = lines.seed(plane[j]);
    }
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) result[j] = field.number(result[j] & 0xffffu, result[j] >> 16, plane[j]);
    const unsigned x = at.word * 32 + (threadIdx.x & 31u), z = static_cast<unsigned>(row);
    if (x >= field.nx) return;
    std::uint32_t* to = field.nearest + field.cell(x, at.set, z);
#pragma unroll
    for (unsigned j = 0; j < rows_at_once; ++j) {
      if (z + j < field.nz) to[j * lines.plane_size] = result[j];
    }
  }
};

/// Candidates from `first` on in shared memory.
template <class Lines>
struct Tile {
  static constexpr std::uint32_t most_candidates = most_in_tile;
  typename Lines::Cost* entries;  ///< of this thread's line
  std::uint16_t* positions;

  __device__ int position(std::uint32_t c) const { return positions[c]; }
  __device__ int cost(std::uint32_t c) const { return Lines::cost_of(entries[c * lines_a_block]); }
  __device__ int offset(std::uint32_t c) const { return entries[c * lines_a_block]; }

  /// By the whole block.
  __device__ void fill(const Lines& lines, std::uint32_t first, std::uint32_t count) const {
    for (std::uint32_t c = threadIdx.x; c < count; c += warps_a_block * 32) {
      positions[c] = static_cast<std::uint16_t>(lines.position(first + c));
    }
#pragma unroll 8
    for (std::uint32_t c = threadIdx.x / 32; c < count; c += warps_a_block) {
      entries[c * lines_a_block] = lines.tile_entry(first + c);
    }
    __syncthreads();
  }
};

}  // namespace dovetail::cuda
