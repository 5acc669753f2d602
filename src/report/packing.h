// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "report/palette.h"
#include "spatial/bounds.h"

namespace dovetail::report {

/// How many of each cloud are shown where all together may be `most`: as many of each, and what small ones leave goes
/// to the larger.
std::vector<std::size_t> fair_shares(std::span<const std::size_t> sizes, std::size_t most);

/// `count` of the indices in an order drawn at random, so that any beginning of it is a fair sample. `stream` sets
/// clouds of one report apart.
std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> indices, std::size_t count, std::uint64_t stream);

/// What no residual is known of.
inline constexpr std::uint8_t no_residual = 255;

/// A residual as a byte: the square root of its share of `clip`, so that small ones are told apart; 254 from `clip` on.
std::uint8_t residual_byte(double residual, double clip);

/// Coordinates as 16 bits of a box, along each axis.
class Quantiser {
 public:
  explicit Quantiser(const Bounds& box);

  std::uint16_t operator()(double value, int axis) const;
  const Vec3& low() const { return low_; }
  const Vec3& size() const { return size_; }

 private:
  Vec3 low_{}, size_{};
};

/// Appends a point's eight bytes: x, y, z (16 bits, little endian), residual, colour.
void append_point(std::string& bytes, const Quantiser& box, const Vec3& p, std::uint8_t residual, std::uint8_t color);

/// Fills up to a multiple of eight bytes, where an array of the page may begin.
void align(std::string& bytes);

}  // namespace dovetail::report
