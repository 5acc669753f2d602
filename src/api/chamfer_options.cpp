// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<Chamfer> chamfer_rows[] = {
    {"model", &Chamfer::model, any, "what the transform may do"},
    {"cap_start", &Chamfer::cap_start, automatic_or_positive,
     "distance at which a point stops counting when the schedule starts, in file units"},
    {"cap_end", &Chamfer::cap_end, automatic_or_positive,
     "distance at which a point stops counting when it ends, in file units"},
    {"search_shift", &Chamfer::search_shift, automatic_or_positive,
     "shifts searched along each axis, either way, in file units"},
    {"search_rotation", &Chamfer::search_rotation, from_to(0, 180, "0 to 180"),
     "rotations searched about each axis, either way, in degrees"},
    {"search_scale", &Chamfer::search_scale, from_to(0, 0.9, "0 to 0.9"),
     "changes of scale searched, either way, as a part (similarity and wider)"},
    {"starts", &Chamfer::starts, zero_or(1, 1e6, "1 to 1000000, or 0 for automatic"),
     "starts tried within that range about each given start; 1 is the given start alone"},
    {"search_points", &Chamfer::search_points, zero_or(10, 1e9, "10 or more, or 0 for automatic"),
     "observed points the search uses"},
    {"hierarchy", &Chamfer::hierarchy, any, "fit the simpler models first, each from the answer of the one before"},
    {"finish", &Chamfer::finish, any,
     "what the last stage looks at: distances, or for lines in the plane how probable the points are there"},
    {"order", &Chamfer::order, any, "cost and derivatives in one pass, or one after the other; the steps are the same"},
    {"max_iterations", &Chamfer::max_iterations, up_to_a_million, "the most iterations of a stage of the schedule"},
    {"tolerance", &Chamfer::tolerance, part,
     "converged when a step moves the observed points by less than this part of a cell"},
};

constexpr OptionRow<FieldOptions> field_rows[] = {
    {"cell", &FieldOptions::cell, automatic_or_positive, "side of a cell of the distance field, in file units"},
    {"memory_mb", &FieldOptions::memory_mb, from_to(1, 1e7, "1 to 10000000"),
     "the most memory the distance field may take, in MiB"},
    {"storage", &FieldOptions::storage, any, "whether every cell of the domain is kept, or those near the reference"},
    {"margin", &FieldOptions::margin, automatic_or_positive,
     "how far the domain goes beyond the reference, in file units"},
    {"band", &FieldOptions::band, zero_or(4, 64, "4 to 64, or 0 for automatic"),
     "banded: how many cells away from the reference cells are kept"},
};

}  // namespace

template <>
std::span<const OptionRow<Chamfer>> option_rows<Chamfer>() {
  return chamfer_rows;
}

template <>
std::span<const OptionRow<FieldOptions>> option_rows<FieldOptions>() {
  return field_rows;
}

}  // namespace dovetail
