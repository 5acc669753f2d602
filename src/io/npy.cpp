// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <fmt/format.h>

#include <limits>

#include "io/columns.h"
#include "io/npy_header.h"
#include "io/scalar_type.h"

namespace dovetail::io {
namespace {

std::string shape_text(const std::vector<std::uint64_t>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

/// The number of points the shape has, all axes but the last `used` ones; refuses what the file cannot hold.
std::size_t count_points(const Cursor& cursor, const NpyHeader& header, std::size_t axes, std::uint64_t point_bytes) {
  std::uint64_t points = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::uint64_t length = header.shape[i];
    if (length == 0) cursor.fail("the file has no points: its shape is {}", shape_text(header.shape));
    if (points > cursor.remaining() / length) {
      cursor.fail("truncated: shape {} is promised, but only {} bytes follow", shape_text(header.shape),
                  cursor.remaining());
    }
    points *= length;
  }
  cursor.need(points, point_bytes, "points");
  if (points > std::numeric_limits<std::uint32_t>::max()) cursor.fail("more than 2^32 points");
  return static_cast<std::size_t>(points);
}

PointCloud read_structured(Cursor& cursor, const NpyHeader& header) {
  if (header.shape.size() != 1) {
    cursor.fail("a structured array of points has one axis, found {}", shape_text(header.shape));
  }
  const std::size_t points = count_points(cursor, header, 1, header.record);
  const std::string_view bytes = cursor.take(points * header.record, "the points");
  std::vector<Attribute> columns;
  for (const Field& field : header.fields) {
    columns.push_back(read_field(field, bytes, points, header.record, header.order));
  }
  return cloud_from_columns(std::move(columns), cursor);
}

PointCloud read_plain(Cursor& cursor, const NpyHeader& header) {
  const auto& shape = header.shape;
  const std::uint64_t columns_wanted = shape.empty() ? 0 : shape.back();
  const bool image = shape.size() == 3 && columns_wanted == 3;
  if (!image && (shape.size() != 2 || (columns_wanted != 2 && columns_wanted != 3 && columns_wanted != 6))) {
    cursor.fail("an array of points has the shape (N, 2), (N, 3), (N, 6) or (rows, columns, 3), found {}",
                shape_text(shape));
  }
  if (image && header.fortran_order) cursor.fail("an image of points in Fortran order is not read");
  const auto width = static_cast<std::size_t>(columns_wanted);
  const std::size_t item = header.record;
  const std::size_t points = count_points(cursor, header, shape.size() - 1, width * item);
  const std::string_view bytes = cursor.take(points * width * item, "the points");
  std::vector<Attribute> columns;
  for (std::size_t i = 0; i < width; ++i) {
    Field field = header.fields.front();
    field.offset = header.fortran_order ? i * points * item : i * item;
    columns.push_back(read_field(field, bytes, points, header.fortran_order ? item : width * item, header.order));
  }
  name_columns_by_content(columns);
  PointCloud cloud = cloud_from_columns(std::move(columns), cursor);
  if (image && shape[0] > 1) {
    cloud.height = static_cast<std::uint32_t>(shape[0]);
    cloud.width = static_cast<std::uint32_t>(shape[1]);
  }
  return cloud;
}

template <class T>
void write_items(Output& out, const PointCloud& cloud) {
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (int axis = 0; axis < cloud.dimension; ++axis) out.binary(static_cast<T>(cloud.positions[i][axis]));
    if (cloud.normals.empty() || cloud.dimension == 2) continue;
    for (int axis = 0; axis < 3; ++axis) out.binary(static_cast<T>(cloud.normals[i][axis]));
  }
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

PointCloud read_npy(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  if (!is_npy(bytes)) cursor.fail("an NPY file begins with \\x93NUMPY");
  const NpyHeader header = read_npy_header(cursor);
  return header.structured ? read_structured(cursor, header) : read_plain(cursor, header);
}

void write_npy(Output& out, const PointCloud& cloud, Encoding) {
  const bool single = cloud.precision == Precision::float32;
  const bool normals = !cloud.normals.empty() && cloud.dimension == 3;
  const bool image = cloud.organised() && !normals && cloud.dimension == 3;
  const std::string shape = image ? fmt::format("({}, {}, 3)", cloud.height, cloud.width)
                                  : fmt::format("({}, {})", cloud.size(), normals ? 6 : cloud.dimension);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", single ? "<f4" : "<f8", shape);
  constexpr std::size_t before = 10;  // magic, version and length; the items begin at a multiple of 64
  header.resize((before + header.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  header += '\n';
  out.text(std::string_view("\x93NUMPY\x01\x00", 8));
  out.binary(static_cast<std::uint16_t>(header.size()));
  out.text(header);
  single ? write_items<float>(out, cloud) : write_items<double>(out, cloud);
}

}  // namespace dovetail::io
