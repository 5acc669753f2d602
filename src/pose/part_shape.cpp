// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/part_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/eigen_symmetric.h"
#include "pose/rough_pose.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

RasterMesh mesh_of(const PoseReferences& part) {
  RasterMesh mesh;
  for (const Vec3f& v : part.vertices) mesh.points.push_back(v.cast<double>() + part.center);
  mesh.triangles.assign(part.triangles.begin(), part.triangles.end());
  return mesh;
}

/// As many on each area as its size says, and the same ones every time.
std::vector<Vec3> points_on(const RasterMesh& mesh, int count) {
  std::vector<double> until;  // area up to and with each triangle
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    area += 0.5 * norm(cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]));
    until.push_back(area);
  }
  std::vector<Vec3> points;
  if (!(area > 0)) return points;
  double u = 0.5, v = 0.5;
  for (int i = 0; i < count; ++i) {
    // Within triangles the sequence of the plastic number, which leaves no gaps.
    u = std::fmod(u + 0.7548776662466927, 1.0), v = std::fmod(v + 0.5698402909980532, 1.0);
    const double at = area * (i + 0.5) / count;
    const auto found = static_cast<std::size_t>(std::lower_bound(until.begin(), until.end(), at) - until.begin());
    const auto& [a, b, c] = mesh.triangles[std::min(found, until.size() - 1)];
    const bool fold = u + v > 1;
    const double s = fold ? 1 - u : u, t = fold ? 1 - v : v;
    points.push_back(mesh.points[a] + s * (mesh.points[b] - mesh.points[a]) + t * (mesh.points[c] - mesh.points[a]));
  }
  return points;
}

/// Of each reference, in the part's frame.
PointSets points_of(const PoseReferences& part, const std::vector<ReferenceSample>& samples) {
  PointSets points;
  points.reserve(samples.size(), [&](std::size_t r) { return samples[r].pixels.size(); });
  parallel_for(samples.size(), 16, [&](std::size_t r) {
    const double* const q = part.references[r].orientation;
    const Mat3 part_from_view = transpose(matrix_from_quaternion(Quaternion<double>{q[0], q[1], q[2], q[3]}));
    std::vector<Vec3> own;
    for (const ReferenceSample::Pixel& p : samples[r].pixels) {
      own.push_back(part.center + part_from_view * Vec3{part.pixel * static_cast<double>(p.x),
                                                        part.pixel * static_cast<double>(p.y),
                                                        static_cast<double>(p.depth)});
    }
    points.fill(r, own);
  });
  return points;
}

/// Whether most edges of the surface join two faces.
bool mostly_closed(const RasterMesh& mesh) {
  std::map<std::array<double, 3>, std::uint32_t> known;  // corners in one place are one
  std::vector<std::uint32_t> corner;
  for (const Vec3& p : mesh.points) {
    corner.push_back(
        known.emplace(std::array{p[0], p[1], p[2]}, static_cast<std::uint32_t>(known.size())).first->second);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> faces;
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) ++faces[std::minmax(corner[triangle[k]], corner[triangle[(k + 1) % 3]])];
  }
  const auto joined = std::count_if(faces.begin(), faces.end(), [](const auto& edge) { return edge.second > 1; });
  constexpr double most = 0.8;
  return static_cast<double>(joined) >= most * static_cast<double>(faces.size());
}

/// How wide the points are along the second of their main directions.
double width_of(const std::vector<Vec3>& points) {
  Vec3 middle{};
  for (const Vec3& p : points) middle += (1 / static_cast<double>(points.size())) * p;
  Symmetric<double, 3> scatter{};
  for (const Vec3& p : points) scatter.add_outer(1, p - middle);
  const Vec3 across = eigen_symmetric(scatter).vector(1);
  double low = 0, high = 0;
  for (const Vec3& p : points) {
    const double at = dot(across, p - middle);
    low = std::min(low, at), high = std::max(high, at);
  }
  return high - low;
}

bool is_flat(const RasterMesh& mesh) {
  Symmetric<double, 3> faces{};
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 n = cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]);
    const double size = norm(n);
    if (size > 0) faces.add_outer(1 / size, n), area += size;
  }
  constexpr double least = 1e-3;  // of the area, that faces another way
  return !(eigen_symmetric(faces).values[1] > least * area);
}

}  // namespace

PartShape part_shape(const PoseReferences& part) {
  constexpr std::size_t pixels_of_a_reference = 160;
  constexpr int surface_points = 400;
  PartShape shape;
  shape.points = points_of(part, sample_references(part, pixels_of_a_reference));
  shape.mesh = mesh_of(part);
  shape.outlined = mostly_closed(shape.mesh);
  shape.width = width_of(shape.mesh.points);
  shape.flat = is_flat(shape.mesh);
  shape.surface = points_on(shape.mesh, surface_points);
  for (const Vec3& p : shape.surface) shape.surface_about_center.push_back((p - part.center).cast<float>());
  shape.space = OrientationSpace(part.symmetry);
  return shape;
}

PlacedShape placed_shape(Memory& memory, const PoseReferences& part, const PartShape& shape) {
  PlacedShape placed;
  Keeper& keeper = placed.keeper;
  placed.mesh = {memory.put(part.vertices, keeper), memory.put(part.triangles, keeper),
                 static_cast<std::uint32_t>(part.triangles.size()), static_cast<std::uint32_t>(part.vertices.size())};
  placed.surface = memory.put(shape.surface_about_center, keeper);
  placed.surface_count = static_cast<std::uint32_t>(shape.surface_about_center.size());
  placed.points = {memory.put(shape.points.x, keeper), memory.put(shape.points.y, keeper),
                   memory.put(shape.points.z, keeper), shape.points.largest};
  return placed;
}

}  // namespace dovetail::pose
