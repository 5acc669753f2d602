// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "backend/cuda/workspace.h"
#include "spatial/field_grid.h"

namespace dovetail::cuda {

/// 32 cells of a row: which hold seeds, and where the row's next seeds lie to the left and right of them.
struct alignas(16) FieldWord {
  std::uint32_t bits;
  std::uint32_t before;  ///< number of the word's first seed; of words with seeds only
  std::int32_t left, right;
};

/// So far outside every row that the seed on the other side is nearer.
inline constexpr std::int32_t none_left = -100'000, none_right = 200'000;

/// All that the passes need to know of the seeds. Only rows with seeds have words that can be read.
struct FieldRows {
  FieldWord* words = nullptr;
  std::uint32_t words_a_row = 0;
  std::uint16_t* rows = nullptr;         ///< of each plane: its rows with seeds, ascending, from z * cells[1] on
  std::uint32_t* row_count = nullptr;    ///< of each plane: how many
  std::uint16_t* planes = nullptr;       ///< planes with seeds, ascending
  std::uint32_t* plane_count = nullptr;  ///< how many
};

FieldRows mark_rows(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, Workspace& workspace);

#ifdef __CUDACC__

inline constexpr unsigned every_lane = 0xffffffffu;

/// From cell x, the lane-th of a word's, to the row's nearest seed; to the left one of two equally near.
__device__ inline int offset_in_row(const FieldWord& word, int lane, int x) {
  const unsigned below = word.bits & (every_lane >> (31 - lane)), above = word.bits >> lane;
  const int to_left = below != 0 ? __clz(static_cast<int>(below)) - (31 - lane) : x - word.left;
  const int to_right = above != 0 ? __ffs(static_cast<int>(above)) - 1 : word.right - x;
  return to_left <= to_right ? -to_left : to_right;
}

/// As one load of 16 bytes.
__device__ inline FieldWord load_word(const FieldWord* word) {
  const int4 raw = __ldg(reinterpret_cast<const int4*>(word));
  return {static_cast<unsigned>(raw.x), static_cast<unsigned>(raw.y), raw.z, raw.w};
}

/// Number of the seed at x in the word that holds it.
__device__ inline std::uint32_t seed_number(const FieldWord* word, unsigned x) {
  const uint2 raw = __ldg(reinterpret_cast<const uint2*>(word));
  return raw.y + static_cast<unsigned>(__popc(raw.x & ((1u << (x & 31u)) - 1u)));
}

#endif

}  // namespace dovetail::cuda
