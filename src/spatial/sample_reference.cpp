// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/reference.h"

namespace dovetail {
namespace {

constexpr double most_points = 2147483648.0;

bool is_finite(const Vec3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

void check(const Faces& polygons, std::size_t vertices, const char* what) {
  const bool ordered = !polygons.start.empty() && std::is_sorted(polygons.start.begin(), polygons.start.end());
  if (!ordered || polygons.start.front() != 0 || polygons.start.back() != polygons.index.size()) {
    throw InvalidArgument(fmt::format("reference: the starts of its {} do not fit their vertices", what));
  }
  for (const std::uint32_t i : polygons.index) {
    if (i >= vertices) {
      throw InvalidArgument(fmt::format("reference: its {} name vertex {}, but there are {}", what, i, vertices));
    }
  }
}

void check(const Reference& reference) {
  check(reference.lines, reference.points.size(), "lines");
  check(reference.points.faces, reference.points.size(), "faces");
}

/// Calls `f` with both ends of every segment of a line, where these are finite.
template <class F>
void for_each_segment(const Reference& reference, const F& f) {
  const std::vector<Vec3>& p = reference.points.positions;
  const Faces& lines = reference.lines;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (std::uint32_t i = lines.start[line] + 1; i < lines.start[line + 1]; ++i) {
      const std::uint32_t a = lines.index[i - 1], b = lines.index[i];
      if (is_finite(p[a]) && is_finite(p[b])) f(a, b);
    }
  }
}

/// Calls `f` with the corners of every triangle of a face's fan, where these are finite.
template <class F>
void for_each_triangle(const PointCloud& mesh, const F& f) {
  const Faces& faces = mesh.faces;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    for (std::uint32_t i = faces.start[face] + 2; i < faces.start[face + 1]; ++i) {
      const std::array<std::uint32_t, 3> corners = {faces.index[faces.start[face]], faces.index[i - 1], faces.index[i]};
      const auto known = [&](std::uint32_t corner) { return is_finite(mesh.positions[corner]); };
      if (std::all_of(corners.begin(), corners.end(), known)) f(corners);
    }
  }
}

struct Edge {
  std::uint32_t a, b;  // a < b
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// Every edge of lines and triangles once.
std::vector<Edge> edges_of(const Reference& reference) {
  std::vector<Edge> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
  };
  for_each_segment(reference, add);
  for_each_triangle(reference.points, [&](const std::array<std::uint32_t, 3>& t) {
    for (std::size_t i = 0; i < 3; ++i) add(t[i], t[(i + 1) % 3]);
  });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// Places samples on edges and inside triangles. What counts and what writes the points goes the same ways.
class Sampler {
 public:
  Sampler(const std::vector<Vec3>& vertices, double spacing) : vertices_(vertices), spacing_(spacing) {}

  /// Calls `f(begin, end, count)` with how many points divide the edge, its ends not counted.
  template <class F>
  void edge(const Edge& e, const F& f) const {
    const Vec3 &begin = vertices_[e.a], &end = vertices_[e.b];
    const double parts = parts_of(norm(end - begin));
    if (parts > 1) f(begin, end, parts - 1);
  }

  /// Calls `f(begin, end, count)` for rows parallel to the triangle's longest side, at most √3/2 of the spacing apart,
  /// each to be covered by `count` equal pieces with a point in the middle. A place between two rows has its foot on
  /// the row nearer to the longest side, within √3/2, and from there a point within 1/2: together within the spacing.
  template <class F>
  void triangle(const std::array<std::uint32_t, 3>& t, const F& f) const {
    std::size_t longest = 0;
    double base = -1;
    for (std::size_t i = 0; i < 3; ++i) {
      const double length = norm(vertices_[t[(i + 1) % 3]] - vertices_[t[i]]);
      if (length > base) base = length, longest = i;
    }
    const Vec3 &a = vertices_[t[longest]], &b = vertices_[t[(longest + 1) % 3]], &top = vertices_[t[(longest + 2) % 3]];
    if (!(base > 0)) return;
    const double height = norm(cross(b - a, top - a)) / base;
    const double rows = std::ceil(height / (std::sqrt(0.75) * spacing_));
    for (double row = 1; row < rows; ++row) {
      const double up = row / rows;
      if (!f(a + up * (top - a), b + up * (top - b), parts_of((1 - up) * base))) return;
    }
  }

 private:
  double parts_of(double length) const { return std::ceil(length / spacing_); }

  const std::vector<Vec3>& vertices_;
  double spacing_;
};

/// The normal of what meets at a vertex or an edge: that of one line or face, or of several that go on smoothly. Lines
/// have one in 2D, faces in 3D.
class CommonNormal {
 public:
  void add(const Vec3& normal) {
    const double length = norm(normal);
    if (!(length > 0)) return;
    const Vec3 unit = (1 / length) * normal;
    const double agreement = dot(unit, first_);
    if (!(squared_norm(first_) > 0))
      first_ = unit;
    else if (std::fabs(agreement) < smooth)
      corner_ = true;
    sum_ += (agreement < 0 ? -1.0 : 1.0) * unit;
  }
  Vec3f get() const {
    const double length = norm(sum_);
    if (corner_ || !(length > 0)) return {};
    return ((1 / length) * sum_).cast<float>();
  }

 private:
  static constexpr double smooth = 0.9;  // cosine
  Vec3 first_{}, sum_{};
  bool corner_ = false;
};

/// Normals of the vertices, of the edges, and of each triangle.
struct Normals {
  std::vector<CommonNormal> vertex, edge;

  Normals(const Reference& reference, const std::vector<Edge>& edges)
      : vertex(reference.points.size()), edge(edges.size()) {
    const std::vector<Vec3>& p = reference.points.positions;
    const auto edge_of = [&](std::uint32_t a, std::uint32_t b) -> CommonNormal& {
      const auto at = std::lower_bound(edges.begin(), edges.end(), Edge{std::min(a, b), std::max(a, b)});
      return edge[static_cast<std::size_t>(at - edges.begin())];
    };
    if (reference.points.dimension == 2) {
      for_each_segment(reference, [&](std::uint32_t a, std::uint32_t b) {
        if (a == b) return;
        const Vec3 along = p[b] - p[a], across{-along[1], along[0], 0};
        edge_of(a, b).add(across);
        vertex[a].add(across);
        vertex[b].add(across);
      });
      return;
    }
    for_each_triangle(reference.points, [&](const std::array<std::uint32_t, 3>& t) {
      const Vec3 normal = of(p, t);
      for (std::size_t i = 0; i < 3; ++i) {
        vertex[t[i]].add(normal);
        if (t[i] != t[(i + 1) % 3]) edge_of(t[i], t[(i + 1) % 3]).add(normal);
      }
    });
  }

  static Vec3 of(const std::vector<Vec3>& p, const std::array<std::uint32_t, 3>& t) {
    return cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
  }
};

/// How many points the sampler will place, or some number beyond most_points.
double count_points(const Reference& reference, const std::vector<Edge>& edges, const Sampler& sampler) {
  auto count = static_cast<double>(reference.points.size());
  for (const Edge& e : edges) {
    sampler.edge(e, [&](const Vec3&, const Vec3&, double more) { count += more; });
  }
  for_each_triangle(reference.points, [&](const std::array<std::uint32_t, 3>& t) {
    sampler.triangle(t, [&](const Vec3&, const Vec3&, double more) { return (count += more) <= most_points; });
  });
  return count;
}

}  // namespace

ReferenceMeasure measure_reference(const Reference& reference) {
  check(reference);
  const std::vector<Vec3>& p = reference.points.positions;
  ReferenceMeasure measure;
  for_each_segment(reference, [&](std::uint32_t a, std::uint32_t b) { measure.length += norm(p[b] - p[a]); });
  for_each_triangle(reference.points, [&](const std::array<std::uint32_t, 3>& t) {
    measure.area += 0.5 * norm(cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]));
  });
  return measure;
}

PointCloud sample_reference(const Reference& reference, double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    throw InvalidArgument(fmt::format("spacing: {} is not a positive length", spacing));
  }
  check(reference);
  const std::vector<Edge> edges = edges_of(reference);
  const Sampler sampler(reference.points.positions, spacing);
  const double count = count_points(reference, edges, sampler);
  if (!(count <= most_points)) {
    const ReferenceMeasure all = measure_reference(reference);
    throw InvalidArgument(
        fmt::format("spacing: {} would make more than 2^31 points of a length of {} and an area of {}", spacing,
                    all.length, all.area));
  }
  const Normals normals(reference, edges);
  PointCloud cloud;
  cloud.dimension = reference.points.dimension;
  cloud.positions.reserve(static_cast<std::size_t>(count));
  cloud.normals.reserve(static_cast<std::size_t>(count));
  const auto add = [&](const Vec3& position, const Vec3f& normal) {
    cloud.positions.push_back(position);
    cloud.normals.push_back(normal);
  };
  const std::vector<Vec3>& vertices = reference.points.positions;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (is_finite(vertices[i])) add(vertices[i], normals.vertex[i].get());
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    sampler.edge(edges[e], [&](const Vec3& begin, const Vec3& end, double more) {
      for (double i = 1; i <= more; ++i) add(begin + i / (more + 1) * (end - begin), normals.edge[e].get());
    });
  }
  for_each_triangle(reference.points, [&](const std::array<std::uint32_t, 3>& t) {
    CommonNormal normal;
    if (cloud.dimension == 3) normal.add(Normals::of(vertices, t));
    sampler.triangle(t, [&](const Vec3& begin, const Vec3& end, double more) {
      for (double i = 0.5; i < more; ++i) add(begin + i / more * (end - begin), normal.get());
      return true;
    });
  });
  return cloud;
}

}  // namespace dovetail
