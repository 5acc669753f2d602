// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/site_normals.h"

#include "spatial/flat_normal.h"
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
  Vector<double, D> normal{};
  if (near.size() < least_neighbours[D] || !flat_normal<D>(tree, near, flat, normal)) return 0;
  float n[3] = {0, 0, 0};
  for (int a = 0; a < D; ++a) n[a] = static_cast<float>(normal[a]);
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
