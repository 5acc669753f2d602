// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr Range share{0, 1, "0 to 1"};

constexpr OptionRow<DepthSensor> rows[] = {
    {"baseline", &DepthSensor::baseline, from_to(0, 10, "0 to 10"),
     "distance of camera and projector, as a share of the distance to the scene's middle; 0: no shadows"},
    {"shift_noise", &DepthSensor::shift_noise, zero_or_more, "standard deviation of the pattern's shift, in pixels"},
    {"slant_noise", &DepthSensor::slant_noise, zero_or_more, "how much more noise slanted surfaces have: by tan²"},
    {"shift_step", &DepthSensor::shift_step, zero_or_more,
     "the shift is rounded to multiples of this, in pixels; 0: not at all"},
    {"max_slant", &DepthSensor::max_slant, from_to(0, 90, "0 to 90"),
     "surfaces slanted by more give nothing back, in degrees"},
    {"edge", &DepthSensor::edge, part, "an edge is where the depths of neighbours differ by more than this share"},
    {"edge_holes", &DepthSensor::edge_holes, share, "share of the pixels at edges that measure nothing"},
    {"flying", &DepthSensor::flying, share, "share of the pixels at edges that measure a depth between the surfaces"},
    {"dropout", &DepthSensor::dropout, share, "share of all pixels that measure nothing for no reason"},
};

}  // namespace

template <>
std::span<const OptionRow<DepthSensor>> option_rows<DepthSensor>() {
  return rows;
}

}  // namespace dovetail
