// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/em_icp.h"
#include "dovetail/icp.h"

namespace dovetail {

/// Where GPICP begins.
enum class StartsFrom {
  contacts,   ///< a point of the source put onto a point of the target, surface on surface, and turned: anywhere
  rotations,  ///< rotations spread evenly over all there are, about the given start
  random,     ///< rotations drawn at random, about the given start
};

/// How the target is asked when a transform is scored.
enum class Lookup {
  field,        ///< one look-up in a distance field
  tree,         ///< a search of the tree, within a factor of (1 + epsilon)
  depth_first,  ///< the tree's one bucket that the point would be in: near, seldom the nearest
};

/// The tree that is searched for neighbours.
enum class SearchTree {
  buckets,        ///< balanced, a few points a leaf: the faster one
  left_balanced,  ///< a point a node, children found by their number, searched without a stack: as in the thesis
};

/// Which points GPICP draws.
enum class Drawing {
  even,      ///< any point as likely as another
  features,  ///< rather those where the surface bends than those where it is flat
};

/// Whether it counts where sensors stood.
enum class Viewpoints {
  automatic,  ///< the origin of a file, where one sensor may have seen everything in it from there
  unknown,
};

/// GPICP: many starts at once, each by small random sets of points. A set's points find their nearest neighbours, which
/// gives the set a transform of its own; each transform is scored on a part of all points, and the best is kept. Every
/// default follows the data's own scale. A value of 0 means "automatic" where the field says so. docs/methods/gpicp.md
/// tells the equations, and what each default was measured against.
struct Gpicp {
  /// Where to begin. `contacts` needs no start and looks everywhere.
  StartsFrom starts_from = StartsFrom::contacts;

  /// Starting poses that are refined; 0: automatic. Of contacts, the best ones of all that are tried.
  int starts = 0;

  /// How far starts are shifted from the given one to every side, in file units: one more of each rotation at each end
  /// of three axes (not with `contacts`).
  double shift = 0;

  /// Random sets per iteration, and points in each.
  int sets = 8;
  int set_points = 12;

  /// Share of the points on which a transform is scored; 0: automatic, some 300 points.
  double scored = 0;

  /// The most iterations of a start. Hopeless ones end sooner, unless `drop` says otherwise.
  int max_iterations = 20;
  bool drop = true;

  /// What the transform of a set makes small: point_to_point or point_to_plane.
  Metric metric = Metric::point_to_plane;

  Lookup lookup = Lookup::field;
  /// With lookup `tree`: how much farther than the nearest point the one that is found may be, as a part.
  double epsilon = 0;
  /// Which tree neighbours are searched in. Both find points equally near, but for a depth-first search.
  SearchTree tree = SearchTree::buckets;

  Drawing drawing = Drawing::even;

  /// What lies before something that was seen speaks against a pose, where the sensors' places are known.
  Viewpoints viewpoints = Viewpoints::automatic;

  /// What polishes the leaders.
  Refinement refine = Refinement::icp;

  /// Neighbours from which the normal of a point is estimated where its file has none.
  int normal_neighbours = 16;
};

/// Settings by name: "thesis", as the method was published (32 sets of 16 points, a 32nd of the points scored by a
/// depth-first search, 16 starts of 20 iterations, points onto points, nothing dropped). Throws InvalidArgument for
/// another name.
Gpicp gpicp_preset(std::string_view name);

}  // namespace dovetail
