// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

/// A place on the Morton curve: the bits of three cell numbers interleaved, those of z highest. 42 bits an axis, so
/// that a few points a million times farther out than the rest leave the rest their resolution.
struct MortonCode {
  static constexpr int bits = 42;

  std::uint64_t high, low;
  friend constexpr auto operator<=>(const MortonCode&, const MortonCode&) = default;
};

/// The 21 low bits of v, each followed by two zeros.
constexpr std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x001f00000000ffff;
  v = (v | v << 16) & 0x001f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  v = (v | v << 2) & 0x1249249249249249;
  return v;
}

constexpr MortonCode morton_code(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  constexpr int half = MortonCode::bits / 2;
  return {spread_bits(x >> half) | spread_bits(y >> half) << 1 | spread_bits(z >> half) << 2,
          spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2};
}

/// A point on the curve: points are ordered by code, then index.
struct CodedPoint {
  MortonCode code;
  std::uint32_t index;     ///< the caller's, breaks ties
  std::uint32_t position;  ///< in the arrays at hand
};

/// Sorts along the curve, in parallel; the indices must differ, so that there is one order only.
void sort_along_curve(std::vector<CodedPoint>& points);

/// The positions of finite points in the order of the Morton curve through their bounding cube; ties by `index` (by
/// position without it).
std::vector<std::uint32_t> morton_order(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                                        std::span<const std::uint32_t> index = {});

}  // namespace dovetail
