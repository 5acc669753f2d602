// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<BinImages> rows[] = {
    {"images", &BinImages::images, from_to(1, 100000, "1 to 100000"), "images to write, each of a bin of its own"},
    {"columns", &BinImages::columns, from_to(1, 16384, "1 to 16384"), "width of the images, without a camera file"},
    {"rows", &BinImages::rows, from_to(1, 16384, "1 to 16384"), "height of the images, without a camera file"},
    {"field_of_view", &BinImages::field_of_view, from_to(1, 170, "1 to 170"),
     "angle between the image's left and right edge in degrees, without a camera file"},
    {"distance", &BinImages::distance, automatic_or_positive,
     "from the camera to the middle of the bin, in mm; automatic: the bin fills the image"},
    {"tilt", &BinImages::tilt, from_to(0, 80, "0 to 80"),
     "each image's camera is turned about the bin's middle by up to so many degrees"},
    {"noise", &BinImages::noise, any, "depth as a sensor measures it; else the exact one"},
    {"min_visible", &BinImages::min_visible, from_to(0, 1, "0 to 1"),
     "an instance is a target where so large a share of it is visible"},
};

}  // namespace

template <>
std::span<const OptionRow<BinImages>> option_rows<BinImages>() {
  return rows;
}

}  // namespace dovetail
