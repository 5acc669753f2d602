// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/scalar_type.h"

namespace dovetail::io {

/// A value of a LAS point record that is kept as an attribute: a number at `offset`, or `bits` of a byte from `shift`
/// on.
struct LasField {
  const char* name;
  ScalarType type;
  std::size_t offset;
  unsigned shift = 0;
  unsigned bits = 0;  ///< 0: the whole number
};

struct LasLayout {
  std::size_t record = 0;  ///< the smallest size of a record; files may add bytes of their own
  std::size_t rgb = 0;     ///< offset of red, green, blue as 16-bit numbers; 0: no colours
  std::vector<LasField> fields;
};

/// How the records of point formats 0 to 10 lie. X, Y and Z are always the first twelve bytes.
inline LasLayout las_layout(unsigned format) {
  constexpr std::size_t sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
  LasLayout layout;
  layout.record = sizes[format];
  layout.fields.push_back({"intensity", ScalarType::uint16, 12});
  if (format < 6) {
    layout.fields.insert(layout.fields.end(), {{"return_number", ScalarType::uint8, 14, 0, 3},
                                               {"number_of_returns", ScalarType::uint8, 14, 3, 3},
                                               {"scan_direction", ScalarType::uint8, 14, 6, 1},
                                               {"edge_of_flight_line", ScalarType::uint8, 14, 7, 1},
                                               {"classification", ScalarType::uint8, 15, 0, 5},
                                               {"classification_flags", ScalarType::uint8, 15, 5, 3},
                                               {"scan_angle_rank", ScalarType::int8, 16},
                                               {"user_data", ScalarType::uint8, 17},
                                               {"point_source_id", ScalarType::uint16, 18}});
    const bool timed = format == 1 || format >= 3;
    if (timed) layout.fields.push_back({"gps_time", ScalarType::float64, 20});
    if (format == 2) layout.rgb = 20;
    if (format == 3 || format == 5) layout.rgb = 28;
  } else {
    layout.fields.insert(layout.fields.end(), {{"return_number", ScalarType::uint8, 14, 0, 4},
                                               {"number_of_returns", ScalarType::uint8, 14, 4, 4},
                                               {"classification_flags", ScalarType::uint8, 15, 0, 4},
                                               {"scanner_channel", ScalarType::uint8, 15, 4, 2},
                                               {"scan_direction", ScalarType::uint8, 15, 6, 1},
                                               {"edge_of_flight_line", ScalarType::uint8, 15, 7, 1},
                                               {"classification", ScalarType::uint8, 16},
                                               {"user_data", ScalarType::uint8, 17},
                                               {"scan_angle", ScalarType::int16, 18},
                                               {"point_source_id", ScalarType::uint16, 20},
                                               {"gps_time", ScalarType::float64, 22}});
    if (format == 7 || format == 8 || format == 10) layout.rgb = 30;
    if (format == 8 || format == 10) layout.fields.push_back({"nir", ScalarType::uint16, 36});
  }
  return layout;
}

}  // namespace dovetail::io
