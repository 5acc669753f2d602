// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <climits>
#include <cstdint>

#include "backend/cuda/field_rows.cuh"

// One pass of a distance field solves many lines of cells: for each cell of a line, which of the line's candidates c
// has the least cost(c) + (row - position(c))², the lower one of equals. The best candidate never goes down as the row
// goes up, so the candidates of two rows bound those of the rows between them. A block solves 256 rows of 32 lines side
// by side, a lane a line: every 32nd row over all candidates, then every 8th, then the rest between the ones known.

namespace dovetail::cuda {

/// Candidates are compared by one number: a squared distance, and below it the candidate's place in a chunk.
template <int Bits>
struct Narrow {
  using Key = int;
  static constexpr int bits = Bits;
  static constexpr std::uint32_t chunk = 1u << Bits;
  /// Squared distances must stay below this, 256 rows past the last one too.
  static constexpr std::uint64_t limit = (std::uint64_t{1} << (32 - Bits)) - (1u << 18);
  static constexpr Key most = INT_MAX;

  __device__ static unsigned start() { return 0u - (((1u << (31 - Bits)) - (1u << 17)) << Bits); }
  __device__ static Key key(int cost, int apart, unsigned place) {
    return static_cast<Key>((static_cast<unsigned>(cost + apart * apart) << Bits) + place);
  }
};

struct Wide {
  using Key = long long;
  static constexpr int bits = 20;
  static constexpr std::uint32_t chunk = 1u << 20;
  static constexpr Key most = LLONG_MAX;

  __device__ static unsigned start() { return 0; }
  __device__ static Key key(int cost, int apart, unsigned place) {
    return (Key{cost} + Key{apart} * apart) * (Key{1} << bits) + place;
  }
};

/// Least of the candidates lo to hi, a chunk at most, for `Rows` rows: `row`, and on by `step`. What comes out orders
/// the candidates of one row and holds the best one's place from lo on; it is not the distance.
template <class Packing, int Rows, int step, class Source>
__device__ void scan_chunk(const Source& source, std::uint32_t lo, std::uint32_t hi, int row,
                           typename Packing::Key (&keys)[Rows]) {
  using Key = typename Packing::Key;
#pragma unroll
  for (int j = 0; j < Rows; ++j) keys[j] = Packing::most;
  unsigned place = Packing::start();
#pragma unroll 4
  for (std::uint32_t c = lo; c <= hi; ++c, ++place) {
    const int apart = row - source.position(c);
    Key key = Packing::key(source.cost(c), apart, place);
    // (apart + j step)² without its (j step)², which is the same for all candidates.
    const Key more = Key{2 * step * apart} * (Key{1} << Packing::bits);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      keys[j] = min(keys[j], key);
      key += more;
    }
  }
}

template <class Packing>
__device__ std::uint32_t place_of(typename Packing::Key key) {
  return static_cast<std::uint32_t>(key) & (Packing::chunk - 1);
}

/// Best of the candidates lo to hi for each of the rows.
template <class Packing, int Rows, int step, class Source>
__device__ void scan(const Source& source, std::uint32_t lo, std::uint32_t hi, int row, std::uint32_t (&best)[Rows]) {
  using Key = typename Packing::Key;
  Key keys[Rows];
  scan_chunk<Packing, Rows, step>(source, lo, min(hi, lo + (Packing::chunk - 1)), row, keys);
#pragma unroll
  for (int j = 0; j < Rows; ++j) best[j] = lo + place_of<Packing>(keys[j]);
  if constexpr (Source::most_candidates > Packing::chunk) {
    for (lo += Packing::chunk; lo <= hi; lo += Packing::chunk) {
      Key others[Rows];
      scan_chunk<Packing, Rows, step>(source, lo, min(hi, lo + (Packing::chunk - 1)), row, others);
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
        if (others[j] >> Packing::bits >= keys[j] >> Packing::bits) continue;
        keys[j] = others[j];
        best[j] = lo + place_of<Packing>(others[j]);
      }
    }
  }
}

constexpr int lines_a_block = 32, warps_a_block = 8, rows_a_block = 256;
constexpr int rows_a_warp = rows_a_block / warps_a_block, knots = warps_a_block + 1, rows_at_once = 8;

/// What the warps of a block tell each other: the least of each one's share of the candidates.
template <class Packing>
struct Shares {
  using Key = typename Packing::Key;
  Key keys[warps_a_block][knots][lines_a_block];

  __device__ std::uint32_t best_of_all(int knot, unsigned lane, std::uint32_t share) const {
    Key least = keys[0][knot][lane];
    std::uint32_t found = place_of<Packing>(least);
#pragma unroll
    for (int w = 1; w < warps_a_block; ++w) {
      const Key other = keys[w][knot][lane];
      if (other >> Packing::bits >= least >> Packing::bits) continue;
      least = other;
      found = static_cast<std::uint32_t>(w) * share + place_of<Packing>(other);
    }
    return found;
  }
};

/// Solves rows [first_row, end_row), at most 256, over `count` candidates. emit(row, best) takes 8 rows at a time, of
/// which some may lie past the end.
template <class Packing, class Source, class Emit>
__device__ void solve_lines(const Source& source, std::uint32_t count, int first_row, int end_row,
                            Shares<Packing>& shares, const Emit& emit) {
  using Key = typename Packing::Key;
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x / 32;
  const std::uint32_t share = (count + warps_a_block - 1) / warps_a_block, lo = warp * share;
  static_assert(Source::most_candidates / warps_a_block <= Packing::chunk);
  {
    Key keys[knots];
    scan_chunk<Packing, knots, rows_a_warp>(source, lo, min(count, lo + share) - 1, first_row, keys);
#pragma unroll
    for (int k = 0; k < knots; ++k) shares.keys[warp][k][lane] = keys[k];
  }
  __syncthreads();
  const int row = first_row + static_cast<int>(warp) * rows_a_warp;
  if (row >= end_row) return;
  constexpr int parts = rows_a_warp / rows_at_once;
  std::uint32_t ends[parts + 1];
  ends[0] = shares.best_of_all(static_cast<int>(warp), lane, share);
  ends[parts] = shares.best_of_all(static_cast<int>(warp) + 1, lane, share);
  std::uint32_t inner[parts - 1];
  scan<Packing, parts - 1, rows_at_once>(source, ends[0], ends[parts], row + rows_at_once, inner);
#pragma unroll
  for (int p = 1; p < parts; ++p) ends[p] = inner[p - 1];
#pragma unroll
  for (int p = 0; p < parts; ++p) {
    const int at = row + p * rows_at_once;
    if (at >= end_row) return;
    std::uint32_t best[rows_at_once - 1], found[rows_at_once];
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) found[j] = ends[p];
    if (__any_sync(every_lane, ends[p] != ends[p + 1])) {
      scan<Packing, rows_at_once - 1, 1>(source, ends[p], ends[p + 1], at + 1, best);
#pragma unroll
      for (int j = 1; j < rows_at_once; ++j) found[j] = best[j - 1];
    }
    emit(at, found);
  }
}

}  // namespace dovetail::cuda
