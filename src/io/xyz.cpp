// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "io/column_views.h"
#include "io/columns.h"
#include "io/coordinate_names.h"
#include "io/formats.h"
#include "io/scalar_type.h"

namespace dovetail::io {
namespace {

/// Where the next separator outside of quotes is; npos where there is none.
std::size_t find_separator(std::string_view line, char separator) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == separator && !quoted) return i;
  }
  return std::string_view::npos;
}

std::string_view without_quotes(std::string_view name) {
  const bool quotes = name.size() >= 2 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front();
  return quotes ? name.substr(1, name.size() - 2) : name;
}

/// Cuts a line into its fields. With commas or semicolons a field may be empty; white space runs together. `names` is
/// how many columns have a name: that many fields are taken as they are, else a separator at the end counts for
/// nothing.
void split_fields(std::string_view line, std::vector<std::string_view>& fields, std::size_t names = 0) {
  fields.clear();
  const bool quotes = line.find('"') != std::string_view::npos;
  const auto find = [&](char separator) { return quotes ? find_separator(line, separator) : line.find(separator); };
  const char separator = find(';') != std::string_view::npos ? ';' : find(',') != std::string_view::npos ? ',' : ' ';
  if (separator == ' ') {
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) fields.push_back(word);
    return;
  }
  for (;;) {
    const std::size_t end = find(separator);
    const std::string_view field = trim(line.substr(0, end));
    fields.push_back(quotes ? without_quotes(field) : field);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  if (fields.size() > 1 && fields.back().empty() && fields.size() != names) fields.pop_back();  // "1, 2, 3,"
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

using Names = std::vector<std::string>;

Names to_names(const std::vector<std::string_view>& fields) {
  Names names;
  for (const std::string_view field : fields) names.emplace_back(without_quotes(field));
  return names;
}

bool is_number(std::string_view field) {
  double value = 0;
  return parse_number(field, value);
}

bool is_coordinate(const std::string& name) {
  const std::string lower = to_lower(name);
  return lower == "x" || lower == "y" || lower == "z";
}

/// Wide tables are images or matrices, not points. To be asked before names are compared with each other.
void check_columns(const Cursor& cursor, std::size_t count) {
  constexpr std::size_t most = 1000;
  if (count > most) cursor.fail("{} columns are too many for points", count);
}

/// The numbers of the file, row after row, and which columns hold only whole numbers.
class Table {
 public:
  std::size_t columns = 0, first_line = 0;
  Names names;  ///< of the columns; those of coordinates are x, y and z

  std::size_t rows() const { return columns == 0 ? 0 : values_.size() / columns; }

  void add(const Cursor& cursor, const std::vector<std::string_view>& fields) {
    if (columns == 0) begin(cursor, fields.size());
    if (fields.size() != columns) cursor.fail("{} columns, but line {} has {}", fields.size(), first_line, columns);
    for (std::size_t i = 0; i < columns; ++i) {
      double value = std::numeric_limits<double>::quiet_NaN();  // of an empty field
      if (!fields[i].empty() && !is_text(i, fields[i])) value = cursor.number<double>(fields[i]);
      // Beyond 2^53 a double does not hold every whole number; 16 digits keep clear of that.
      whole_[i] = whole_[i] && fields[i].size() < 16 && fields[i].find_first_not_of("+-0123456789") == fields[i].npos &&
                  !fields[i].empty();
      values_.push_back(value);
    }
  }

  /// Whether a column is of words, and not of numbers.
  bool text(std::size_t index) const { return kinds_[index] == Kind::text; }

  /// Coordinates and anything with a fraction become double, whole numbers int32 or int64.
  Attribute column(std::size_t index, bool coordinate) const {
    if (coordinate || !whole_[index]) return copy<double>(index);
    for (std::size_t i = index; i < values_.size(); i += columns) {
      if (std::abs(values_[i]) > std::numeric_limits<std::int32_t>::max()) return copy<std::int64_t>(index);
    }
    return copy<std::int32_t>(index);
  }

 private:
  enum class Kind { unknown, number, text };

  /// Beside named coordinates a column may hold words: its first value tells.
  bool is_text(std::size_t index, std::string_view field) {
    Kind& kind = kinds_[index];
    if (kind == Kind::unknown) {
      const bool words = !names.empty() && !is_coordinate(names[index]) && !is_number(field);
      kind = words ? Kind::text : Kind::number;
    }
    return kind == Kind::text;
  }

  void begin(const Cursor& cursor, std::size_t count) {
    columns = count;
    first_line = cursor.line_number();
    whole_.assign(count, true);
    kinds_.assign(count, Kind::unknown);
    if (count < 2) cursor.fail("a point has at least two coordinates, this line has one column");
    check_columns(cursor, count);
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
  std::vector<Kind> kinds_;
};

bool is_name(std::string_view field) { return field.find_first_of("0123456789+-.") != 0 && !is_number(field); }

/// A first line of names. A line that is partly numbers is neither a header nor a point.
bool is_header(const Cursor& cursor, const std::vector<std::string_view>& fields) {
  if (std::all_of(fields.begin(), fields.end(), is_name) && !fields.front().empty()) return true;
  for (const std::string_view field : fields) {
    if (!field.empty()) cursor.number<double>(field);
  }
  return false;
}

/// Gives the columns of coordinates the names x, y and z; true where they are longitudes and latitudes.
bool name_coordinates(const Cursor& cursor, Names& names) {
  check_columns(cursor, names.size());
  const Names coordinates = {"x", "y", "z"};
  const auto found = find_coordinates(names);
  const bool by_place =
      names.size() <= 3 && std::all_of(names.begin(), names.end(), is_coordinate);  // a profile: "x z"
  if (found) {
    const bool letters = is_coordinate(names[found->x]);
    for (std::size_t i = 0; i < names.size() && !letters; ++i) {  // "lon lat x": the last one is no coordinate
      if (is_coordinate(names[i]) && i != found->x && i != found->y && found->z != i) names[i].clear();
    }
    names[found->x] = coordinates[0], names[found->y] = coordinates[1];
    if (found->z) names[*found->z] = coordinates[2];
  } else if (const auto lonely = lonely_coordinate(names); lonely && !by_place) {
    cursor.fail("the header names {}, but not the other coordinate", in_quotes(*lonely));
  } else if (names.size() > 3) {
    cursor.fail("the header names no columns x and y, nor lon and lat, nor easting and northing");
  } else {
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = coordinates[i];  // "u v", "a b c": by their place
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) names[i] = fmt::format("column_{}", i + 1);
    for (std::size_t j = 0; j < i; ++j) {
      if (to_lower(names[i]) == to_lower(names[j])) cursor.fail("two columns are named {}", in_quotes(names[i]));
    }
  }
  return found && found->degrees;
}

/// Whether the words of a comment are names of columns, and not prose of north and east.
bool names_columns(const Names& words) {
  const auto found = find_coordinates(words);
  return found && (to_lower(words[found->x]) == "x" || words.size() == (found->z ? 3u : 2u));
}

/// What stands before the first point.
struct Preamble {
  Names header, comment;  // "x,y,z,intensity" and "# x y z intensity" or "//X Y Z R G B"
  bool degrees = false;   // the names are those of longitudes and latitudes
  std::optional<std::uint64_t> promised;

  const Names& names() const { return header.empty() ? comment : header; }
};

/// Compares the names with the columns of the first point; a comment that names another number of them is prose.
void finish(const Cursor& cursor, Preamble& preamble, std::size_t columns) {
  if (!preamble.header.empty()) {
    if (columns == preamble.header.size()) return;
    cursor.fail("{} columns, but the header names {}", columns, preamble.header.size());
  }
  if (columns != preamble.comment.size()) return preamble.comment.clear();
  preamble.degrees = name_coordinates(cursor, preamble.comment);
}

/// Reads up to the first point and leaves its fields in `fields`.
Preamble read_preamble(Cursor& cursor, std::vector<std::string_view>& fields) {
  Preamble preamble;
  std::string_view line;
  while (cursor.next_content_line(line)) {
    if (is_comment(line)) {
      line.remove_prefix(std::min(line.find_first_not_of("#/ \t"), line.size()));
      split_fields(line, fields);
      if (Names names = to_names(fields); names_columns(names)) preamble.comment = std::move(names);
      continue;
    }
    split_fields(line, fields, preamble.header.size());
    std::uint64_t count = 0;
    if (fields.size() == 1 && !preamble.promised && parse_number(fields[0], count)) {
      preamble.promised = count;  // .pts files begin with the number of points
    } else if (preamble.header.empty() && is_header(cursor, fields)) {
      preamble.header = to_names(fields);
      preamble.degrees = name_coordinates(cursor, preamble.header);
    } else {
      finish(cursor, preamble, fields.size());
      return preamble;
    }
  }
  cursor.fail("the file has no points");
}

Table read_table(Cursor& cursor) {
  Table table;
  std::vector<std::string_view> fields;
  const Preamble preamble = read_preamble(cursor, fields);
  table.names = preamble.names();
  table.add(cursor, fields);
  std::string_view line;
  while (cursor.next_content_line(line)) {
    if (is_comment(line)) continue;
    split_fields(line, fields, table.names.size());
    table.add(cursor, fields);
  }
  if (preamble.promised && *preamble.promised != table.rows()) {
    cursor.fail("the first line promises {} points, {} found", *preamble.promised, table.rows());
  }
  return table;
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

bool is_xyz(std::string_view bytes) {
  // Text without control characters, whose first line that is not a comment begins with a number or names coordinates.
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
    return is_number(fields.front()) || find_coordinates(to_names(fields)).has_value();
  }
  return false;
}

bool holds_degrees(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  std::vector<std::string_view> fields;
  return read_preamble(cursor, fields).degrees;
}

PointCloud read_xyz(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  const Table table = read_table(cursor);
  std::vector<Attribute> columns;
  for (std::size_t i = 0; i < table.columns; ++i) {
    const bool coordinate = table.names.empty() ? i < 3 : is_coordinate(table.names[i]);
    if (!table.text(i)) columns.push_back(table.column(i, coordinate));
  }
  if (table.names.empty()) name_columns_by_content(columns);
  return cloud_from_columns(std::move(columns), cursor);
}

void write_xyz(Output& out, const PointCloud& cloud, Encoding) {
  const ColumnViews views = all_columns(cloud);
  // Bare coordinates need no names. The names of the rest stand in a comment, which other programs pass over.
  if (views.all().size() > 3 || !cloud.attributes.empty()) {
    out.text("# ");
    write_names(out, views, ' ');
  }
  write_text_rows(out, views, cloud.size(), ' ');
}

void write_csv(Output& out, const PointCloud& cloud, Encoding) {
  const ColumnViews views = all_columns(cloud);
  write_names(out, views, ',');
  write_text_rows(out, views, cloud.size(), ',');
}

}  // namespace dovetail::io
