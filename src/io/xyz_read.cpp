// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "io/columns.h"
#include "io/scalar_type.h"
#include "io/xyz.h"

namespace dovetail::io {
namespace {

/// Cuts a line into its fields. With commas or semicolons a field may be empty; white space runs together.
void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  const char separator = line.find(';') != std::string_view::npos   ? ';'
                         : line.find(',') != std::string_view::npos ? ','
                                                                    : ' ';
  if (separator == ' ') {
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) fields.push_back(word);
    return;
  }
  for (;;) {
    const std::size_t end = line.find(separator);
    fields.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  if (fields.size() > 1 && fields.back().empty()) fields.pop_back();  // "1, 2, 3,"
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

std::string_view without_quotes(std::string_view name) {
  const bool quotes = name.size() >= 2 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front();
  return quotes ? name.substr(1, name.size() - 2) : name;
}

using Names = std::vector<std::string>;

Names to_names(const std::vector<std::string_view>& fields) {
  Names names;
  for (const std::string_view field : fields) names.emplace_back(without_quotes(field));
  return names;
}

bool names_coordinates(const Names& names) {
  const auto has = [&](const char* wanted) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return to_lower(name) == wanted; });
  };
  return has("x") && has("y");
}

/// The numbers of the file, row after row, and which columns hold only whole numbers.
class Table {
 public:
  std::size_t columns = 0, first_line = 0;
  Names names;

  std::size_t rows() const { return columns == 0 ? 0 : values_.size() / columns; }

  void add(const Cursor& cursor, const std::vector<std::string_view>& fields) {
    if (columns == 0) begin(cursor, fields.size());
    if (fields.size() != columns) {
      cursor.fail(fmt::format("{} columns, but line {} has {}", fields.size(), first_line, columns));
    }
    for (std::size_t i = 0; i < columns; ++i) {
      double value = std::numeric_limits<double>::quiet_NaN();  // of an empty field
      if (!fields[i].empty()) value = cursor.number<double>(fields[i]);
      // Beyond 2^53 a double does not hold every whole number; 16 digits keep clear of that.
      whole_[i] = whole_[i] && fields[i].size() < 16 && fields[i].find_first_not_of("+-0123456789") == fields[i].npos &&
                  !fields[i].empty();
      values_.push_back(value);
    }
  }

  /// Coordinates and anything with a fraction become double, whole numbers int32 or int64.
  Attribute column(std::size_t index, bool coordinate) const {
    if (coordinate || !whole_[index]) return copy<double>(index);
    for (std::size_t i = index; i < values_.size(); i += columns) {
      if (std::abs(values_[i]) > std::numeric_limits<std::int32_t>::max()) return copy<std::int64_t>(index);
    }
    return copy<std::int32_t>(index);
  }

 private:
  void begin(const Cursor& cursor, std::size_t count) {
    columns = count;
    first_line = cursor.line_number();
    whole_.assign(count, true);
    if (count < 2) cursor.fail("a point has at least two coordinates, this line has one column");
    // Wide tables are images or matrices, not points.
    if (count > 1000) cursor.fail(fmt::format("{} columns are too many for points", count));
  }

  template <class T>
  Attribute copy(std::size_t index) const {
    std::vector<T> column;
    column.reserve(rows());
    for (std::size_t i = index; i < values_.size(); i += columns) column.push_back(static_cast<T>(values_[i]));
    return {index < names.size() ? names[index] : std::string(), 1, std::move(column)};
  }

  std::vector<double> values_;
  std::vector<bool> whole_;
};

bool is_number(std::string_view field) {
  double value = 0;
  return parse_number(field, value);
}

bool is_name(std::string_view field) { return field.find_first_of("0123456789+-.") != 0 && !is_number(field); }

/// A first line of names. A line that is partly numbers is neither a header nor a point.
bool is_header(const Cursor& cursor, const std::vector<std::string_view>& fields) {
  if (std::all_of(fields.begin(), fields.end(), is_name) && !fields.front().empty()) return true;
  for (const std::string_view field : fields) {
    if (!field.empty()) cursor.number<double>(field);
  }
  return false;
}

void check_names(const Cursor& cursor, Names& names) {
  if (!names_coordinates(names)) {
    if (names.size() > 3) cursor.fail("the header names no columns x and y");
    const char* const coordinates[] = {"x", "y", "z"};  // "lon lat", "east north up": by their place
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = coordinates[i];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) names[i] = fmt::format("column_{}", i + 1);
    for (std::size_t j = 0; j < i; ++j) {
      if (to_lower(names[i]) == to_lower(names[j]))
        cursor.fail(fmt::format("two columns are named {}", in_quotes(names[i])));
    }
  }
}

/// What stands before the first point.
struct Preamble {
  Names header, comment;  // "x,y,z,intensity" and "# x y z intensity" or "//X Y Z R G B"
  std::optional<std::uint64_t> promised;
};

/// Reads up to the first point and leaves its fields in `fields`.
Preamble read_preamble(Cursor& cursor, std::vector<std::string_view>& fields) {
  Preamble preamble;
  std::string_view line;
  while (cursor.next_content_line(line)) {
    if (is_comment(line)) {
      line.remove_prefix(std::min(line.find_first_not_of("#/ \t"), line.size()));
      split_fields(line, fields);
      if (Names names = to_names(fields); names_coordinates(names)) preamble.comment = std::move(names);
      continue;
    }
    split_fields(line, fields);
    std::uint64_t count = 0;
    if (fields.size() == 1 && !preamble.promised && parse_number(fields[0], count)) {
      preamble.promised = count;  // .pts files begin with the number of points
    } else if (preamble.header.empty() && is_header(cursor, fields)) {
      preamble.header = to_names(fields);
      check_names(cursor, preamble.header);
    } else {
      return preamble;
    }
  }
  cursor.fail("the file has no points");
}

Table read_table(Cursor& cursor) {
  Table table;
  std::vector<std::string_view> fields;
  Preamble preamble = read_preamble(cursor, fields);
  if (!preamble.header.empty()) {
    table.names = std::move(preamble.header);
    if (fields.size() != table.names.size()) {
      cursor.fail(fmt::format("{} columns, but the header names {}", fields.size(), table.names.size()));
    }
  } else if (fields.size() == preamble.comment.size()) {
    table.names = std::move(preamble.comment);
    check_names(cursor, table.names);
  }
  table.add(cursor, fields);
  std::string_view line;
  while (cursor.next_content_line(line)) {
    if (is_comment(line)) continue;
    split_fields(line, fields);
    table.add(cursor, fields);
  }
  if (preamble.promised && *preamble.promised != table.rows()) {
    cursor.fail(fmt::format("the first line promises {} points, {} found", *preamble.promised, table.rows()));
  }
  return table;
}

}  // namespace

bool is_xyz(std::string_view bytes) {
  // Text without control characters, whose first line that is not a comment begins with a number or names x and y.
  const std::string_view head = bytes.substr(0, 4096);
  for (const char c : head) {
    if ((c >= 0 && c < ' ' && (c < '\t' || c > '\r')) || c == 0x7f) return false;
  }
  Cursor cursor("", head);
  std::string_view line;
  std::vector<std::string_view> fields;
  while (cursor.next_content_line(line)) {
    if (is_comment(line)) continue;
    split_fields(line, fields);
    return is_number(fields.front()) || names_coordinates(to_names(fields));
  }
  return false;
}

PointCloud read_xyz(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  const Table table = read_table(cursor);
  std::vector<Attribute> columns;
  for (std::size_t i = 0; i < table.columns; ++i) {
    const std::string name = table.names.empty() ? std::string() : to_lower(table.names[i]);
    const bool coordinate = table.names.empty() ? i < 3 : name == "x" || name == "y" || name == "z";
    columns.push_back(table.column(i, coordinate));
  }
  if (table.names.empty()) name_columns_by_content(columns);
  return cloud_from_columns(std::move(columns), cursor);
}

}  // namespace dovetail::io
