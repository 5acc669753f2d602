// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "io/columns.h"
#include "io/records.h"

namespace dovetail::io {
namespace {

/// What the prefix of the keyword says about a vertex: [ST][C][N][4][n]OFF.
struct Keyword {
  bool normals = false, colors = false, texture = false;
};

Keyword parse_keyword(const Cursor& cursor, std::string_view word) {
  const std::string_view whole = word;
  Keyword keyword;
  const auto take = [&](std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    word.remove_prefix(prefix.size());
    return true;
  };
  keyword.texture = take("ST");
  keyword.colors = take("C");
  keyword.normals = take("N");
  if (word != "OFF") cursor.fail("{}: only OFF with the prefixes ST, C and N is known", in_quotes(whole));
  return keyword;
}

class OffReader {
 public:
  OffReader(std::string_view file, std::string_view bytes) : cursor_(file, bytes) {}

  PointCloud read() {
    read_header();
    std::vector<Attribute> columns = read_vertices();
    if (whole_colors_) make_colors_whole(columns);
    PointCloud cloud = cloud_from_columns(std::move(columns), cursor_);
    read_faces(cloud.faces);
    cloud.precision = Precision::float64;
    const auto opaque = [](const auto& color) { return color[3] == 255; };
    cloud.has_alpha = cloud.has_alpha && !std::all_of(cloud.colors.begin(), cloud.colors.end(), opaque);
    return cloud;
  }

 private:
  // Colours are 0..255 when written as whole numbers and 0..1 otherwise: "1" and "1.0" are far apart.
  static void make_colors_whole(std::vector<Attribute>& columns) {
    for (Attribute& column : columns) {
      if (column.name != "red" && column.name != "green" && column.name != "blue" && column.name != "alpha") continue;
      const auto& reals = std::get<std::vector<double>>(column.values);
      column.values = std::vector<std::int64_t>(reals.begin(), reals.end());
    }
  }

  void need_line(std::string_view& line, std::uint64_t expected, std::uint64_t found, const char* what) {
    if (cursor_.next_content_line(line, "#")) return;
    cursor_.fail("truncated: {} {} expected, {} found", expected, what, found);
  }

  void read_header() {
    std::string_view line;
    need_line(line, 1, 0, "header");
    std::string_view rest = line;
    const std::string_view first = next_word(rest);
    double number = 0;
    if (!parse_number(first, number)) {  // the keyword may be left out
      keyword_ = parse_keyword(cursor_, first);
      if (trim(rest) == "BINARY") cursor_.fail("binary OFF files are not read, only text ones");
      line = trim(rest);
      if (line.empty()) need_line(line, 1, 0, "line with the counts");
    }
    vertices_ = cursor_.number<std::uint64_t>(next_word(line));
    faces_ = cursor_.number<std::uint64_t>(next_word(line));
    if (vertices_ == 0) cursor_.fail("the file has no points: it promises 0 vertices");
    if (vertices_ > std::numeric_limits<std::uint32_t>::max()) cursor_.fail("more than 2^32 vertices");
  }

  std::vector<Attribute> read_vertices() {
    std::vector<Attribute> columns;
    std::string_view line;
    for (std::uint64_t row = 0; row < vertices_; ++row) {
      need_line(line, vertices_, row, "vertices");
      std::vector<std::string_view> words = split_words(line);
      if (row == 0) columns = make_columns(words);
      if (words.size() != columns.size()) {
        cursor_.fail("a vertex with {} numbers, expected {}", words.size(), columns.size());
      }
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (!append_word(columns[i], words[i])) cursor_.fail("{} is not a number", in_quotes(words[i]));
        const bool color = i >= first_color_ && i < first_color_ + colors_;
        if (color && (words[i].size() > 5 || words[i].find_first_not_of("0123456789") != words[i].npos)) {
          whole_colors_ = false;
        }
      }
    }
    return columns;
  }

  // Colours have three or four values; texture coordinates come last and are kept as attributes.
  std::vector<Attribute> make_columns(const std::vector<std::string_view>& words) {
    std::vector<Attribute> columns;
    const auto add = [&](std::initializer_list<const char*> names) {
      for (const char* name : names) columns.push_back(make_column(name, ScalarType::float64));
    };
    add({"x", "y", "z"});
    if (keyword_.normals) add({"nx", "ny", "nz"});
    first_color_ = columns.size();
    if (keyword_.colors) {
      add({"red", "green", "blue"});
      if (words.size() > columns.size() + (keyword_.texture ? 2u : 0u)) add({"alpha"});
    }
    colors_ = columns.size() - first_color_;
    if (keyword_.texture) add({"s", "t"});
    return columns;
  }

  void read_faces(Faces& faces) {
    std::string_view line;
    for (std::uint64_t face = 0; face < faces_; ++face) {
      need_line(line, faces_, face, "faces");
      const auto corners = cursor_.number<std::uint64_t>(next_word(line));
      for (std::uint64_t c = 0; c < corners; ++c) {
        const auto corner = cursor_.number<std::uint64_t>(next_word(line));
        if (corner >= vertices_) cursor_.fail("face {} names vertex {}, but there are {}", face, corner, vertices_);
        faces.index.push_back(static_cast<std::uint32_t>(corner));
      }
      if (faces.index.size() > std::numeric_limits<std::uint32_t>::max()) cursor_.fail("more than 2^32 face corners");
      faces.start.push_back(static_cast<std::uint32_t>(faces.index.size()));  // the face's colour is passed over
    }
  }

  Cursor cursor_;
  Keyword keyword_;
  std::uint64_t vertices_ = 0, faces_ = 0;
  std::size_t first_color_ = 0, colors_ = 0;
  bool whole_colors_ = true;
};

}  // namespace

bool is_off(std::string_view bytes) {
  Cursor cursor("", bytes.substr(0, 4096));
  std::string_view line;
  if (!cursor.next_content_line(line, "#")) return false;
  const std::string_view keyword = next_word(line);
  return keyword.size() <= 7 && keyword.ends_with("OFF") &&
         keyword.substr(0, keyword.size() - 3).find_first_not_of("STCN4n") == std::string_view::npos;
}

PointCloud read_off(std::string_view file, std::string_view bytes) { return OffReader(file, bytes).read(); }

void write_off(Output& out, const PointCloud& cloud, Encoding) {
  const bool colors = !cloud.colors.empty(), normals = !cloud.normals.empty();
  out.text(fmt::format("{}{}OFF\n{} {} 0\n", colors ? "C" : "", normals ? "N" : "", cloud.size(), cloud.faces.size()));
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (axis > 0) out.text(' ');
      out.coordinate(cloud.positions[i][axis], cloud.precision);
    }
    for (int axis = 0; normals && axis < 3; ++axis) out.spaced_number(cloud.normals[i][axis]);
    for (std::size_t channel = 0; colors && channel < 4; ++channel) {  // the format always wants an alpha
      out.spaced_number(channel == 3 && !cloud.has_alpha ? std::uint8_t{255} : cloud.colors[i][channel]);
    }
    out.text('\n');
  }
  for (std::size_t face = 0; face < cloud.faces.size(); ++face) out.face_line(cloud.faces, face);
}

}  // namespace dovetail::io
