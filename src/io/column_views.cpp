// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/column_views.h"

#include <fmt/core.h>

#include <algorithm>

#include "io/cursor.h"

namespace dovetail::io {
namespace {

/// Calls `f` with each number of the row, in the type it is written in.
template <class F>
void for_each_number(const ColumnView& view, std::size_t row, F&& f) {
  const char* from = view.first + row * view.stride;
  with_type(view.stored, [&]<class Stored>(std::type_identity<Stored>) {
    for (int c = 0; c < view.components; ++c, from += sizeof(Stored)) {
      const auto value = load<Stored>(from, std::endian::native);
      if (view.written == view.stored) {
        f(value);
      } else if (view.written == ScalarType::float32) {
        f(static_cast<float>(value));
      } else {
        f(static_cast<double>(value));
      }
    }
  });
}

}  // namespace

void ColumnViews::add(ColumnView view) {
  std::string base = view.name.empty() ? std::string("attribute") : view.name;
  for (char& c : base) {
    const bool plain = (c > ' ' && c <= '~' && c != ',' && c != ';' && c != '"') || (c & 0x80) != 0;
    if (!plain) c = '_';
  }
  // Readers tell columns by name without regard to case; a second "x" would make the file unreadable.
  const auto used = [&](const std::string& name) {
    return std::any_of(views_.begin(), views_.end(),
                       [&](const ColumnView& v) { return to_lower(v.name) == to_lower(name); });
  };
  view.name = base;
  for (int n = 2; used(view.name); ++n) view.name = fmt::format("{}_{}", base, n);
  views_.push_back(std::move(view));
}

void ColumnViews::add_positions(const PointCloud& cloud) {
  const char* const names[] = {"x", "y", "z"};
  const ScalarType written = cloud.precision == Precision::float32 ? ScalarType::float32 : ScalarType::float64;
  for (int axis = 0; axis < (cloud.dimension == 2 ? 2 : 3); ++axis) {
    const char* first = reinterpret_cast<const char*>(&cloud.positions.front()[axis]);
    add({names[axis], ScalarType::float64, written, 1, first, sizeof(Vec3)});
  }
}

void ColumnViews::add_normals(const PointCloud& cloud, const char* x, const char* y, const char* z) {
  if (cloud.normals.empty()) return;
  const char* const names[] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    const char* first = reinterpret_cast<const char*>(&cloud.normals.front()[axis]);
    add({names[axis], ScalarType::float32, ScalarType::float32, 1, first, sizeof(Vec3f)});
  }
}

void ColumnViews::add_colors(const PointCloud& cloud) {
  if (cloud.colors.empty()) return;
  const char* const names[] = {"red", "green", "blue", "alpha"};
  for (std::size_t channel = 0; channel < (cloud.has_alpha ? 4u : 3u); ++channel) {
    const char* first = reinterpret_cast<const char*>(&cloud.colors.front()[channel]);
    add({names[channel], ScalarType::uint8, ScalarType::uint8, 1, first, sizeof cloud.colors.front()});
  }
}

void ColumnViews::add_attributes(const PointCloud& cloud, bool spread) {
  for (const Attribute& attribute : cloud.attributes) {
    const ScalarType type = type_of(attribute.values);
    const char* first =
        std::visit([](const auto& v) { return reinterpret_cast<const char*>(v.data()); }, attribute.values);
    const std::size_t row = size_of(type) * static_cast<std::size_t>(attribute.components);
    if (!spread || attribute.components == 1) {
      add({attribute.name, type, type, attribute.components, first, row});
      continue;
    }
    for (int c = 0; c < attribute.components; ++c) {
      const std::size_t offset = size_of(type) * static_cast<std::size_t>(c);
      add({fmt::format("{}_{}", attribute.name, c), type, type, 1, first + offset, row});
    }
  }
}

void ColumnViews::write_wide_integers_as_double() {
  for (ColumnView& view : views_) {
    if (view.written == ScalarType::int64 || view.written == ScalarType::uint64) view.written = ScalarType::float64;
  }
}

std::size_t ColumnViews::row_bytes() const {
  std::size_t bytes = 0;
  for (const ColumnView& view : views_) bytes += view.bytes();
  return bytes;
}

ColumnViews all_columns(const PointCloud& cloud) {
  ColumnViews views;
  views.add_positions(cloud);
  views.add_normals(cloud, "nx", "ny", "nz");
  views.add_colors(cloud);
  views.add_attributes(cloud, true);
  return views;
}

void append_column(std::string& bytes, const ColumnView& view, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    for_each_number(view, row, [&](auto value) { append(bytes, value); });
  }
}

void write_binary_rows(Output& out, const ColumnViews& views, std::size_t rows, std::endian order) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (const ColumnView& view : views.all()) {
      for_each_number(view, row, [&](auto value) { out.binary(value, order); });
    }
  }
}

void write_text_rows(Output& out, const ColumnViews& views, std::size_t rows, char separator) {
  for (std::size_t row = 0; row < rows; ++row) {
    bool first = true;
    for (const ColumnView& view : views.all()) {
      for_each_number(view, row, [&](auto value) {
        if (!first) out.text(separator);
        out.number(value);
        first = false;
      });
    }
    out.text('\n');
  }
}

}  // namespace dovetail::io
