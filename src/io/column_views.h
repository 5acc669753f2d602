// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "io/output.h"
#include "io/scalar_type.h"

namespace dovetail::io {

/// A column that a writer takes out of a cloud where it lies, without a copy.
struct ColumnView {
  std::string name;
  ScalarType stored = ScalarType::float32;   ///< in memory
  ScalarType written = ScalarType::float32;  ///< in the file
  int components = 1;
  const char* first = nullptr;
  std::size_t stride = 0;  ///< bytes from row to row

  std::size_t bytes() const { return size_of(written) * static_cast<std::size_t>(components); }
};

/// The columns of a table, with names that are unique and free of white space.
class ColumnViews {
 public:
  void add(ColumnView view);
  void add_positions(const PointCloud& cloud);
  void add_normals(const PointCloud& cloud, const char* x, const char* y, const char* z);
  void add_colors(const PointCloud& cloud);  ///< red green blue [alpha]
  /// Values that come several a point are one column, or, `spread`, a column "name_0", "name_1" ... each.
  void add_attributes(const PointCloud& cloud, bool spread);
  void write_wide_integers_as_double();  ///< for formats without 64-bit integers

  const std::vector<ColumnView>& all() const { return views_; }
  std::size_t row_bytes() const;

 private:
  std::vector<ColumnView> views_;
};

/// Everything a point carries, a column for each number.
ColumnViews all_columns(const PointCloud& cloud);

void append_column(std::string& bytes, const ColumnView& view, std::size_t rows);

void write_binary_rows(Output& out, const ColumnViews& views, std::size_t rows,
                       std::endian order = std::endian::little);
/// A line for each row, with `separator` between the values.
void write_text_rows(Output& out, const ColumnViews& views, std::size_t rows, char separator);

}  // namespace dovetail::io
