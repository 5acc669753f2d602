// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/matrix.h"
#include "methods/chamfer_lines.h"

namespace dovetail {

/// Points about the lines that a machine holds, to be counted with the rates that these have.
struct LineCounting {
  Matrix<double, 3, 3> target_from_source;  ///< local
  std::uint32_t level = 0;                  ///< of the problem: which points
  std::uint32_t parts = 0;                  ///< that the lines have
  double spread = 1, strays = 1;            ///< as chamfer::Stage has them
  double weight_unit = 1;                   ///< what weights are multiplied by

  chamfer::LineSettings settings() const {
    chamfer::LineSettings s;
    s.per_spread = static_cast<float>(1 / spread);
    s.strays = static_cast<float>(strays);
    s.volume = static_cast<float>(determinant(target_from_source));
    return s;
  }
};

/// How many points each part of the lines has: each point counts for all it may belong to, by how probable that is.
struct LineCounts {
  std::vector<double> on_part;
  double strays = 0;   ///< of no part
  double squared = 0;  ///< squared distance to the lines, summed over the points on them
};

/// The same while counting, as integers: whoever adds them up, in whatever order, comes to the same.
class LineTally {
 public:
  explicit LineTally(std::uint32_t parts) : tally_(std::size_t{parts} + extra) {}

  static constexpr std::uint32_t strays = 0, squared = 1, extra = 2;  ///< the parts' numbers come after these
  static constexpr float unit = 16777216;                             ///< a point is this many

  std::span<std::uint64_t> numbers() { return tally_; }
  void add(const LineTally& other) {
    for (std::size_t i = 0; i < tally_.size(); ++i) tally_[i] += other.tally_[i];
  }
  LineCounts counts(double spread) const {
    LineCounts c;
    c.strays = points(tally_[strays]);
    c.squared = points(tally_[squared]) * spread * spread;
    for (std::size_t i = extra; i < tally_.size(); ++i) c.on_part.push_back(points(tally_[i]));
    return c;
  }

 private:
  static double points(std::uint64_t n) { return static_cast<double>(n) / double{unit}; }

  std::vector<std::uint64_t> tally_;  ///< squared distances are in squared spreads
};

}  // namespace dovetail
