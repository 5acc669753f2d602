// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "part_symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "part_input.h"

namespace dovetail::app {
namespace {

struct PartBox {
  Vec3 low, high;
};

PartBox box_of(const PointCloud& part) {
  constexpr double far = std::numeric_limits<double>::infinity();
  PartBox box{{far, far, far}, {-far, -far, -far}};
  for (const Vec3& p : part.positions) {
    if (!std::isfinite(p[0] + p[1] + p[2])) continue;
    for (int k = 0; k < 3; ++k) box.low[k] = std::min(box.low[k], p[k]), box.high[k] = std::max(box.high[k], p[k]);
  }
  return box;
}

/// Whether a symmetry of lengths times `scale` is that of what stands in the box.
bool fits(const Symmetry& symmetry, double scale, const PartBox& box) {
  // What file formats round, and no more: another part may be nearly as large.
  const double allowed = 1e-3 * norm(box.high - box.low);
  return norm(scale * symmetry.box_low - box.low) <= allowed && norm(scale * symmetry.box_high - box.high) <= allowed;
}

Symmetry scaled(Symmetry symmetry, double scale) {
  for (SymmetryAxis& axis : symmetry.axes) axis.through *= scale;
  for (Transform& rotation : symmetry.rotations) {
    for (int i = 0; i < 3; ++i) rotation.matrix(i, 3) *= scale;
  }
  for (Vec3* point : {&symmetry.center, &symmetry.box_low, &symmetry.box_high}) *point *= scale;
  for (double* length :
       {&symmetry.diameter, &symmetry.radius, &symmetry.deviation, &symmetry.tolerance, &symmetry.allowance}) {
    *length *= scale;
  }
  symmetry.covariance *= scale * scale;
  return symmetry;
}

}  // namespace

Symmetry read_symmetry_of(const std::string& file, const std::string& name, const PointCloud& part) {
  const Symmetry symmetry = read_symmetry(file);
  const PartBox box = box_of(part);
  for (const char* unit : part_units) {
    const double scale = millimetres_in("unit", unit);
    if (fits(symmetry, scale, box)) return scaled(symmetry, scale);
  }
  const Vec3 size = box.high - box.low, other = symmetry.box_high - symmetry.box_low;
  throw FileError(fmt::format(
      "{}: is not the symmetry of {}: it is of a part with a diameter of {:.6g} and a box of {:.6g} x {:.6g} x {:.6g} "
      "from ({:.6g}, {:.6g}, {:.6g}) on; {} has a diagonal of {:.6g} mm and a box of {:.6g} x {:.6g} x {:.6g} mm from "
      "({:.6g}, {:.6g}, {:.6g}) on, and no unit of {} brings them together",
      file, name, symmetry.diameter, other[0], other[1], other[2], symmetry.box_low[0], symmetry.box_low[1],
      symmetry.box_low[2], name, norm(size), size[0], size[1], size[2], box.low[0], box.low[1], box.low[2],
      fmt::join(part_units, ", ")));
}

}  // namespace dovetail::app
