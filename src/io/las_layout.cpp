// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/las_layout.h"

#include <iterator>

namespace dovetail::io {
namespace {

// Formats 0 to 5 share the first twenty bytes, formats 6 to 10 the first thirty.
constexpr LasField old_fields[] = {{"intensity", ScalarType::uint16, 12},
                                   {"return_number", ScalarType::uint8, 14, 0, 3},
                                   {"number_of_returns", ScalarType::uint8, 14, 3, 3},
                                   {"scan_direction", ScalarType::uint8, 14, 6, 1},
                                   {"edge_of_flight_line", ScalarType::uint8, 14, 7, 1},
                                   {"classification", ScalarType::uint8, 15, 0, 5},
                                   {"classification_flags", ScalarType::uint8, 15, 5, 3},
                                   {"scan_angle_rank", ScalarType::int8, 16},
                                   {"user_data", ScalarType::uint8, 17},
                                   {"point_source_id", ScalarType::uint16, 18}};

constexpr LasField new_fields[] = {{"intensity", ScalarType::uint16, 12},
                                   {"return_number", ScalarType::uint8, 14, 0, 4},
                                   {"number_of_returns", ScalarType::uint8, 14, 4, 4},
                                   {"classification_flags", ScalarType::uint8, 15, 0, 4},
                                   {"scanner_channel", ScalarType::uint8, 15, 4, 2},
                                   {"scan_direction", ScalarType::uint8, 15, 6, 1},
                                   {"edge_of_flight_line", ScalarType::uint8, 15, 7, 1},
                                   {"classification", ScalarType::uint8, 16},
                                   {"user_data", ScalarType::uint8, 17},
                                   {"scan_angle", ScalarType::int16, 18},
                                   {"point_source_id", ScalarType::uint16, 20},
                                   {"gps_time", ScalarType::float64, 22}};

constexpr std::size_t record_sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

}  // namespace

LasLayout las_layout(unsigned format) {
  LasLayout layout;
  layout.record = record_sizes[format];
  if (format < 6) {
    layout.fields.assign(std::begin(old_fields), std::end(old_fields));
    if (format == 1 || format >= 3) layout.fields.push_back({"gps_time", ScalarType::float64, 20});
    if (format == 2) layout.rgb = 20;
    if (format == 3 || format == 5) layout.rgb = 28;
  } else {
    layout.fields.assign(std::begin(new_fields), std::end(new_fields));
    if (format == 7 || format == 8 || format == 10) layout.rgb = 30;
    if (format == 8 || format == 10) layout.fields.push_back({"nir", ScalarType::uint16, 36});
  }
  return layout;
}

}  // namespace dovetail::io
