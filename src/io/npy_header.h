// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "io/cursor.h"
#include "io/records.h"

namespace dovetail::io {

struct NpyHeader {
  std::vector<Field> fields;  ///< one without a name for plain arrays; several for structured ones
  std::size_t record = 0;     ///< bytes of an item
  std::endian order = std::endian::little;
  bool structured = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the magic, the version and the header. What follows are the items.
NpyHeader read_npy_header(Cursor& cursor);

}  // namespace dovetail::io
