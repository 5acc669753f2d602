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

/// Best of the candidates lo to hi for `Rows` rows: `row`, and on by `step`. What comes out as `least` orders the
/// candidates of one row; it is not the distance.
template <class Packing, int Rows, int step, class Source>
__device__ void scan(const Source& source, std::uint32_t lo, std::uint32_t hi, int row,
                     typename Packing::Key (&least)[Rows], std::uint32_t (&best)[Rows]) {
  using Key = typename Packing::Key;
  for (std::uint32_t base = lo; base <= hi; base += Packing::chunk) {
    const std::uint32_t end = min(hi, base + (Packing::chunk - 1));
    Key keys[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j) keys[j] = Packing::most;
    unsigned place = Packing::start();
#pragma unroll 2
    for (std::uint32_t c = base; c <= end; ++c, ++place) {
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
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const Key value = keys[j] >> Packing::bits;
      if (base == lo || value < least[j]) {
        least[j] = value;
        best[j] = base + (static_cast<std::uint32_t>(keys[j]) & (Packing::chunk - 1));
      }
    }
    if constexpr (Source::most_candidates <= Packing::chunk) break;
  }
}

constexpr int lines_a_block = 32, warps_a_block = 8, rows_a_block = 256;
constexpr int rows_a_warp = rows_a_block / warps_a_block, knots = warps_a_block + 1, rows_at_once = 8;

/// What the warps of a block tell each other: the best of each one's share of the candidates.
template <class Packing>
struct Shares {
  typename Packing::Key least[warps_a_block][knots][lines_a_block];
  std::uint16_t best[warps_a_block][knots][lines_a_block];

  __device__ std::uint32_t best_of_all(int knot, unsigned lane) const {
    typename Packing::Key value = least[0][knot][lane];
    std::uint32_t found = best[0][knot][lane];
#pragma unroll
    for (int w = 1; w < warps_a_block; ++w) {
      const typename Packing::Key other = least[w][knot][lane];
      if (other < value) value = other, found = best[w][knot][lane];
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
  {
    const std::uint32_t share = (count + warps_a_block - 1) / warps_a_block, lo = warp * share;
    const std::uint32_t end = min(count, lo + share);
    Key least[knots];
    std::uint32_t best[knots];
#pragma unroll
    for (int k = 0; k < knots; ++k) least[k] = Packing::most, best[k] = 0;
    if (lo < end) scan<Packing, knots, rows_a_warp>(source, lo, end - 1, first_row, least, best);
#pragma unroll
    for (int k = 0; k < knots; ++k) {
      shares.least[warp][k][lane] = least[k];
      shares.best[warp][k][lane] = static_cast<std::uint16_t>(best[k]);
    }
  }
  __syncthreads();
  const int row = first_row + static_cast<int>(warp) * rows_a_warp;
  if (row >= end_row) return;
  constexpr int parts = rows_a_warp / rows_at_once;
  std::uint32_t ends[parts + 1];
  ends[0] = shares.best_of_all(static_cast<int>(warp), lane);
  ends[parts] = shares.best_of_all(static_cast<int>(warp) + 1, lane);
  {
    Key least[parts - 1];
    std::uint32_t best[parts - 1];
    scan<Packing, parts - 1, rows_at_once>(source, ends[0], ends[parts], row + rows_at_once, least, best);
#pragma unroll
    for (int p = 1; p < parts; ++p) ends[p] = best[p - 1];
  }
#pragma unroll
  for (int p = 0; p < parts; ++p) {
    const int at = row + p * rows_at_once;
    if (at >= end_row) return;
    Key least[rows_at_once - 1];
    std::uint32_t best[rows_at_once - 1], found[rows_at_once];
#pragma unroll
    for (int j = 1; j < rows_at_once; ++j) best[j - 1] = ends[p];
    if (__any_sync(every_lane, ends[p] != ends[p + 1])) {
      scan<Packing, rows_at_once - 1, 1>(source, ends[p], ends[p + 1], at + 1, least, best);
    }
    found[0] = ends[p];
#pragma unroll
    for (int j = 1; j < rows_at_once; ++j) found[j] = best[j - 1];
    emit(at, found);
  }
}

}  // namespace dovetail::cuda
