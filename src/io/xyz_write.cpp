// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/column_views.h"
#include "io/formats.h"

namespace dovetail::io {
namespace {

ColumnViews all_columns(const PointCloud& cloud) {
  ColumnViews views;
  views.add_positions(cloud);
  views.add_normals(cloud, "nx", "ny", "nz");
  views.add_colors(cloud);
  views.add_attributes(cloud, true);
  return views;
}

void write_rows(Output& out, const PointCloud& cloud, const ColumnViews& views, char separator) {
  for (std::size_t row = 0; row < cloud.size(); ++row) write_text_row(out, views, row, separator);
}

void write_names(Output& out, const ColumnViews& views, char separator) {
  bool first = true;
  for (const ColumnView& view : views.all()) {
    if (!first) out.text(separator);
    out.text(view.name);
    first = false;
  }
  out.text('\n');
}

}  // namespace

void write_xyz(Output& out, const PointCloud& cloud, Encoding) {
  const ColumnViews views = all_columns(cloud);
  // Bare coordinates need no names. The names of the rest stand in a comment, which other programs pass over.
  if (views.all().size() > 3 || !cloud.attributes.empty()) {
    out.text("# ");
    write_names(out, views, ' ');
  }
  write_rows(out, cloud, views, ' ');
}

void write_csv(Output& out, const PointCloud& cloud, Encoding) {
  const ColumnViews views = all_columns(cloud);
  write_names(out, views, ',');
  write_rows(out, cloud, views, ',');
}

}  // namespace dovetail::io
