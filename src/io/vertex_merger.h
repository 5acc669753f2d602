// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail::io {

/// Gives equal positions the same number, in the order they first come: what turns STL's loose triangles into a mesh.
/// Equal means ==, so that 0 and -0 are one point and a NaN is always a new one.
class VertexMerger {
 public:
  std::uint32_t add(const Vec3& position) {
    if (2 * (positions_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = find(position);
    if (slot == empty) {
      slot = static_cast<std::uint32_t>(positions_.size());
      positions_.push_back(position);
    }
    return slot;
  }

  std::vector<Vec3> take_positions() { return std::move(positions_); }

 private:
  static constexpr std::uint32_t empty = 0xffffffff;

  static std::uint64_t hash(const Vec3& position) {
    std::uint64_t h = 0;
    for (int axis = 0; axis < 3; ++axis) {
      h = (h ^ std::bit_cast<std::uint64_t>(position[axis] + 0.0)) * 0x9e3779b97f4a7c15u;  // -0 + 0 is 0
      h ^= h >> 32;
    }
    return h;
  }

  std::uint32_t& find(const Vec3& position) {
    std::size_t slot = hash(position) & (slots_.size() - 1);
    while (slots_[slot] != empty && !(positions_[slots_[slot]] == position)) slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), empty);
    for (std::size_t i = 0; i < positions_.size(); ++i) find(positions_[i]) = static_cast<std::uint32_t>(i);
  }

  std::vector<Vec3> positions_;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full
};

}  // namespace dovetail::io
