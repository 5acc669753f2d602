// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "api/option_table.h"
#include "dovetail/error.h"

namespace dovetail {
namespace {

constexpr OptionRow<Gpicp> rows[] = {
    {"starts_from", &Gpicp::starts_from, any,
     "where to begin: points put onto points anywhere, or rotations about the given start, spread evenly or random"},
    {"starts", &Gpicp::starts, zero_or(1, 100000, "1 to 100000, or 0 for automatic"),
     "starting poses that are refined"},
    {"shift", &Gpicp::shift, zero_or_more,
     "how far rotations about the given start are shifted to every side as well, in file units"},
    {"sets", &Gpicp::sets, from_to(1, 32, "1 to 32"), "random sets of points per iteration"},
    {"set_points", &Gpicp::set_points, from_to(3, 1024, "3 to 1024"), "points in each of them"},
    {"scored", &Gpicp::scored, part_or_automatic, "share of the points on which a set's transform is scored"},
    {"max_iterations", &Gpicp::max_iterations, up_to_a_million, "the most iterations of a start"},
    {"drop", &Gpicp::drop, any, "starts that look hopeless end early, and a pose is left only for a better one"},
    {"metric", &Gpicp::metric, any, "what a set makes small: distances to points, or to the target's planes"},
    {"lookup", &Gpicp::lookup, any, "how the target is asked when a transform is scored"},
    {"epsilon", &Gpicp::epsilon, zero_or_more, "with lookup tree: how much farther than the nearest is near enough"},
    {"tree", &Gpicp::tree, any, "the tree that is searched: of buckets, or the thesis's left-balanced one"},
    {"drawing", &Gpicp::drawing, any, "which points are drawn: all alike, or rather those where the surface bends"},
    {"viewpoints", &Gpicp::viewpoints, any,
     "whether a file's origin may be where its sensor stood: what lies before something seen then speaks against a "
     "pose"},
    {"refine", &Gpicp::refine, any, "what polishes the leaders"},
    {"normal_neighbours", &Gpicp::normal_neighbours, from_to(3, 32, "3 to 32"),
     "points a normal is estimated from, where the file has none"},
};

}  // namespace

template <>
std::span<const OptionRow<Gpicp>> option_rows<Gpicp>() {
  return rows;
}

Gpicp gpicp_preset(std::string_view name) {
  if (name != "thesis") throw InvalidArgument(fmt::format("preset '{}': there is no such one; allowed: thesis", name));
  Gpicp options;
  options.starts_from = StartsFrom::random;
  options.starts = 16;
  options.sets = 32;
  options.set_points = 16;
  options.scored = 1.0 / 32;
  options.max_iterations = 20;
  options.drop = false;
  options.metric = Metric::point_to_point;
  options.lookup = Lookup::depth_first;
  options.tree = SearchTree::left_balanced;
  options.refine = Refinement::none;
  return options;
}

}  // namespace dovetail
