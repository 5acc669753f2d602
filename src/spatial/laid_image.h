// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/host_device.h"

// Small range images that are laid on each other, pixel on pixel: what is about a place of a scene (the window), and
// what a part looks like from many sides (its references). Both are seen from far away at one scale, so that lengths
// are told in pixels along all three axes. Numbers are whole, so that sums over pixels have no rounding: whoever adds
// them, in whatever order, comes to the same.

namespace dovetail {

/// A pixel, four bytes.
struct LaidPixel {
  std::int16_t depth;    ///< along the view from the place, or about the part's centre: 64ths of a pixel
  std::int8_t distance;  ///< to the nearest edge: eighths of a pixel
  std::uint8_t weight;   ///< of a reference 255 |cos| of normal and view, 0 off the part; of a window 0: not known
};
static_assert(sizeof(LaidPixel) == 4);

inline constexpr int depth_steps = 64, distance_steps = 8;  ///< in a pixel
/// Pixels side by side that go together: those of a group share a row and follow each other.
inline constexpr std::uint32_t group_pixels = 8;

/// What is about a place, `size` pixels wide and high, the place in the middle; rows are `stride` pixels apart, and
/// what of a row is beyond `size` is not known.
struct WindowView {
  const LaidPixel* pixels = nullptr;
  std::int32_t size = 0, stride = 0;
};

/// Where the groups of a reference lie in the arrays of all.
struct LaidReference {
  std::uint32_t first = 0, groups = 0;
  std::uint32_t first_seed = 0, seeds = 0;
};

/// A shift of a reference over a window, right, down and along the view: 64ths of a pixel. Without one the reference's
/// middle lies on the window's, and the part's centre on the place.
struct LaidShift {
  std::int32_t x = 0, y = 0, z = 0;
  friend bool operator==(const LaidShift&, const LaidShift&) = default;
};

/// References of one part, `size` pixels wide and high each. Of a reference only the groups with a pixel of the part
/// are kept, in an order of which every beginning is spread over the part.
struct ReferencesView {
  const LaidReference* references = nullptr;
  const LaidPixel* pixels = nullptr;      ///< group by group
  const std::uint32_t* corner = nullptr;  ///< of each group its first pixel, row << 16 | column
  const LaidShift* seeds = nullptr;       ///< shifts that bring a place of the part onto the window's
  std::int32_t size = 0;
  std::uint32_t most_groups = 0;  ///< of a reference
};

/// A window in host memory.
struct LaidWindow {
  std::vector<LaidPixel> pixels;
  std::int32_t size = 0, stride = 0;

  WindowView view() const { return {pixels.data(), size, stride}; }
};

/// References in host memory.
struct LaidReferences {
  std::vector<LaidReference> references;
  std::vector<LaidPixel> pixels;
  std::vector<std::uint32_t> corner;
  std::vector<LaidShift> seeds;
  std::int32_t size = 0;
  std::uint32_t most_groups = 0;

  ReferencesView view() const {
    return {references.data(), pixels.data(), corner.data(), seeds.data(), size, most_groups};
  }
};

}  // namespace dovetail
