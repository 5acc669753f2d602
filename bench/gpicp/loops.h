// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <vector>

#include "dovetail/gpicp.h"
#include "gpicp/scene.h"

namespace dovetail::bench::gpicp_studies {

/// What is varied; as it stands, the thesis's own choices.
struct Setting {
  int starts = 16, sets = 32, set_points = 16, iterations = 20;
  double share = 1.0 / 32;  ///< of the points, that a transform is scored on
  Lookup lookup = Lookup::depth_first;
  double epsilon = 0;
  SearchTree tree = SearchTree::left_balanced;
  double shift = 0.3;  ///< of the guess, in radii

  // Only the plain loop knows the next two.
  bool one_search = false;      ///< an iteration's transforms are scored on the pairs found before them
  bool triplets_apart = false;  ///< sets are drawn again until their points are apart, as PCL does
};

/// Where an instance's best start ended.
struct Outcome {
  Similarity3 pose = Similarity3::identity();
  double milliseconds = 0, processor_ms = 0;
  double approximate_error = 0;  ///< mean distance of the scored points, as the loop's own searches see it
};

/// The library's loop.
Outcome run_library(const Setting& setting, const Scene& scene, const StudiedObject& object, const Instance& instance,
                    Backend& backend);

/// A loop of the studies' own, written plainly, for what the library does not do. Starts run side by side.
Outcome run_plain(const Setting& setting, const Scene& scene, const StudiedObject& object, const Instance& instance);

/// The reach of an iteration: geometrically down over six tenths of them, as the library's.
double reach_of(const Setting& setting, const StudiedObject& object, int iteration);
double first_reach(const StudiedObject& object);
double last_reach(const StudiedObject& object);

}  // namespace dovetail::bench::gpicp_studies
