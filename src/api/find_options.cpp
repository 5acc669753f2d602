// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<Find> rows[] = {
    {"instances", &Find::instances, from_to(0, 10000, "0 to 10000"),
     "the most instances of each object that are returned; 0: all that are found"},
    {"planes_are_background", &Find::planes_are_background, any,
     "planes much larger than an object are what it stands on, not a part of it"},
    {"may_be_from_origin", &Find::may_be_from_origin, any,
     "the scene may have been seen from its origin, as a depth camera gives it"},
    {"starts", &Find::starts, zero_or(1, 100000, "1 to 100000, or 0 for automatic"),
     "starting poses that are refined for each object"},
    {"normal_neighbours", &Find::normal_neighbours, from_to(3, 32, "3 to 32"),
     "points a normal is estimated from, where the file has none"},
};

}  // namespace

template <>
std::span<const OptionRow<Find>> option_rows<Find>() {
  return rows;
}

}  // namespace dovetail
