// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>

#include "io/column_views.h"
#include "io/formats.h"
#include "io/ply_header.h"

namespace dovetail::io {
namespace {

bool has_long_faces(const Faces& faces) {
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (faces.start[i + 1] - faces.start[i] > 255) return true;
  }
  return false;
}

void write_header(Output& out, const PointCloud& cloud, const ColumnViews& views, const char* layout, bool long_faces) {
  out.text(fmt::format("ply\nformat {} 1.0\ncomment written by Dovetail\n", layout));
  if (cloud.organised())
    out.text(fmt::format("obj_info num_cols {}\nobj_info num_rows {}\n", cloud.width, cloud.height));
  out.text(fmt::format("element vertex {}\n", cloud.size()));
  for (const ColumnView& column : views.all()) {
    out.text(fmt::format("property {} {}\n", ply_type_name(column.written), column.name));
  }
  if (!cloud.faces.empty()) {
    // Signed indices: the type that every reader of PLY knows here.
    out.text(fmt::format("element face {}\nproperty list {} {} vertex_indices\n", cloud.faces.size(),
                         long_faces ? "uint" : "uchar", cloud.size() > 0x7fffffff ? "uint" : "int"));
  }
  out.text("end_header\n");
}

void write_binary_face(Output& out, const Faces& faces, std::size_t face, bool long_faces, std::endian order) {
  const std::uint32_t begin = faces.start[face], end = faces.start[face + 1];
  if (long_faces) {
    out.binary(end - begin, order);
  } else {
    out.binary(static_cast<std::uint8_t>(end - begin), order);
  }
  for (std::uint32_t i = begin; i < end; ++i) out.binary(faces.index[i], order);
}

}  // namespace

void write_ply(Output& out, const PointCloud& cloud, Encoding encoding) {
  ColumnViews views = all_columns(cloud);
  views.write_wide_integers_as_double();
  const bool text = encoding == Encoding::ascii;
  const bool big = encoding == Encoding::binary_big_endian;
  const std::endian order = big ? std::endian::big : std::endian::little;
  const bool long_faces = has_long_faces(cloud.faces);
  write_header(out, cloud, views, text ? "ascii" : big ? "binary_big_endian" : "binary_little_endian", long_faces);
  text ? write_text_rows(out, views, cloud.size(), ' ') : write_binary_rows(out, views, cloud.size(), order);
  for (std::size_t face = 0; face < cloud.faces.size(); ++face) {
    text ? out.face_line(cloud.faces, face) : write_binary_face(out, cloud.faces, face, long_faces, order);
  }
}

}  // namespace dovetail::io
