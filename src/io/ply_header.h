// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/cursor.h"
#include "io/scalar_type.h"

namespace dovetail::io {

struct PlyProperty {
  std::string name;
  ScalarType type = ScalarType::float32;  ///< of the value, or of a list's items
  std::optional<ScalarType> count_type;   ///< of a list's length; none: not a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has_lists() const;
  std::size_t smallest_record() const;  ///< bytes of a binary record whose lists are all empty
};

struct PlyHeader {
  enum class Layout { ascii, little_endian, big_endian } layout = Layout::ascii;
  std::vector<PlyElement> elements;
  std::uint64_t columns = 0, rows = 0;  ///< what obj_info says of an organised scan

  const PlyElement* find(std::string_view name) const;
};

/// Reads up to and with the line end_header.
PlyHeader read_ply_header(Cursor& cursor);

/// PLY's name of a type; PLY has no 64-bit integers, which are written as double.
const char* ply_type_name(ScalarType type);

}  // namespace dovetail::io
