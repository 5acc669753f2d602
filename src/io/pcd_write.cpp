// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <limits>

#include "dovetail/error.h"
#include "io/column_views.h"
#include "io/formats.h"
#include "io/lzf.h"
#include "io/pcd_header.h"

namespace dovetail::io {
namespace {

/// 0xAARRGGBB, as PCL packs a colour.
std::vector<std::uint32_t> pack_colors(const PointCloud& cloud) {
  std::vector<std::uint32_t> packed;
  packed.reserve(cloud.colors.size());
  for (const auto& c : cloud.colors) {
    const std::uint32_t alpha = cloud.has_alpha ? c[3] : 0u;
    packed.push_back(alpha << 24 | std::uint32_t{c[0]} << 16 | std::uint32_t{c[1]} << 8 | c[2]);
  }
  return packed;
}

void write_header(Output& out, const PointCloud& cloud, const ColumnViews& views, const char* layout) {
  std::string names, sizes, types, counts;
  for (const ColumnView& view : views.all()) {
    names += ' ' + view.name;
    sizes += fmt::format(" {}", size_of(view.written));
    types += fmt::format(" {}", kind_of(view.written, pcd_kinds));
    counts += fmt::format(" {}", view.components);
  }
  const std::size_t width = cloud.organised() ? cloud.width : cloud.size();
  const std::size_t height = cloud.organised() ? cloud.height : 1;
  out.text(fmt::format("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS{}\nSIZE{}\nTYPE{}\nCOUNT{}\n",
                       names, sizes, types, counts));
  out.text(fmt::format("WIDTH {}\nHEIGHT {}\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA {}\n", width, height,
                       cloud.size(), layout));
}

void write_compressed(Output& out, const PointCloud& cloud, const ColumnViews& views) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t size = static_cast<std::uint64_t>(cloud.size()) * views.row_bytes();
  if (size > most)
    throw InvalidArgument("a compressed PCD file holds at most 4 GiB of points: use the encoding binary");
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(size));
  for (const ColumnView& view : views.all()) append_column(bytes, view, cloud.size());
  const std::string packed = lzf_compress(bytes);
  if (packed.size() > most) throw InvalidArgument("these points do not compress below 4 GiB: use the encoding binary");
  out.binary(static_cast<std::uint32_t>(packed.size()));
  out.binary(static_cast<std::uint32_t>(bytes.size()));
  out.text(packed);
}

}  // namespace

void write_pcd(Output& out, const PointCloud& cloud, Encoding encoding) {
  const std::vector<std::uint32_t> colors = pack_colors(cloud);
  ColumnViews views;
  views.add_positions(cloud);
  views.add_normals(cloud, "normal_x", "normal_y", "normal_z");
  if (!colors.empty()) {
    // The spellings of PCL: rgba is a whole number, rgb the bits of a float, which as text is a whole number too.
    const bool whole = cloud.has_alpha || encoding == Encoding::ascii;
    const ScalarType type = whole ? ScalarType::uint32 : ScalarType::float32;
    const char* first = reinterpret_cast<const char*>(colors.data());
    views.add({cloud.has_alpha ? "rgba" : "rgb", type, type, 1, first, sizeof colors.front()});
  }
  views.add_attributes(cloud, false);

  if (encoding == Encoding::ascii) {
    write_header(out, cloud, views, "ascii");
    write_text_rows(out, views, cloud.size(), ' ');
  } else if (encoding == Encoding::binary_compressed) {
    write_header(out, cloud, views, "binary_compressed");
    write_compressed(out, cloud, views);
  } else {
    write_header(out, cloud, views, "binary");
    write_binary_rows(out, views, cloud.size());
  }
}

}  // namespace dovetail::io
