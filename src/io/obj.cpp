// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "io/columns.h"
#include "io/scalar_type.h"

namespace dovetail::io {
namespace {

constexpr std::uint32_t no_normal = std::numeric_limits<std::uint32_t>::max();

class ObjReader {
 public:
  ObjReader(std::string_view file, std::string_view bytes) : cursor_(file, bytes) {}

  PointCloud read() {
    std::string_view line;
    std::string joined;
    while (cursor_.next_content_line(line, "#")) {
      if (line.ends_with('\\')) line = join(line, joined);
      const std::string_view key = next_word(line);
      if (key == "v") {
        add_vertex(line);
      } else if (key == "vn") {
        add_normal(line);
      } else if (key == "f") {
        add_face(line);
      }
    }
    if (cloud_.empty()) cursor_.fail("the file has no points");
    if (largest_vertex_ >= cloud_.size()) {
      cursor_.fail_at_line(largest_vertex_line_,
                           fmt::format("a face names vertex {}, but there are {}", largest_vertex_ + 1, cloud_.size()));
    }
    give_normals();
    give_colors();
    return std::move(cloud_);
  }

 private:
  // A backslash at the end of a line joins it with the next.
  std::string_view join(std::string_view line, std::string& joined) {
    joined.clear();
    bool more = true;
    while (more) {
      more = line.ends_with('\\');
      if (more) line.remove_suffix(1);
      joined.append(line).push_back(' ');
      if (more && !cursor_.next_line(line)) break;
      line = trim(line);
    }
    return joined;
  }

  Vec3 take_vector(std::string_view& line) {
    Vec3 v{};
    for (int i = 0; i < 3; ++i) v[i] = cursor_.number<double>(next_word(line));
    return v;
  }

  void add_vertex(std::string_view line) {
    cloud_.positions.push_back(take_vector(line));
    double more[4];
    std::size_t count = 0;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      if (count == 4) cursor_.fail("a vertex has 3, 4, 6 or 7 numbers");
      more[count++] = cursor_.number<double>(word);
    }
    if (count == 2) cursor_.fail("a vertex has 3, 4, 6 or 7 numbers");
    if (count < 3) return;  // a weight, which only curves have a use for
    for (std::size_t i = 0; i < count; ++i) channels_[i].push_back(more[i]);
  }

  void add_normal(std::string_view line) { normals_.push_back(take_vector(line).cast<float>()); }

  // 1-based, or counted back from the last when negative.
  std::uint32_t resolve(std::string_view word, std::size_t count, const char* what) {
    const auto number = cursor_.number<std::int64_t>(word);
    const std::int64_t index = number < 0 ? static_cast<std::int64_t>(count) + number : number - 1;
    if (number == 0 || index < 0 || index >= std::int64_t{no_normal}) {
      cursor_.fail("{} is not the number of a {}", in_quotes(word), what);
    }
    return static_cast<std::uint32_t>(index);
  }

  // A corner is v, v/vt, v//vn or v/vt/vn.
  void add_face(std::string_view line) {
    Faces& faces = cloud_.faces;
    for (auto corner = next_word(line); !corner.empty(); corner = next_word(line)) {
      const std::size_t first = corner.find('/');
      const std::uint32_t vertex = resolve(corner.substr(0, first), cloud_.size(), "vertex");
      if (vertex >= largest_vertex_) {
        largest_vertex_ = vertex;
        largest_vertex_line_ = cursor_.line_number();
      }
      faces.index.push_back(vertex);
      if (first == std::string_view::npos) continue;
      const std::size_t second = corner.find('/', first + 1);
      if (second == std::string_view::npos) continue;
      const std::uint32_t normal = resolve(corner.substr(second + 1), normals_.size(), "normal");
      if (normal >= normals_.size()) {
        cursor_.fail("a face names normal {}, but {} came before it", normal + 1, normals_.size());
      }
      corner_normals_.push_back({vertex, normal});
    }
    if (faces.index.size() > no_normal) cursor_.fail("more than 2^32 face corners");
    faces.start.push_back(static_cast<std::uint32_t>(faces.index.size()));
  }

  // Normals belong to corners. They become the points' where no point has two different ones.
  void give_normals() {
    if (normals_.empty()) return;
    if (corner_normals_.empty()) {
      if (normals_.size() == cloud_.size()) cloud_.normals = std::move(normals_);
      return;
    }
    std::vector<std::uint32_t> normal_of(cloud_.size(), no_normal);
    for (const auto& [vertex, normal] : corner_normals_) {
      std::uint32_t& known = normal_of[vertex];
      if (known != no_normal && !(normals_[known] == normals_[normal])) return;
      known = normal;
    }
    cloud_.normals.assign(cloud_.size(), Vec3f{});
    for (std::size_t i = 0; i < normal_of.size(); ++i) {
      if (normal_of[i] != no_normal) cloud_.normals[i] = normals_[normal_of[i]];
    }
  }

  void give_colors() {
    std::vector<Attribute> columns;
    std::vector<std::size_t> rgba;
    for (auto& channel : channels_) {
      if (channel.size() != cloud_.size()) break;
      rgba.push_back(columns.size());
      columns.push_back({"", 1, std::move(channel)});
    }
    if (rgba.size() >= 3) take_colors(columns, rgba, cloud_);
  }

  struct CornerNormal {
    std::uint32_t vertex, normal;
  };

  Cursor cursor_;
  PointCloud cloud_;
  std::vector<Vec3f> normals_;
  std::vector<CornerNormal> corner_normals_;
  std::vector<double> channels_[4];  // red green blue alpha
  std::uint32_t largest_vertex_ = 0;
  std::size_t largest_vertex_line_ = 1;
};

}  // namespace

bool is_obj(std::string_view bytes) {
  // The first lines that are not comments are statements of OBJ, and one of them is a vertex.
  Cursor cursor("", bytes.substr(0, 8192));
  std::string_view line;
  for (int lines = 0; lines < 50 && cursor.next_content_line(line, "#"); ++lines) {
    const std::string_view key = next_word(line);
    double value = 0;
    if (key == "v") return parse_number(next_word(line), value);
    const std::string_view known[] = {"vn", "vt", "g", "o", "s", "usemtl", "mtllib", "f", "l", "p"};
    if (std::find(std::begin(known), std::end(known), key) == std::end(known)) return false;
  }
  return false;
}

PointCloud read_obj(std::string_view file, std::string_view bytes) { return ObjReader(file, bytes).read(); }

void write_obj(Output& out, const PointCloud& cloud, Encoding) {
  out.text("# written by Dovetail\n");
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    out.text('v');
    out.spaced_coordinates(cloud.positions[i], cloud.precision);
    if (!cloud.colors.empty()) {
      for (std::size_t channel = 0; channel < (cloud.has_alpha ? 4u : 3u); ++channel) {
        out.spaced_number(static_cast<float>(cloud.colors[i][channel]) / 255.0f);
      }
    }
    out.text('\n');
  }
  for (const Vec3f& normal : cloud.normals) {
    out.text("vn");
    for (int axis = 0; axis < 3; ++axis) out.spaced_number(normal[axis]);
    out.text('\n');
  }
  for (std::size_t face = 0; face < cloud.faces.size(); ++face) {
    out.text('f');
    for (std::uint32_t c = cloud.faces.start[face]; c < cloud.faces.start[face + 1]; ++c) {
      const std::uint64_t number = std::uint64_t{cloud.faces.index[c]} + 1;
      out.spaced_number(number);
      if (cloud.normals.empty()) continue;
      out.text("//");
      out.number(number);
    }
    out.text('\n');
  }
}

}  // namespace dovetail::io
