// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <bit>

#include "io/columns.h"
#include "io/formats.h"
#include "io/lzf.h"
#include "io/pcd_header.h"

namespace dovetail::io {
namespace {

bool is_packed_color(const Field& field) {
  return (field.name == "rgb" || field.name == "rgba") && field.bytes() == 4 && field.components == 1;
}

/// A colour packed into 32 bits. As text it is a whole number, or the real number that has the same bits.
bool append_packed_color(Attribute& column, ScalarType type, std::string_view word) {
  auto& values = std::get<std::vector<std::uint32_t>>(column.values);
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    T value{};
    if (!parse_number(word, value)) return false;
    if constexpr (sizeof(T) == 4) values.push_back(std::bit_cast<std::uint32_t>(value));
    return true;
  });
}

std::vector<Attribute> read_text(Cursor& cursor, const PcdHeader& header) {
  std::vector<Attribute> columns;
  std::size_t values_per_row = 0;
  for (const Field& field : header.fields) values_per_row += static_cast<std::size_t>(field.components);
  const std::size_t expected = cursor.plausible(header.points * values_per_row) / values_per_row;
  for (const Field& field : header.fields) {
    columns.push_back(
        make_column(field.name, is_packed_color(field) ? ScalarType::uint32 : field.type, field.components));
    if (!is_padding(field)) reserve(columns.back(), expected * static_cast<std::size_t>(field.components));
  }
  std::string_view line;
  for (std::uint64_t row = 0; row < header.points; ++row) {
    if (!cursor.next_content_line(line)) {
      cursor.fail("truncated: {} lines of points expected, {} found", header.points, row);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Field& field = header.fields[i];
      for (int c = 0; c < field.components; ++c) {
        const std::string_view word = next_word(line);
        const bool good = is_padding(field)        ? !word.empty()
                          : is_packed_color(field) ? append_packed_color(columns[i], field.type, word)
                                                   : append_word(columns[i], word);
        if (!good) cursor.fail_value(word, field.name);
      }
    }
    if (!trim(line).empty()) cursor.fail("more values than the header has FIELDS");
  }
  return columns;
}

Field as_stored(Field field) {
  if (is_packed_color(field)) field.type = ScalarType::uint32;
  return field;
}

std::vector<Attribute> read_binary(Cursor& cursor, const PcdHeader& header) {
  std::vector<Attribute> columns;
  cursor.need(header.points, header.record, "points");
  const std::string_view bytes = cursor.take(header.points * header.record, "the points");
  const auto rows = static_cast<std::size_t>(header.points);
  for (const Field& field : header.fields) {
    if (!is_padding(field)) columns.push_back(read_field(as_stored(field), bytes, rows, header.record));
  }
  return columns;
}

/// Compressed files hold the fields one after the other, each for all points.
std::vector<Attribute> read_compressed(Cursor& cursor, const PcdHeader& header) {
  const auto packed_size = cursor.take_number<std::uint32_t>("the sizes of the compressed points");
  const auto size = cursor.take_number<std::uint32_t>("the sizes of the compressed points");
  std::uint64_t without_padding = 0;
  for (const Field& field : header.fields) without_padding += is_padding(field) ? 0 : field.bytes();
  // PCL leaves the padding out of compressed data; others keep it.
  const bool padded = size == header.points * header.record;
  if (!padded && size != header.points * without_padding) {
    cursor.fail("the compressed points are said to take {} bytes, but {} points of {} bytes take {}", size,
                header.points, header.record, header.points * header.record);
  }
  const std::string_view packed = cursor.take(packed_size, "the compressed points");
  if (size > lzf_most_unpacked(packed.size())) {
    cursor.fail("{} compressed bytes cannot hold the {} bytes promised", packed.size(), size);
  }
  std::string bytes(size, '\0');
  if (!lzf_decompress(packed, bytes)) cursor.fail("the compressed points are damaged");

  std::vector<Attribute> columns;
  const auto rows = static_cast<std::size_t>(header.points);
  std::size_t offset = 0;
  for (const Field& field : header.fields) {
    if (!is_padding(field)) {
      Field stored = as_stored(field);
      stored.offset = offset;
      columns.push_back(read_field(stored, bytes, rows, field.bytes()));
    }
    if (padded || !is_padding(field)) offset += rows * field.bytes();
  }
  return columns;
}

/// Takes rgb or rgba, 0xAARRGGBB, out of the columns.
void take_packed_color(std::vector<Attribute>& columns, std::size_t at, PointCloud& cloud) {
  const Attribute column = std::move(columns[at]);
  columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(at));
  const auto& packed = std::get<std::vector<std::uint32_t>>(column.values);
  // A cloud that is invisible throughout is one whose writer left alpha unset.
  cloud.has_alpha = column.name == "rgba" && std::any_of(packed.begin(), packed.end(), [](auto c) { return c >> 24; });
  cloud.colors.reserve(packed.size());
  for (const std::uint32_t c : packed) {
    const auto byte = [&](int shift) { return static_cast<std::uint8_t>(c >> shift & 0xff); };
    cloud.colors.push_back({byte(16), byte(8), byte(0), cloud.has_alpha ? byte(24) : std::uint8_t{255}});
  }
}

}  // namespace

bool is_pcd(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 4096);
  if (head.starts_with("# .PCD")) return true;
  return (head.starts_with("VERSION") || head.starts_with("#")) && head.find("\nFIELDS ") != std::string_view::npos &&
         head.find("\nDATA ") != std::string_view::npos;
}

PointCloud read_pcd(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  const PcdHeader header = read_pcd_header(cursor);
  if (header.points == 0) cursor.fail("the file has no points: the header promises none");
  std::vector<Attribute> columns = header.layout == PcdHeader::Layout::ascii    ? read_text(cursor, header)
                                   : header.layout == PcdHeader::Layout::binary ? read_binary(cursor, header)
                                                                                : read_compressed(cursor, header);
  std::erase_if(columns, [](const Attribute& column) { return column.name == "_"; });
  PointCloud packed_colors;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool four_bytes = type_of(columns[i].values) == ScalarType::uint32 && columns[i].components == 1;
    if (!four_bytes || (columns[i].name != "rgb" && columns[i].name != "rgba")) continue;
    take_packed_color(columns, i, packed_colors);
    break;
  }
  PointCloud cloud = cloud_from_columns(std::move(columns), cursor);
  if (cloud.colors.empty()) {
    cloud.colors = std::move(packed_colors.colors);
    cloud.has_alpha = packed_colors.has_alpha;
  }
  if (header.height > 1) {
    cloud.width = static_cast<std::uint32_t>(header.width);
    cloud.height = static_cast<std::uint32_t>(header.height);
  }
  return cloud;
}

}  // namespace dovetail::io
