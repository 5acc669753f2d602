// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>

#include "io/column_views.h"
#include "io/formats.h"
#include "io/ply_header.h"

namespace dovetail::io {
namespace {

ColumnViews vertex_columns(const PointCloud& cloud) {
  ColumnViews views;
  views.add_positions(cloud);
  views.add_normals(cloud, "nx", "ny", "nz");
  views.add_colors(cloud);
  views.add_attributes(cloud, true);
  views.write_wide_integers_as_double();
  return views;
}

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

void write_face(Output& out, const Faces& faces, std::size_t face, bool text, bool long_faces, std::endian order) {
  const std::uint32_t begin = faces.start[face], end = faces.start[face + 1];
  if (text) {
    out.number(end - begin);
  } else if (long_faces) {
    out.binary(end - begin, order);
  } else {
    out.binary(static_cast<std::uint8_t>(end - begin), order);
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    if (text) {
      out.text(' ');
      out.number(faces.index[i]);
    } else {
      out.binary(faces.index[i], order);
    }
  }
  if (text) out.text('\n');
}

}  // namespace

void write_ply(Output& out, const PointCloud& cloud, Encoding encoding) {
  const ColumnViews views = vertex_columns(cloud);
  const bool text = encoding == Encoding::ascii;
  const bool big = encoding == Encoding::binary_big_endian;
  const std::endian order = big ? std::endian::big : std::endian::little;
  const bool long_faces = has_long_faces(cloud.faces);
  write_header(out, cloud, views, text ? "ascii" : big ? "binary_big_endian" : "binary_little_endian", long_faces);
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    if (text) {
      write_text_row(out, views, row, ' ');
    } else {
      for (const ColumnView& view : views.all()) write_binary(out, view, row, order);
    }
  }
  for (std::size_t face = 0; face < cloud.faces.size(); ++face) {
    write_face(out, cloud.faces, face, text, long_faces, order);
  }
}

}  // namespace dovetail::io
