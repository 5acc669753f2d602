// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/transform.h"
#include "search/shift_votes.h"

namespace dovetail {

// Where scans of rooms, streets or machined parts begin: most of what is flat there faces a few directions. Rotations
// that bring directions of the source onto directions of the target are few; for each of them, every pair of points
// that then face the same way votes for the shift between them, and shifts with many votes are starts.
// docs/methods/gpicp.md (6), (7).

/// A direction that many points of a cloud face, and the share of them that do.
struct Direction {
  Vec3 normal{};
  double share = 0;
};

/// The directions that at least a fiftieth of the points face, most first; few where nothing is flat.
std::vector<Direction> dominant_directions(const FacingPoints& cloud);

/// The different rotations that bring two directions of the source onto two of the target, those of large surfaces
/// first, up to `most`.
std::vector<Mat3> rotations_between(std::span<const Direction> source, std::span<const Direction> target,
                                    bool one_sided, int dimension, std::size_t most);

/// The poses of all these rotations and shifts.
struct DirectionStarts {
  std::size_t rotations = 72, shifts = 150;
  double cell = 0;
};
std::vector<Similarity3> direction_starts(const FacingPoints& source, const FacingPoints& target,
                                          const DirectionStarts& settings);

}  // namespace dovetail
