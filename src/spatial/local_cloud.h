// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/matrix.h"
#include "dovetail/points_view.h"
#include "spatial/bounds.h"

namespace dovetail {

/// Where the float coordinates of a LocalCloud live: local = (p - origin) * scale.
struct LocalFrame {
  Vec3 origin{};
  double scale = 1;  ///< a power of two, so that scaling rounds nothing

  Vec3 to_local(const Vec3& p) const { return (p - origin) * scale; }
  Vec3 from_local(const Vec3& local) const { return local * (1 / scale) + origin; }
};

/// Points in float around their own origin, one array a coordinate. Per-point arrays are empty or as long as `x`.
struct LocalCloud {
  std::vector<float> x, y, z;
  std::vector<float> nx, ny, nz;     ///< unit normals; zero where unknown
  std::vector<float> weight;         ///< every point counts 1 when empty
  std::vector<std::uint32_t> index;  ///< of the point in the caller's cloud

  std::size_t size() const { return x.size(); }
  bool empty() const { return x.empty(); }
  bool has_normals() const { return !nx.empty(); }
};

/// The power of two that brings a length into [0.5, 1); 1 for a length of zero. Clouds to be aligned share the scale of
/// the larger one, each around its own origin.
double local_scale(double length);

/// The frame centred on a box, main_bounds of the cloud say.
inline LocalFrame local_frame(const Bounds& bounds, double scale) { return {bounds.center(), scale}; }

/// The points `kept`, in that order, in the frame. Normals come along, made unit length (zero when that cannot be).
LocalCloud make_local_cloud(const PointsView& points, std::span<const std::uint32_t> kept, const LocalFrame& frame);

/// The cloud with point order[i] at position i: into the order of a tree (KdTree::order) or of a curve (morton_order).
LocalCloud gather(const LocalCloud& cloud, std::span<const std::uint32_t> order);

}  // namespace dovetail
