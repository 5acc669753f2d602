// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <vector>

#include "dovetail/mesh_check.h"
#include "mesh/welded_mesh.h"
#include "spatial/gather_points.h"

namespace dovetail {

std::size_t drop_broken_faces(PointCloud& mesh) {
  const Faces& faces = mesh.faces;
  std::vector<bool> of_kept(mesh.size()), of_broken(mesh.size());
  std::size_t broken = 0;
  Faces kept;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const auto begin = faces.index.begin() + faces.start[face], end = faces.index.begin() + faces.start[face + 1];
    const bool is_broken = mesh::is_broken(mesh, begin, end);
    broken += is_broken;
    std::vector<bool>& used = is_broken ? of_broken : of_kept;
    std::for_each(begin, end, [&](std::uint32_t i) {
      if (i < used.size()) used[i] = true;
    });
    if (is_broken) continue;
    kept.index.insert(kept.index.end(), begin, end);
    kept.start.push_back(static_cast<std::uint32_t>(kept.index.size()));
  }
  if (faces.empty()) return 0;
  std::vector<std::uint32_t> points;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    if (of_kept[i] || (!of_broken[i] && mesh::is_usable(mesh.positions[i]))) points.push_back(i);
  }
  if (broken == 0 && points.size() == mesh.size()) return 0;
  mesh.faces = std::move(kept);
  mesh = gather_points(mesh, points);
  return broken;
}

}  // namespace dovetail
