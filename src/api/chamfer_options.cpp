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
    {"search_rotation",
     &Chamfer::search_rotation,
     {0, 180, false, false, "0 to 180"},
     "rotations searched about each axis, either way, in degrees"},
    {"search_scale",
     &Chamfer::search_scale,
     {0, 0.9, false, false, "0 to 0.9"},
     "changes of scale searched, either way, as a part (similarity and wider)"},
    {"starts",
     &Chamfer::starts,
     {1, 1e6, false, true, "1 to 1000000, or 0 for automatic"},
     "starts tried within that range about each given start; 1 is the given start alone"},
    {"search_points",
     &Chamfer::search_points,
     {10, 1e9, false, true, "10 or more, or 0 for automatic"},
     "observed points the search uses"},
    {"hierarchy", &Chamfer::hierarchy, any, "fit the simpler models first, each from the answer of the one before"},
    {"finish", &Chamfer::finish, any,
     "what the last stage looks at: distances, or for lines in the plane how probable the points are there"},
    {"order", &Chamfer::order, any, "cost and derivatives in one pass, or one after the other; the steps are the same"},
    {"max_iterations",
     &Chamfer::max_iterations,
     {1, 1e6, false, false, "1 to 1000000"},
     "the most iterations of a stage of the schedule"},
    {"tolerance",
     &Chamfer::tolerance,
     {0, 1, true, false, "more than 0 up to 1"},
     "converged when a step moves the observed points by less than this part of a cell"},
};

constexpr OptionRow<FieldOptions> field_rows[] = {
    {"cell", &FieldOptions::cell, automatic_or_positive, "side of a cell of the distance field, in file units"},
    {"memory_mb",
     &FieldOptions::memory_mb,
     {1, 1e7, false, false, "1 to 10000000"},
     "the most memory the distance field may take, in MiB"},
    {"storage", &FieldOptions::storage, any, "whether every cell of the domain is kept, or those near the reference"},
    {"margin", &FieldOptions::margin, automatic_or_positive,
     "how far the domain goes beyond the reference, in file units"},
    {"band",
     &FieldOptions::band,
     {4, 64, false, true, "4 to 64, or 0 for automatic"},
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
