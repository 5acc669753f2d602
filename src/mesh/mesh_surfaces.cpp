// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/mesh_surfaces.h"

#include <algorithm>
#include <cmath>

#include "mesh/nesting.h"
#include "mesh/slits.h"

namespace dovetail::mesh {
namespace {

/// A triangle beside another, and whether it has to be turned to show the same side.
struct Link {
  std::uint32_t other;
  bool against;
};

struct Links {
  std::vector<std::vector<Link>> of;  // by triangle
  std::vector<Edge> open;             // edges that meet none

  explicit Links(const WeldedMesh& mesh) : of(mesh.triangles.size()) {
    std::vector<Edge> single;
    const std::vector<Edge> edges = sorted_edges(mesh);
    for_each_edge(edges, [&](std::size_t first, std::size_t last) {
      if (last - first == 1) single.push_back(edges[first]);
      if (last - first == 2) add(edges[first], edges[first + 1], edges[first].rises == edges[first + 1].rises);
    });
    const Slits slits(mesh, single);
    for (const Slits::Meeting& meeting : slits.meetings()) {
      add(single[meeting.first], single[meeting.second], meeting.same_way);
    }
    for (const Edge& edge : single) {
      if (!slits.covers(edge)) open.push_back(edge);
    }
  }

 private:
  void add(const Edge& a, const Edge& b, bool against) {
    of[a.triangle].push_back({b.triangle, against});
    of[b.triangle].push_back({a.triangle, against});
  }
};

void turn(Corners& t) { std::swap(t[1], t[2]); }

/// One side for what hangs together with `first`, as it has it; `turned` gets those that have to be turned for it.
Surface surface_from(std::uint32_t first, const Links& links, std::vector<bool>& seen, std::vector<bool>& turned) {
  Surface surface;
  surface.triangles = {first};
  seen[first] = true;
  for (std::size_t next = 0; next < surface.triangles.size(); ++next) {
    const std::uint32_t at = surface.triangles[next];
    for (const Link& link : links.of[at]) {
      const bool wanted = turned[at] != link.against;
      if (!seen[link.other]) {
        seen[link.other] = true;
        turned[link.other] = wanted;
        surface.triangles.push_back(link.other);
      } else if (turned[link.other] != wanted) {
        surface.one_sided = true;
      }
    }
  }
  std::sort(surface.triangles.begin(), surface.triangles.end());
  return surface;
}

}  // namespace

double volume_6(const WeldedMesh& mesh, const std::vector<std::uint32_t>& triangles, const Vec3& from) {
  double volume = 0;
  for (const std::uint32_t i : triangles) {
    const Corners& t = mesh.triangles[i];
    volume += dot(mesh.corner(t, 0) - from, cross(mesh.corner(t, 1) - from, mesh.corner(t, 2) - from));
  }
  return volume;
}

Surfaces orient(WeldedMesh& mesh) {
  const Links links(mesh);
  Surfaces surfaces;
  surfaces.of_triangle.resize(mesh.triangles.size());
  std::vector<bool> seen(mesh.triangles.size(), false), turned(mesh.triangles.size(), false);
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    if (seen[i]) continue;
    Surface surface = surface_from(i, links, seen, turned);
    double area = 0, turned_area = 0;
    for (const std::uint32_t t : surface.triangles) {
      const double own = norm(mesh.area_vector(mesh.triangles[t]));
      area += own;
      if (turned[t]) turned_area += own;
      surfaces.of_triangle[t] = static_cast<std::uint32_t>(surfaces.all.size());
    }
    const bool most_are_turned = turned_area > 0.5 * area;
    for (const std::uint32_t t : surface.triangles) {
      // Whatever is done to a band with one side, somewhere two triangles show different ones.
      if (surface.one_sided || turned[t] == most_are_turned) continue;
      turn(mesh.triangles[t]);
      ++surfaces.flipped;
    }
    surfaces.all.push_back(std::move(surface));
  }
  for (const Edge& edge : links.open) {
    surfaces.all[surfaces.of_triangle[edge.triangle]].open_length +=
        norm(mesh.places[edge.high] - mesh.places[edge.low]);
  }
  for (const std::size_t s : inside_out(mesh, surfaces)) {
    surfaces.all[s].inside_out = true;
    for (const std::uint32_t t : surfaces.all[s].triangles) turn(mesh.triangles[t]);
  }
  return surfaces;
}

}  // namespace dovetail::mesh
