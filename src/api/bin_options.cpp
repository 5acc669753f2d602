// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<BinOptions> rows[] = {
    {"length", &BinOptions::length, automatic_or_positive, "inner size of the bin along x"},
    {"width", &BinOptions::width, automatic_or_positive, "inner size of the bin along y"},
    {"height", &BinOptions::height, automatic_or_positive, "height of the bin's walls"},
    {"plane", &BinOptions::plane, any, "drop onto a plane without walls"},
    {"friction", &BinOptions::friction, from_to(0, 10, "0 to 10"), "coefficient of friction"},
    {"restitution", &BinOptions::restitution, from_to(0, 1, "0 to 1"), "share of an impact's speed that is left"},
    {"pieces", &BinOptions::pieces, from_to(1, 256, "1 to 256"), "convex pieces that a concave part becomes, at most"},
    {"time_step", &BinOptions::time_step, from_to(1e-4, 0.02, "0.0001 to 0.02"),
     "seconds that a step of the simulation takes"},
    {"max_seconds", &BinOptions::max_seconds, from_to(0, 1000, "0 to 1000"),
     "simulated seconds given to come to rest after the last part was let go"},
    {"max_penetration", &BinOptions::max_penetration, part,
     "a part that ends deeper in something than this share of its diameter is taken out"},
};

}  // namespace

template <>
std::span<const OptionRow<BinOptions>> option_rows<BinOptions>() {
  return rows;
}

}  // namespace dovetail
