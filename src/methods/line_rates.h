// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "methods/line_counts.h"

// How many points each stretch of some lines has, and how far they scatter about them: expectation and maximisation in
// turns, at a transform. What is unknown comes from a sample first, on the host; then all points are counted where they
// lie (line_counts.h). docs/methods/chamfer.md has the equations.

namespace dovetail {

/// How the observed points lie about lines, besides where the transform puts them.
struct LineRates {
  std::vector<double> rate;  ///< of each stretch: the share of all points on a unit of its length, local
  double spread = 1;         ///< standard deviation of the points about the lines, local
  double least_spread = 0, most_spread = 1e30;
  double stray_share = 0.3;  ///< of the points, that belong to no line
  double area = 1;           ///< that the observed points cover, local

  double strays() const { return stray_share / area; }
};

/// Observed points of a sample, local.
struct LinePoints {
  std::span<const Vector<double, 2>> positions;
  std::span<const double> weights;  ///< empty: all 1
};

/// How many points were counted: the expectation.
struct LineCounts {
  std::vector<double> on_stretch;
  double strays = 0, squared = 0;

  LineCounts() = default;
  LineCounts(std::span<const LineCount::Bin> bins, const LineCount::Sums& sums);
};

/// Before anything is known but the spread, of points that lie about as far as `radius` from their middle.
LineRates no_rates_yet(const LineMap& map, double spread, double radius);

/// Rounds of expectation and maximisation at a transform. Points may be taken to scatter `widened` times as far as they
/// do, so that those count which the transform does not put where they belong yet; the spread then stays as it is.
/// False where the points do not lie about the lines.
bool estimate_rates(const LineMap& map, const LinePoints& points, const Homogeneous<2>& target_from_source,
                    double widened, LineRates& rates);

/// Before all points are counted: a small rate for the stretches that no point of a sample was near.
void give_all_a_rate(const LineMap& map, LineRates& rates);

/// The next rates and spread, given the points counted with those so far. False as above.
bool learn_rates(const LineMap& map, const LineCounts& counts, LineRates& rates);

}  // namespace dovetail
