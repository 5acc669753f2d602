// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/points.h"
#include "dovetail/resting.h"
#include "dovetail/work.h"

// Parts dropped into a bin until they rest: how parts lie in practice, with every pose known. docs/bins.md tells how it
// is done and what was measured. Link dovetail::bins.

namespace dovetail {

/// How parts are dropped. Lengths are in the parts' own unit, which does not matter otherwise: the simulation's unit is
/// the diameter of the largest part.
struct BinOptions {
  /// Inner size of the bin along x, y and z. 0: automatic; a floor of 4 to 3 that the parts fill to about half of the
  /// height, and walls of three quarters of the floor's shorter side. The floor has to be at least as long and as wide
  /// as the largest part is, so that a part fits however it comes down.
  double length = 0;
  double width = 0;
  double height = 0;

  /// Drop onto a plane without walls instead. `length` and `width` then say above which rectangle parts are let go;
  /// automatic is an area on which the parts mostly lie apart.
  bool plane = false;

  /// Coulomb's coefficient between parts, and between parts and the bin. 0.5 is steel on steel, dry.
  double friction = 0.5;

  /// How much of the speed of an impact is left after it. Metal parts in a metal bin bounce little once there are many.
  double restitution = 0.1;

  /// A concave part collides as at most so many convex pieces, which together cover all of its surface. More follow the
  /// part better, and take longer.
  int pieces = 24;

  /// Simulated seconds per step. Larger ones are quicker, and what falls gets deeper before it is pushed out.
  double time_step = 1.0 / 120;

  /// Simulated seconds that parts are given to come to rest after the last one was let go.
  double max_seconds = 20;

  /// A part that ends deeper in another part or in the bin than this share of its diameter, is taken out.
  double max_penetration = 0.01;
};

/// So many of a part. The mesh must stay until the call it is given to returns.
struct BinPart {
  const PointCloud* mesh = nullptr;
  int count = 1;
};

/// Two bodies that touch, or nearly so, and how deep one is in the other: measured on the meshes that were given.
struct BinContact {
  static constexpr int bin = -1;
  int first = 0;     ///< index of the resting part
  int second = bin;  ///< index of another resting part, or `bin`
  double depth = 0;  ///< share of the smaller one's diameter; 0 where they do not cross
};

/// What came to rest.
struct Bin {
  double length = 0, width = 0, height = 0;  ///< inner size; of a plane the height is 0
  double wall = 0;                           ///< thickness of the walls; 0 of a plane
  std::vector<RestingPart> parts;            ///< in the order in which they were dropped; kinds count as BinParts do
  std::vector<BinContact> contacts;
  double deepest = 0;  ///< the largest depth of all contacts

  int dropped = 0;      ///< parts that were let go
  int fell_out = 0;     ///< those that went over the walls; they are not among `parts`
  int too_deep = 0;     ///< those that were taken out for BinOptions::max_penetration
  int restless = 0;     ///< those that still moved when time was up; taken out as well
  bool at_rest = true;  ///< all that are left are at rest. False: time was up, or it was cancelled
  int steps = 0;        ///< of the simulation
  std::uint64_t seed = 0;
};

/// Threads work on a bin each. Bins that are not done when they are cancelled end as they are, at_rest false.
using BinRun = Work;

/// Whether bins can be simulated: that was built in where Bullet was found.
bool bins_available();

/// Drops the parts, mixed in a random order, one after another from random places in random attitudes, and waits until
/// they rest. The same bits for the same parts, options and seed. Throws InvalidArgument for options out of range, no
/// parts, a mesh without faces or without volume, a bin in which a part does not fit, and MachineError where
/// bins_available() is false.
Bin simulate_bin(std::span<const BinPart> parts, const BinOptions& options = {}, std::uint64_t seed = 0,
                 const BinRun& run = {});

/// `count` bins, of the seeds `seed`, `seed` + 1, and so on: the same as one after another.
std::vector<Bin> simulate_bins(std::span<const BinPart> parts, int count, const BinOptions& options = {},
                               std::uint64_t seed = 0, const BinRun& run = {});

/// How many bins a density of poses is made of unless told otherwise; docs/bins.md tells how it was chosen.
inline constexpr int default_density_bins = 100;

/// What rests in the bins, as it is kept in a file. `names` are the parts' (of their files); the meshes and so the bins
/// are in `unit`. Throws InvalidArgument unless there is a name for each part.
RestingPoses resting_poses(std::span<const BinPart> parts, std::span<const std::string> names,
                           std::span<const Bin> bins, const std::string& unit = "mm");

/// The bin itself as a mesh in the scene's frame: floor and walls; of a plane a rectangle three times as long and wide.
PointCloud bin_mesh(const Bin& bin);

}  // namespace dovetail
