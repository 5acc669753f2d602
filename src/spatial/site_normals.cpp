// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/site_normals.h"

#include "core/eigen_symmetric.h"
#include "spatial/kd_search.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

/// Variance across the surface, as a part of the least one along it.
constexpr double flat = 0.04;
constexpr int least_neighbours[4] = {0, 0, 4, 6};  // by dimension, the site itself included
constexpr int most_neighbours = 32;

template <int D>
std::uint32_t normal_of(const KdTreeView& tree, const Site& site, float reach) {
  KNearest<most_neighbours> near(most_neighbours, reach * reach);
  search(tree, site.x, site.y, site.z, near);
  if (near.size() < least_neighbours[D]) return 0;
  Vector<double, D> mean{};
  const auto point = [&](int i) {
    const TreePoint& p = tree.points[near[i].slot];
    const float c[3] = {p.x, p.y, p.z};
    Vector<double, D> v{};
    for (int a = 0; a < D; ++a) v[a] = double{c[a]};
    return v;
  };
  for (int i = 0; i < near.size(); ++i) mean += (1.0 / near.size()) * point(i);
  Symmetric<double, D> scatter{};
  for (int i = 0; i < near.size(); ++i) scatter.add_outer(1.0, point(i) - mean);
  const auto eigen = eigen_symmetric(scatter);
  if (!(eigen.values[0] <= flat * eigen.values[1])) return 0;
  float n[3] = {0, 0, 0};
  for (int a = 0; a < D; ++a) n[a] = static_cast<float>(eigen.vectors(a, 0));
  return pack_normal(D, n[0], n[1], n[2]);
}

}  // namespace

void estimate_site_normals(int dimension, float reach, std::vector<Site>& sites) {
  std::vector<Vec3f> points(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) points[i] = {sites[i].x, sites[i].y, sites[i].z};
  const KdTree tree(points);
  const KdTreeView view = tree.view();
  parallel_for(sites.size(), 512, [&](std::size_t i) {
    sites[i].normal = dimension == 2 ? normal_of<2>(view, sites[i], reach) : normal_of<3>(view, sites[i], reach);
  });
}

}  // namespace dovetail
