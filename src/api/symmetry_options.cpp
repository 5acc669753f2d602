// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<SymmetryOptions> rows[] = {
    {"tolerance", &SymmetryOptions::tolerance, automatic_or_positive,
     "largest distance from the turned surface to the surface, in file units; automatic is 1% of the diameter"},
    {"max_order", &SymmetryOptions::max_order, from_to(2, 1000, "2 to 1000"),
     "highest order of an axis that is told from a surface of revolution"},
};

}  // namespace

template <>
std::span<const OptionRow<SymmetryOptions>> option_rows<SymmetryOptions>() {
  return rows;
}

}  // namespace dovetail
