// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dovetail::io {

/// The columns of a table that hold coordinates, by the names its header gives them.
struct CoordinateColumns {
  std::size_t x = 0, y = 0;
  std::optional<std::size_t> z;
  bool degrees = false;  ///< x is a longitude and y a latitude
};

/// Looks for x, y and z; longitude, latitude and height; easting, northing and height, in any order and case. None
/// where two of them are not there.
std::optional<CoordinateColumns> find_coordinates(const std::vector<std::string>& names);

/// A name that is a coordinate's, where there is one: of a header that names one and not its partner.
std::optional<std::string> lonely_coordinate(const std::vector<std::string>& names);

}  // namespace dovetail::io
