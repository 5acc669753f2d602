// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dovetail::report {

/// Up to 256 colours that stand for all of a cloud's.
class Palette {
 public:
  using Color = std::array<std::uint8_t, 4>;

  /// Chosen by median cut (Heckbert, 1982) over colours of five bits a channel.
  explicit Palette(const std::vector<Color>& colors);

  const std::vector<std::array<std::uint8_t, 3>>& colors() const { return colors_; }
  std::uint8_t index_of(const Color& color) const { return index_[bin_of(color)]; }

 private:
  static std::size_t bin_of(const Color& c) {
    return static_cast<std::size_t>(c[0] >> 3) << 10 | static_cast<std::size_t>(c[1] >> 3) << 5 | c[2] >> 3;
  }

  std::vector<std::array<std::uint8_t, 3>> colors_;
  std::vector<std::uint8_t> index_;  ///< of every bin
};

}  // namespace dovetail::report
