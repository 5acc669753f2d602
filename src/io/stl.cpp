// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <limits>

#include "dovetail/error.h"
#include "io/cursor.h"
#include "io/vertex_merger.h"

namespace dovetail::io {
namespace {

constexpr std::size_t header_bytes = 80;
constexpr std::size_t triangle_bytes = 50;

std::uint64_t promised_triangles(std::string_view bytes) { return load<std::uint32_t>(bytes.data() + header_bytes); }

bool has_binary_size(std::string_view bytes) {
  return bytes.size() >= header_bytes + 4 &&
         bytes.size() == header_bytes + 4 + triangle_bytes * promised_triangles(bytes);
}

// Programs write "solid" at the head of binary files too: only the word facet, or the end of an empty solid, tells.
bool is_text(std::string_view bytes) {
  const std::string head = to_lower(bytes.substr(0, 2048));
  if (!trim(head).starts_with("solid")) return false;
  return head.find("facet") != std::string::npos || head.find("endsolid") != std::string::npos;
}

PointCloud finish(VertexMerger& merger, Faces faces, Precision precision, const Cursor& cursor) {
  PointCloud cloud;
  cloud.positions = merger.take_positions();
  cloud.faces = std::move(faces);
  cloud.precision = precision;
  if (cloud.empty()) cursor.fail("the file has no points: it has no triangles");
  return cloud;
}

PointCloud read_binary(Cursor& cursor) {
  cursor.take(header_bytes, "the header");
  const auto triangles = cursor.take_number<std::uint32_t>("the number of triangles");
  cursor.need(triangles, triangle_bytes, "triangles");
  if (triangles > std::numeric_limits<std::uint32_t>::max() / 3) cursor.fail("more than 2^32 / 3 triangles");
  const std::string_view bytes = cursor.take(std::uint64_t{triangles} * triangle_bytes, "the triangles");
  VertexMerger merger;
  Faces faces;
  faces.start.reserve(std::size_t{triangles} + 1);
  faces.index.reserve(std::size_t{triangles} * 3);
  for (std::size_t t = 0; t < triangles; ++t) {
    const char* corner = bytes.data() + t * triangle_bytes + 12;  // behind the normal
    std::uint32_t index[3];
    for (std::uint32_t& i : index) {
      i = merger.add(Vec3{load<float>(corner), load<float>(corner + 4), load<float>(corner + 8)});
      corner += 12;
    }
    faces.add({index[0], index[1], index[2]});
  }
  return finish(merger, std::move(faces), Precision::float32, cursor);
}

PointCloud read_text(Cursor& cursor) {
  VertexMerger merger;
  Faces faces;
  std::string_view line;
  bool in_solid = false, in_loop = false;
  std::uint32_t facet_begin = 0;
  while (cursor.next_content_line(line)) {
    const std::string key = to_lower(next_word(line));
    if (key == "vertex") {
      if (!in_loop) cursor.fail("a vertex outside of 'outer loop'");
      Vec3 v{};
      for (int axis = 0; axis < 3; ++axis) v[axis] = cursor.number<double>(next_word(line));
      faces.index.push_back(merger.add(v));
      if (faces.index.size() == std::numeric_limits<std::uint32_t>::max()) cursor.fail("more than 2^32 corners");
    } else if (key == "outer") {
      in_loop = true;
      facet_begin = static_cast<std::uint32_t>(faces.index.size());
    } else if (key == "endloop") {
      const auto end = static_cast<std::uint32_t>(faces.index.size());
      if (!in_loop || end - facet_begin != 3) cursor.fail("a facet with {} corners", end - facet_begin);
      faces.start.push_back(end);
      in_loop = false;
    } else if (key == "solid") {
      in_solid = true;
    } else if (key == "endsolid") {
      in_solid = false;
    } else if (key != "facet" && key != "endfacet") {
      cursor.fail("{} is not a line of an STL file", in_quotes(key));
    }
  }
  if (in_solid || in_loop) cursor.fail("truncated: the file ends without 'endsolid'");
  return finish(merger, std::move(faces), Precision::float64, cursor);
}

/// Calls `f` with the three corners and the normal of every triangle, polygons being cut into fans.
template <class F>
void for_each_triangle(const PointCloud& cloud, F&& f) {
  const Faces& faces = cloud.faces;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    for (std::uint32_t c = faces.start[face] + 2; c < faces.start[face + 1]; ++c) {
      const Vec3& a = cloud.positions[faces.index[faces.start[face]]];
      const Vec3& b = cloud.positions[faces.index[c - 1]];
      const Vec3& d = cloud.positions[faces.index[c]];
      Vec3 normal = cross(b - a, d - a);
      const double length = norm(normal);
      normal = length > 0 ? normal * (1 / length) : Vec3{};  // a triangle without area has none
      f(normal, a, b, d);
    }
  }
}

std::uint64_t count_triangles(const PointCloud& cloud) {
  std::uint64_t triangles = 0;
  for (std::size_t face = 0; face < cloud.faces.size(); ++face) {
    const std::uint32_t corners = cloud.faces.start[face + 1] - cloud.faces.start[face];
    triangles += corners > 2 ? corners - 2 : 0;
  }
  return triangles;
}

void write_text(Output& out, const PointCloud& cloud) {
  const auto put = [&](const char* before, const Vec3& v, Precision precision) {
    out.text(before);
    out.spaced_coordinates(v, precision);
    out.text('\n');
  };
  out.text("solid dovetail\n");
  for_each_triangle(cloud, [&](const Vec3& normal, const Vec3& a, const Vec3& b, const Vec3& c) {
    put("facet normal", normal, Precision::float32);
    out.text("outer loop\n");
    for (const Vec3* corner : {&a, &b, &c}) put("vertex", *corner, cloud.precision);
    out.text("endloop\nendfacet\n");
  });
  out.text("endsolid dovetail\n");
}

void write_binary(Output& out, const PointCloud& cloud, std::uint64_t triangles) {
  std::string header = "binary STL written by Dovetail";
  header.resize(header_bytes, ' ');
  out.text(header);
  out.binary(static_cast<std::uint32_t>(triangles));
  for_each_triangle(cloud, [&](const Vec3& normal, const Vec3& a, const Vec3& b, const Vec3& c) {
    for (const Vec3* v : {&normal, &a, &b, &c}) {
      for (int axis = 0; axis < 3; ++axis) out.binary(static_cast<float>((*v)[axis]));
    }
    out.binary(std::uint16_t{0});
  });
}

}  // namespace

bool is_stl(std::string_view bytes) { return has_binary_size(bytes) || is_text(bytes); }

PointCloud read_stl(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  return !has_binary_size(bytes) && is_text(bytes) ? read_text(cursor) : read_binary(cursor);
}

void check_stl(const PointCloud& cloud) {
  const std::uint64_t triangles = count_triangles(cloud);
  if (triangles == 0)
    throw InvalidArgument("an STL file holds triangles, and this cloud has no faces: use another format");
  if (triangles > std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument("too many triangles for an STL file");
}

void write_stl(Output& out, const PointCloud& cloud, Encoding encoding) {
  encoding == Encoding::ascii ? write_text(out, cloud) : write_binary(out, cloud, count_triangles(cloud));
}

}  // namespace dovetail::io
