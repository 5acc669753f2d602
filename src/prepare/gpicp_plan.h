// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "dovetail/gpicp.h"
#include "dovetail/run.h"
#include "prepare/levels.h"

namespace dovetail {

/// GPICP's options turned into numbers for the data at hand. Lengths are local.
struct GpicpPlan {
  gpicp::Params params;
  gpicp::Placements::Params placements;
  std::vector<double> voxels;  ///< of the levels: contacts are apart by the first, sets are drawn from the second
  LevelNeeds needs;
  std::size_t starts = 0;           ///< that are refined
  std::size_t most_placements = 0;  ///< pairs of points that are tried
  double contact_spacing = 0, placement_reach = 0;
  double vote_spacing = 0, vote_cell = 0;  ///< of points that vote for shifts, and of the cells they vote for
  bool left_balanced = false;              ///< neighbours are searched in such a tree
};

GpicpPlan make_gpicp_plan(const Gpicp& options, const Prepared& prepared, const Run& run);

/// The number of the level that sets are drawn from.
std::size_t drawn_level(std::size_t levels);

/// A target as GPICP looks at it: its field, and points to put others onto.
struct GpicpTarget {
  FieldLevel field_level;
  Placed<FieldView> field;
  std::vector<std::uint32_t> cells;  ///< of the next, on the host
  gpicp::SurfaceCells surface;
  Keeper keeper;
  std::vector<gpicp::OrientedPoint> contacts, voters;  ///< one per contact_spacing, and one per vote_spacing
};

/// `left_out`, by slot of the level's tree: points that nothing is to be found on. Empty: none. `view` is what a sensor
/// saw of it, null where nobody knows: normals then point to it, and cells it looked through are free. So are places
/// where nothing can be, if somebody knows of such.
std::shared_ptr<GpicpTarget> make_gpicp_target(const TargetLevel& level, const GpicpPlan& plan,
                                               const std::vector<char>& left_out, const RangeMap* view,
                                               const std::function<bool(const Vec3&)>& impossible, Backend& backend);

/// Points of a source, one per voxel of a size, in the order of the curve; and some that are asked, in an order of
/// which every beginning is spread over all. Only points with a normal.
std::vector<gpicp::OrientedPoint> contacts_of(const LocalCloud& source, double spacing);
LocalCloud asked_points(const LocalCloud& source, std::size_t count);

/// A source's points on the host, with their normals; these point to where a sensor stood, where that is known.
LocalCloud oriented_source(const SourceLevel& level, const RangeMap* view, Backend& backend);

/// How well poses fit, as placements are scored, over some points of the source.
std::vector<double> cell_scores(std::span<const Similarity3> poses, const LocalCloud& asked, const GpicpTarget& target);

/// How much the surface bends at each point of a source, 0 to 1: what Drawing::features draws by.
std::vector<float> bends_of(const LocalCloud& source);

}  // namespace dovetail
