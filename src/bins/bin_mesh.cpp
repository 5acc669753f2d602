// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/bins.h"

namespace dovetail {
namespace {

void add_box(PointCloud& mesh, const Vec3& low, const Vec3& high) {
  const auto first = static_cast<std::uint32_t>(mesh.size());
  for (int corner = 0; corner < 8; ++corner) {
    mesh.positions.push_back(
        {corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]});
  }
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.faces.add({first + a, first + b, first + c, first + d});
  };
  quad(0, 2, 3, 1), quad(4, 5, 7, 6), quad(0, 1, 5, 4), quad(2, 6, 7, 3), quad(0, 4, 6, 2), quad(1, 3, 7, 5);
}

}  // namespace

PointCloud bin_mesh(const Bin& bin) {
  PointCloud mesh;
  const double x = 0.5 * bin.length, y = 0.5 * bin.width, z = bin.height, w = bin.wall;
  if (!(w > 0)) {
    mesh.positions = {{-3 * x, -3 * y, 0}, {3 * x, -3 * y, 0}, {3 * x, 3 * y, 0}, {-3 * x, 3 * y, 0}};
    mesh.faces.add({0, 1, 2, 3});
    return mesh;
  }
  add_box(mesh, {-x - w, -y - w, -w}, {x + w, y + w, 0});
  add_box(mesh, {-x - w, -y - w, 0}, {-x, y + w, z});
  add_box(mesh, {x, -y - w, 0}, {x + w, y + w, z});
  add_box(mesh, {-x, -y - w, 0}, {x, -y, z});
  add_box(mesh, {-x, y, 0}, {x, y + w, z});
  return mesh;
}

}  // namespace dovetail
