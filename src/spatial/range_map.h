// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail {

/// How far a sensor saw in each direction from where it stood: cells of equal angle about the middle of what it saw.
class RangeMap {
 public:
  /// `spacing`: of the points.
  RangeMap(std::span<const Vec3> points, const Vec3& viewpoint, double spacing);

  const Vec3& viewpoint() const { return viewpoint_; }
  double cell() const { return cell_; }  ///< in radians
  std::size_t size() const { return cells_.size(); }

  /// Whether the points may all have been seen from there by one sensor: nearly everywhere one thing in a direction.
  bool plausible() const { return plausible_; }

  /// What was seen in a direction: from the nearest to the farthest point; nothing where `far` is 0.
  struct Seen {
    float near = 0, far = 0;
    bool nothing() const { return far <= 0; }
  };

  /// The cell of a place; no_cell outside of what was looked at.
  static constexpr std::uint32_t no_cell = 0xffffffffu;
  std::uint32_t cell_of(const Vec3& place) const;
  const Seen& at(std::uint32_t cell) const { return cells_[cell]; }

  /// How far the sensor looked through for certain: the range of the nearest point of a cell and of those about it; 0
  /// where most of these are empty.
  double clear_up_to(std::uint32_t cell) const { return double{clear_[cell]}; }

 private:
  struct Angles {
    double across, up;
  };
  Angles angles_of(const Vec3& place) const;
  std::uint32_t cell_at(const Angles& angles) const;
  void find_clear();

  Vec3 viewpoint_;
  Mat3 axes_;  ///< rows: ahead, to the side, up
  double cell_ = 0, first_across_ = 0, first_up_ = 0;
  std::uint32_t width_ = 0, height_ = 0;
  std::vector<Seen> cells_;
  std::vector<float> clear_;
  bool plausible_ = false;
};

}  // namespace dovetail
