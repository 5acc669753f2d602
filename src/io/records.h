// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/scalar_type.h"

namespace dovetail::io {

/// A field of a record of fixed size, or a whole array where the records lie field after field.
struct Field {
  std::string name;
  ScalarType type = ScalarType::float32;
  int components = 1;
  std::size_t offset = 0;  ///< of the first record's value, in bytes

  std::size_t bytes() const { return size_of(type) * static_cast<std::size_t>(components); }
};

/// Reads one field out of `rows` records that follow each other every `stride` bytes.
/// `bytes` must hold them all: the last record needs only to reach to the end of the field.
Attribute read_field(const Field& field, std::string_view bytes, std::size_t rows, std::size_t stride,
                     std::endian order = std::endian::little);

/// Reads the word as the column's next number; false when it is none.
bool append_word(Attribute& column, std::string_view word);

void reserve(Attribute& column, std::size_t values);

}  // namespace dovetail::io
