// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/coordinate_names.h"

#include <span>
#include <string_view>

#include "io/cursor.h"

namespace dovetail::io {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view x_names[] = {"x"}, y_names[] = {"y"}, z_names[] = {"z"};
constexpr std::string_view longitudes[] = {"lon", "longitude", "long", "lng"};
constexpr std::string_view latitudes[] = {"lat", "latitude"};
constexpr std::string_view eastings[] = {"easting", "east"};
constexpr std::string_view northings[] = {"northing", "north"};
constexpr std::string_view heights[] = {"z", "height", "altitude", "alt", "elevation", "elev", "up"};

struct Family {
  Words x, y, z;
  bool degrees;
};
constexpr Family families[] = {
    {x_names, y_names, z_names, false}, {longitudes, latitudes, heights, true}, {eastings, northings, heights, false}};

/// The column with the first of the words that any has.
std::optional<std::size_t> find(const std::vector<std::string>& names, Words words) {
  for (const std::string_view word : words) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (to_lower(names[i]) == word) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<CoordinateColumns> find_coordinates(const std::vector<std::string>& names) {
  for (const Family& family : families) {
    const auto x = find(names, family.x), y = find(names, family.y);
    if (x && y) return CoordinateColumns{*x, *y, find(names, family.z), family.degrees};
  }
  return std::nullopt;
}

std::optional<std::string> lonely_coordinate(const std::vector<std::string>& names) {
  for (const Family& family : families) {
    for (const Words words : {family.x, family.y}) {
      if (const auto column = find(names, words)) return names[*column];
    }
  }
  return std::nullopt;
}

}  // namespace dovetail::io
