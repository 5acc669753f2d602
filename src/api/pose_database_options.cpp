// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<PoseDatabaseOptions> rows[] = {
    {"references", &PoseDatabaseOptions::references, from_to(1, 65536, "1 to 65536"), "orientations of each part"},
    {"image_size", &PoseDatabaseOptions::image_size, from_to(16, 256, "16 to 256"),
     "width and height of a reference image in pixels"},
    {"sampling", &PoseDatabaseOptions::sampling, any, "how orientations are spread: by how parts lie, or evenly"},
    {"view_cone", &PoseDatabaseOptions::view_cone, from_to(0, 180, "0 to 180"),
     "parts are seen from within so many degrees of the vertical"},
    {"edge_step", &PoseDatabaseOptions::edge_step, part,
     "a step of depth is an edge from this share of the image's width"},
    {"symmetry_tolerance", &PoseDatabaseOptions::symmetry_tolerance, automatic_or_positive,
     "what still counts as symmetric, in mm (0: 1% of the diameter)"},
    {"seed", &PoseDatabaseOptions::seed, zero_or_more, "of the samples that orientations are chosen from"},
};

}  // namespace

template <>
std::span<const OptionRow<PoseDatabaseOptions>> option_rows<PoseDatabaseOptions>() {
  return rows;
}

}  // namespace dovetail
