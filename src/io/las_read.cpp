// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <limits>

#include "io/columns.h"
#include "io/formats.h"
#include "io/las_layout.h"
#include "io/records.h"

namespace dovetail::io {
namespace {

struct LasHeader {
  unsigned format = 0;
  std::size_t record = 0;
  std::uint64_t points = 0;
  std::uint32_t data_begin = 0;
  Vec3 scale{}, offset{};
};

LasHeader read_header(Cursor& cursor) {
  LasHeader header;
  const std::string_view head = cursor.take(227, "the header");
  const auto major = load<std::uint8_t>(&head[24]), minor = load<std::uint8_t>(&head[25]);
  cursor.seek(24, "the version");
  if (major != 1 || minor > 4) cursor.fail("LAS version {}.{} is not known, 1.0 to 1.4 are", major, minor);

  cursor.seek(104, "the point format");
  const auto format = load<std::uint8_t>(&head[104]);
  if (format & 0xc0) cursor.fail("the points are compressed (LAZ): unpack the file to LAS first, e.g. with laszip");
  if (format > 10) cursor.fail("point format {} is not known, 0 to 10 are", format);
  header.format = format;
  header.record = load<std::uint16_t>(&head[105]);
  const std::size_t smallest = las_layout(header.format).record;
  if (header.record < smallest) {
    cursor.fail("records of {} bytes, but point format {} takes {}", header.record, format, smallest);
  }
  header.points = load<std::uint32_t>(&head[107]);
  for (int axis = 0; axis < 3; ++axis) {
    header.scale[axis] = load<double>(&head[131 + 8 * static_cast<std::size_t>(axis)]);
    header.offset[axis] = load<double>(&head[155 + 8 * static_cast<std::size_t>(axis)]);
    if (std::isfinite(header.scale[axis]) && header.scale[axis] != 0 && std::isfinite(header.offset[axis])) continue;
    cursor.seek(131, "the scale");
    cursor.fail("scale {} and offset {} of {}", header.scale[axis], header.offset[axis], "xyz"[axis]);
  }
  header.data_begin = load<std::uint32_t>(&head[96]);
  const auto header_size = load<std::uint16_t>(&head[94]);
  if (header.data_begin < header_size || header_size < 227) {
    cursor.seek(94, "the header's size");
    cursor.fail("a header of {} bytes with points at byte {}", header_size, header.data_begin);
  }
  if (minor == 4 && header_size >= 255) {
    cursor.seek(247, "the number of points");
    const auto points = cursor.take_number<std::uint64_t>("the number of points");
    if (points != 0) header.points = points;
  }
  return header;
}

Attribute read_bits(const LasField& field, std::string_view bytes, std::size_t points, std::size_t record) {
  Attribute column = read_field({field.name, field.type, 1, field.offset}, bytes, points, record);
  if (field.bits == 0) return column;
  for (std::uint8_t& value : std::get<std::vector<std::uint8_t>>(column.values)) {
    value = static_cast<std::uint8_t>(value >> field.shift & ((1u << field.bits) - 1));
  }
  return column;
}

}  // namespace

bool is_las(std::string_view bytes) { return bytes.starts_with("LASF"); }

PointCloud read_las(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  if (!is_las(bytes)) cursor.fail("a LAS file begins with LASF");
  const LasHeader header = read_header(cursor);
  if (header.points == 0) cursor.fail("the file has no points: the header promises none");
  if (header.points > std::numeric_limits<std::uint32_t>::max()) cursor.fail("more than 2^32 points");
  cursor.seek(header.data_begin, "the points");
  cursor.need(header.points, header.record, "points");
  const auto points = static_cast<std::size_t>(header.points);
  const std::string_view records = cursor.take(header.points * header.record, "the points");

  PointCloud cloud;
  cloud.positions.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto grid = load<std::int32_t>(&records[i * header.record + 4 * static_cast<std::size_t>(axis)]);
      cloud.positions[i][axis] = grid * header.scale[axis] + header.offset[axis];
    }
  }
  const LasLayout layout = las_layout(header.format);
  for (const LasField& field : layout.fields) {
    cloud.attributes.push_back(read_bits(field, records, points, header.record));
  }
  if (layout.rgb != 0) {
    std::vector<Attribute> channels;
    for (std::size_t c = 0; c < 3; ++c) {
      channels.push_back(read_field({"", ScalarType::uint16, 1, layout.rgb + 2 * c}, records, points, header.record));
    }
    take_colors(channels, {0, 1, 2}, cloud);
  }
  return cloud;
}

}  // namespace dovetail::io
