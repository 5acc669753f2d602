// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/records.h"

#include "io/endian.h"
#include "io/number.h"

namespace dovetail::io {

Attribute read_field(const Field& field, std::string_view bytes, std::size_t rows, std::size_t stride,
                     std::endian order) {
  Attribute column = make_column(field.name, field.type, field.components);
  const auto components = static_cast<std::size_t>(field.components);
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        values.resize(rows * components);
        T* value = values.data();
        for (std::size_t row = 0; row < rows; ++row) {
          const char* from = bytes.data() + field.offset + row * stride;
          for (std::size_t c = 0; c < components; ++c) *value++ = load<T>(from + c * sizeof(T), order);
        }
      },
      column.values);
  return column;
}

bool append_word(Attribute& column, std::string_view word) {
  return std::visit(
      [&]<class T>(std::vector<T>& values) {
        T value{};
        if (!parse_number(word, value)) return false;
        values.push_back(value);
        return true;
      },
      column.values);
}

void reserve(Attribute& column, std::size_t values) {
  std::visit([&](auto& v) { v.reserve(values); }, column.values);
}

}  // namespace dovetail::io
