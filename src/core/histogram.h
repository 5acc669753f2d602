// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstdint>

#include "dovetail/host_device.h"

namespace dovetail {

/// A histogram of positive numbers (squared distances) over 64 octaves, 2^-48 to 2^16, four bins an octave: the bin is
/// the number's exponent and its top two mantissa bits. Integer counts add up the same in any order, so quantiles taken
/// from them do not depend on threads, blocks or ranks. A bin is at most 25% wide (12% in distance).
namespace residual_histogram {

inline constexpr int bins = 256;
inline constexpr std::uint32_t first_bits = (127u - 48u) << 2;  // exponent and two mantissa bits of 2^-48

/// Bin of a value; what lies outside goes to the first or last bin, zero and negative to the first, NaN to the last.
DOVETAIL_HD constexpr int bin(float value) {
  if (value <= 0.0f) return 0;
  const std::uint32_t bits = (std::bit_cast<std::uint32_t>(value) & 0x7fffffffu) >> 21;
  if (bits < first_bits) return 0;
  const std::uint32_t b = bits - first_bits;
  return b < static_cast<std::uint32_t>(bins) ? static_cast<int>(b) : bins - 1;
}

/// Smallest value of a bin; 0 for the first, which also holds what is smaller.
DOVETAIL_HD constexpr float lower_edge(int b) {
  return b <= 0 ? 0.0f : std::bit_cast<float>((first_bits + static_cast<std::uint32_t>(b)) << 21);
}
/// Where the next bin begins.
DOVETAIL_HD constexpr float upper_edge(int b) {
  return std::bit_cast<float>((first_bits + static_cast<std::uint32_t>(b) + 1u) << 21);
}

/// Where the quantile lies: `bin` holds the value of rank ceil(fraction * total), `within` in (0, 1] is how far through
/// the bin's counts it is. An empty histogram gives bin -1.
struct Position {
  int bin;
  float within;
};
DOVETAIL_HD constexpr Position find(const std::uint32_t* counts, double fraction) {
  std::uint64_t total = 0;
  for (int b = 0; b < bins; ++b) total += counts[b];
  if (total == 0) return {-1, 0.0f};
  const double wanted = fraction * static_cast<double>(total);
  std::uint64_t rank = wanted > 0.0 ? static_cast<std::uint64_t>(wanted) : 0;
  if (static_cast<double>(rank) < wanted) ++rank;
  rank = rank < 1 ? 1 : (rank > total ? total : rank);
  int b = 0;
  std::uint64_t before = 0;
  while (before + counts[b] < rank) before += counts[b++];
  return {b, static_cast<float>(rank - before) / static_cast<float>(counts[b])};
}

/// The quantile, interpolated within its bin; 0 for an empty histogram.
DOVETAIL_HD constexpr float quantile(const std::uint32_t* counts, double fraction) {
  const Position at = find(counts, fraction);
  if (at.bin < 0) return 0.0f;
  const float lower = lower_edge(at.bin), upper = upper_edge(at.bin);
  return lower + at.within * (upper - lower);
}

}  // namespace residual_histogram
}  // namespace dovetail
