// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
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
LasLayout las_layout(unsigned format);

}  // namespace dovetail::io
