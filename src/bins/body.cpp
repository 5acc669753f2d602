// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bins/convex_pieces.h"
#include "core/eigen_symmetric.h"
#include "dovetail/error.h"
#include "dovetail/mesh_check.h"
#include "dovetail/reference.h"
#include "spatial/farthest_pair.h"

namespace dovetail::bins {
namespace {

/// How far apart the places are at which penetration is measured, as a share of the diameter.
constexpr double sample_spacing = 0.02;

Mat3 right_handed(Mat3 axes) {
  const Vec3 x{axes(0, 0), axes(1, 0), axes(2, 0)}, y{axes(0, 1), axes(1, 1), axes(2, 1)};
  const Vec3 z = cross(x, y);
  for (int i = 0; i < 3; ++i) axes(i, 2) = z[i];
  return axes;
}

std::vector<Vec3> corners_of(const PointCloud& mesh) {
  std::vector<bool> used(mesh.size());
  for (const std::uint32_t corner : mesh.faces.index) used[corner] = true;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    if (used[i]) corners.push_back(mesh.positions[i]);
  }
  return corners;
}

/// Brings what was read in the part's frame and unit into the body's.
void settle_frame(Body& body, std::vector<Triangle> triangles, const std::vector<Vec3>& samples, double unit) {
  const Mat3 turn = transpose(body.part_from_body);
  const auto moved = [&](const Vec3& p) { return turn * (p - body.center) * (1 / unit); };
  std::vector<SurfacePiece> surface;
  for (Triangle& t : triangles) {
    for (Vec3& corner : t) corner = moved(corner);
    surface.push_back({t[0], t[1], t[2]});
  }
  body.interior = Interior(triangles);
  body.surface = SurfaceTree(SurfaceTree::Kind::triangles, std::move(surface));
  for (Vec3& corner : body.corners) corner = moved(corner);
  for (const Vec3& sample : samples) body.samples.push_back(moved(sample));
  body.radius = 0;
  for (const Vec3& corner : body.corners) {
    body.box.add(corner);
    body.radius = std::max(body.radius, norm(corner));
  }
  for (ConvexHull& piece : body.pieces) {
    for (Vec3& corner : piece.corners) corner = moved(corner);
    for (HalfSpace& face : piece.faces) {
      face.offset = (face.offset - dot(face.normal, body.center)) / unit;
      face.normal = turn * face.normal;
    }
    piece.volume /= unit * unit * unit;
  }
  body.diameter /= unit;
}

Body make_body(const PointCloud& mesh, const std::vector<Triangle>& triangles, const std::string& what, int pieces) {
  Body body;
  body.corners = corners_of(mesh);
  body.diameter = largest_distance(body.corners);
  const double cube = body.diameter * body.diameter * body.diameter;
  const Mass mass = mass_of(triangles);
  // 1e-6: a sheet a thousandth as thick as it is wide is still a solid; what is thinner is a surface.
  if (!(std::fabs(mass.volume) > 1e-6 * cube)) {
    throw InvalidArgument(fmt::format(
        "{}: the mesh encloses no volume ({:.3g} of a diameter of {:.3g}); only closed meshes can be dropped", what,
        mass.volume, body.diameter));
  }
  body.center = mass.center;
  Symmetric<double, 3> moments = mass.second_moments;
  moments *= 1 / mass.volume;
  const auto eigen = eigen_symmetric(moments);
  body.part_from_body = right_handed(eigen.vectors);
  body.mass = std::fabs(mass.volume);
  for (int k = 0; k < 3; ++k) {
    // Solids that overlap and faces that are missing could make a moment vanish; no real part's does.
    const double least = 1e-4 * body.diameter * body.diameter;
    body.inertia[k] = std::max(least, eigen.values[(k + 1) % 3] + eigen.values[(k + 2) % 3]);
  }
  body.pieces = convex_pieces(triangles, pieces);
  return body;
}

}  // namespace

Rigid3 Body::scene_from_part(const Rigid3& scene_from_body, double unit) const {
  const Mat3 rotation = scene_from_body.rotation * transpose(part_from_body);
  return {rotation, unit * scene_from_body.translation - rotation * center};
}

Bodies make_bodies(std::span<const BinPart> parts, int pieces) {
  if (parts.empty()) throw InvalidArgument("bin: there are no parts to drop");
  Bodies all;
  std::vector<PointCloud> meshes;  // as solids need them
  std::vector<std::vector<Triangle>> triangles;
  long total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].count < 0 || parts[i].count > 100000) {
      throw InvalidArgument(fmt::format("count: {} is not allowed; allowed: 0 to 100000", parts[i].count));
    }
    total += parts[i].count;
    const std::string what = fmt::format("part {}", i + 1);
    meshes.push_back(mend_mesh(*parts[i].mesh));
    triangles.push_back(triangles_of(meshes[i], what.c_str()));
    all.bodies.push_back(make_body(meshes[i], triangles.back(), what, pieces));
    all.counts.push_back(parts[i].count);
  }
  if (total == 0) throw InvalidArgument("count: 0 parts in all; there is nothing to drop");
  all.unit = 0;
  for (const Body& body : all.bodies) all.unit = std::max(all.unit, body.diameter);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Body& body = all.bodies[i];
    const PointCloud samples = sample_reference({std::move(meshes[i]), {}, {}}, sample_spacing * body.diameter);
    settle_frame(body, std::move(triangles[i]), samples.positions, all.unit);
    const double unit = all.unit;
    body.mass /= unit * unit * unit;
    body.inertia *= body.mass / (unit * unit);
  }
  return all;
}

BinSize bin_size(const Bodies& bodies, const BinOptions& options) {
  // Of the room that parts thrown together take, the share that is theirs; and that of their convex hulls, which counts
  // where they are hollow.
  constexpr double packed = 0.35, packed_hulls = 0.6;
  double bulk = 0, area = 0;
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    const Body& body = bodies.bodies[i];
    double volume = 0;
    for (const ConvexHull& piece : body.pieces) volume += piece.volume;
    bulk += std::max(volume / packed, convex_hull(body.corners).volume / packed_hulls) * bodies.counts[i];
    area += bodies.bodies[i].diameter * bodies.bodies[i].diameter * bodies.counts[i];
  }
  BinSize size;
  size.plane = options.plane;
  // Floors are 4 to 3. On a plane a part has three times the square of its diameter. In a bin the pile is half as high
  // as the walls, which are three quarters of the width: a volume of 4/3 w² × 3/8 w.
  const double width = std::max(1.5, options.plane ? std::sqrt(3 * area * 3 / 4) : std::cbrt(2 * bulk));
  size.length = options.length > 0 ? options.length / bodies.unit : 4.0 / 3 * width;
  size.width = options.width > 0 ? options.width / bodies.unit : width;
  if (options.plane) return size;
  size.height = options.height > 0 ? options.height / bodies.unit : 0.75 * std::min(size.length, size.width);
  size.wall = 0.15;
  for (const auto& [name, side] : {std::pair{"length", size.length}, std::pair{"width", size.width}}) {
    if (side >= 1) continue;
    throw InvalidArgument(
        fmt::format("{}: a bin of {:.4g} is smaller than the largest part; allowed: its diameter of {:.4g} or more",
                    name, side * bodies.unit, bodies.unit));
  }
  return size;
}

}  // namespace dovetail::bins
