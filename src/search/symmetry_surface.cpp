// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/symmetry_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/eigen_symmetric.h"
#include "core/random.h"
#include "dovetail/reference.h"
#include "spatial/farthest_pair.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"
#include "spatial/parallel.h"
#include "spatial/voxel_grid.h"

namespace dovetail {
namespace {

constexpr double automatic_tolerance = 0.01;  // of the diameter
constexpr std::size_t even_samples = 3000;
constexpr double between_vertices = 30000;  // samples on the faces of a mesh, at most about as many
constexpr std::size_t most_samples = 40000;
constexpr std::size_t most_discs = 40000;
constexpr double duplicates = 1e-6;    // of the diameter
constexpr double largest_disc = 0.05;  // of the diameter: points farther apart are no surface

/// A permutation that is the same every time.
void shuffle(std::vector<Vec3>& points) {
  RandomStream random(0, 0);
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[random.below(static_cast<std::uint32_t>(i))]);
  }
}

/// One point of every voxel, the voxel at least so large that no more than `most` are left.
std::vector<Vec3> thinned(const std::vector<Vec3>& points, double voxel, std::size_t most) {
  for (;; voxel *= 1.25) {
    const VoxelGroups groups = group_by_voxel(std::span<const Vec3>(points), voxel);
    if (groups.size() > most) continue;
    std::vector<Vec3> kept;
    kept.reserve(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) kept.push_back(points[groups.group(g).front()]);
    return kept;
  }
}

/// Weighted sums over pieces of surface.
struct AreaSums {
  double area = 0;
  Vec3 first{};
  Symmetric<double, 3> second{};

  void add_point(double weight, const Vec3& p) {
    area += weight;
    first += weight * p;
    second.add_outer(weight, p);
  }
  /// ∫ x xᵀ over a triangle = area / 12 (Σ v vᵀ + (Σ v)(Σ v)ᵀ).
  void add_triangle(const SurfacePiece& t) {
    const double own = 0.5 * norm(cross(t.b - t.a, t.c - t.a));
    const Vec3 sum = t.a + t.b + t.c;
    area += own;
    first += (own / 3) * sum;
    for (const Vec3* v : {&t.a, &t.b, &t.c, &sum}) second.add_outer(own / 12, *v);
  }
  Vec3 centroid() const { return (1 / area) * first; }
  Symmetric<double, 3> covariance() const {
    Symmetric<double, 3> c = second;
    c *= 1 / area;
    c.add_outer(-1, centroid());
    return c;
  }
};

/// Calls place(index, u, v) so that pieces are chosen in proportion to their weights, u and v evenly in [0, 1).
template <class Place>
void spread_over(const std::vector<double>& weights, std::size_t count, const Place& place) {
  double total = 0;
  for (const double w : weights) total += w;
  constexpr double u_step = 0.7548776662466927, v_step = 0.5698402909980532;  // fill the square evenly
  double passed = 0, u = 0.5, v = 0.5;
  std::size_t piece = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = total * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    while (piece + 1 < weights.size() && passed + weights[piece] <= at) passed += weights[piece++];
    u += u_step, v += v_step;
    u -= std::floor(u), v -= std::floor(v);
    place(piece, u, v);
  }
}

std::vector<SurfacePiece> triangles_of(const PointCloud& part) {
  std::vector<SurfacePiece> triangles;
  const Faces& faces = part.faces;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const std::uint32_t first = faces.start[face];
    for (std::uint32_t i = first + 2; i < faces.start[face + 1]; ++i) {
      triangles.push_back(
          {part.positions[faces.index[first]], part.positions[faces.index[i - 1]], part.positions[faces.index[i]]});
    }
  }
  return triangles;
}

void set_mesh(SymmetrySurface& surface, const PointCloud& part, const AreaSums& sums,
              std::vector<SurfacePiece> triangles) {
  surface.has_faces = true;
  surface.covariance = sums.covariance();
  const double spacing = std::max(surface.tolerance, std::sqrt(sums.area / between_vertices));
  Reference mesh;
  mesh.points.positions = part.positions;
  mesh.points.faces = part.faces;
  surface.samples = sample_reference(mesh, spacing).positions;
  std::vector<double> areas;
  for (const SurfacePiece& t : triangles) areas.push_back(norm(cross(t.b - t.a, t.c - t.a)));
  spread_over(areas, even_samples, [&](std::size_t i, double u, double v) {
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const SurfacePiece& t = triangles[i];
    surface.even.push_back(t.a + u * (t.b - t.a) + v * (t.c - t.a));
  });
  surface.tree = SurfaceTree(SurfaceTree::Kind::triangles, std::move(triangles));
}

/// What a point of a cloud stands for, and how far its neighbours are off its plane.
struct DiscFit {
  SurfacePiece disc;
  double thickness = 0;
};

DiscFit fit_disc(const KdTree& tree, const std::vector<Vec3>& points, std::size_t i) {
  constexpr int neighbours = 13, reach = 8;  // the point itself is one of them
  const Vec3f at = points[i].cast<float>();
  KNearest<16> near(neighbours, std::numeric_limits<float>::max());
  search(tree.view(), at[0], at[1], at[2], near);
  Vec3 mean{};
  for (int k = 0; k < near.size(); ++k) mean += (1.0 / near.size()) * points[near[k].index];
  Symmetric<double, 3> scatter{};
  for (int k = 0; k < near.size(); ++k) scatter.add_outer(1.0 / near.size(), points[near[k].index] - mean);
  const auto e = eigen_symmetric(scatter);
  const double radius = std::min(largest_disc, norm(points[near[std::min(reach, near.size() - 1)].index] - points[i]));
  DiscFit fit{{points[i], {}, {radius, 0, 0}}, 0};
  // Neighbours along a line, or fewer than a plane needs, tell no normal.
  if (near.size() >= 4 && e.values[1] > 0.02 * e.values[2]) {
    fit.disc.b = e.vector(0);
    fit.disc.a -= dot(fit.disc.b, points[i] - mean) * fit.disc.b;
    fit.thickness = std::sqrt(std::max(0.0, e.values[0]) * near.size() / (near.size() - 3));
  }
  return fit;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the sums of the discs, each weighted by its area: dense places of a cloud count no more than sparse ones.
AreaSums set_cloud(SymmetrySurface& surface, const std::vector<Vec3>& all) {
  const std::vector<Vec3> points = thinned(all, duplicates, most_discs);
  std::vector<Vec3f> in_float;
  for (const Vec3& p : points) in_float.push_back(p.cast<float>());
  const KdTree tree{std::span<const Vec3f>(in_float)};
  std::vector<DiscFit> fits(points.size());
  parallel_for(points.size(), 256, [&](std::size_t i) { fits[i] = fit_disc(tree, points, i); });
  std::vector<double> radii, thicknesses, areas;
  std::vector<SurfacePiece> discs;
  AreaSums sums;
  for (const DiscFit& fit : fits) {
    const double radius = fit.disc.c[0];
    radii.push_back(radius), thicknesses.push_back(fit.thickness), areas.push_back(radius * radius);
    discs.push_back(fit.disc);
    surface.samples.push_back(fit.disc.a);
    sums.add_point(radius * radius, fit.disc.a);
  }
  spread_over(areas, std::min(even_samples, points.size()),
              [&](std::size_t i, double, double) { surface.even.push_back(discs[i].a); });
  surface.allowance = 0.5 * median(radii) + 3 * median(thicknesses);
  surface.covariance = sums.covariance();
  surface.tree = SurfaceTree(SurfaceTree::Kind::discs, std::move(discs));
  return sums;
}

}  // namespace

SymmetrySurface make_symmetry_surface(const PointCloud& part, double tolerance) {
  SymmetrySurface surface;
  Bounds box;
  for (const Vec3& p : part.positions) box.add(p);
  surface.origin = box.center();
  surface.diameter = largest_distance(part.positions);
  if (!(surface.diameter > 0)) return surface;
  surface.tolerance = tolerance > 0 ? tolerance / surface.diameter : automatic_tolerance;

  PointCloud local;
  local.faces = part.faces;
  const auto about_origin = [&] {
    local.positions.clear();
    for (const Vec3& p : part.positions) local.positions.push_back((1 / surface.diameter) * (p - surface.origin));
  };
  about_origin();
  AreaSums sums;
  for (const SurfacePiece& t : triangles_of(local)) sums.add_triangle(t);
  if (sums.area > 0) {
    surface.origin += surface.diameter * sums.centroid();
    about_origin();
    std::vector<SurfacePiece> triangles = triangles_of(local);
    sums = {};
    for (const SurfacePiece& t : triangles) sums.add_triangle(t);
    set_mesh(surface, local, sums, std::move(triangles));
    if (surface.samples.size() > most_samples) {
      surface.samples = thinned(surface.samples, surface.tolerance / 8, most_samples);
    }
  } else {
    sums = set_cloud(surface, local.positions);
    const Vec3 centroid = sums.centroid();
    surface.origin += surface.diameter * centroid;
    about_origin();
    surface.samples.clear(), surface.even.clear();
    set_cloud(surface, local.positions);
  }
  shuffle(surface.samples);
  shuffle(surface.even);
  return surface;
}

}  // namespace dovetail
