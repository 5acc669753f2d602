// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "io/cursor.h"
#include "io/records.h"

namespace dovetail::io {

struct PcdHeader {
  enum class Layout { ascii, binary, binary_compressed } layout = Layout::ascii;
  std::vector<Field> fields;  ///< with their offsets in a binary record; those named "_" are padding
  std::size_t record = 0;     ///< bytes of a binary record
  std::uint64_t points = 0;
  std::uint64_t width = 0, height = 0;  ///< 0 where the file does not say
};

inline constexpr std::string_view pcd_kinds = "IUF";  ///< what stands under TYPE, for kind_of()

inline bool is_padding(const Field& field) { return field.name == "_"; }

/// Reads up to and with the line DATA.
PcdHeader read_pcd_header(Cursor& cursor);

}  // namespace dovetail::io
