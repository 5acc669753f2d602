// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/local_cloud.h"
#include "spatial/parallel.h"
#include "spatial/point_reader.h"

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

constexpr std::size_t grain = 1 << 14;

Vec3f unit_or_zero(const Vec3f& normal) {
  const Vec3 n = normal.cast<double>();
  const double length = norm(n);
  if (!(length > 0) || !std::isfinite(length)) return {};
  return (n * (1 / length)).cast<float>();
}

template <class T>
std::vector<T> gathered(const std::vector<T>& values, std::span<const std::uint32_t> order) {
  if (values.empty()) return {};
  std::vector<T> result(order.size());
  parallel_for(order.size(), grain, [&](std::size_t i) { result[i] = values[order[i]]; });
  return result;
}

}  // namespace

double local_scale(double length) {
  if (!(length > 0) || !std::isfinite(length)) return 1;
  int exponent = 0;
  std::frexp(length, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));  // the scale and its inverse stay finite
}

LocalCloud make_local_cloud(const PointsView& points, std::span<const std::uint32_t> kept, const LocalFrame& frame) {
  const std::size_t size = kept.size();
  LocalCloud local;
  local.x.resize(size), local.y.resize(size), local.z.resize(size);
  local.index.assign(kept.begin(), kept.end());
  with_reader(points, [&](const auto& reader) {
    parallel_for(size, grain, [&](std::size_t i) {
      const Vec3f p = frame.to_local(reader[kept[i]]).template cast<float>();
      local.x[i] = p[0], local.y[i] = p[1], local.z[i] = p[2];
    });
  });
  if (points.normals == nullptr) return local;
  local.nx.resize(size), local.ny.resize(size), local.nz.resize(size);
  parallel_for(size, grain, [&](std::size_t i) {
    const Vec3f n = unit_or_zero(points.normal(kept[i]));
    local.nx[i] = n[0], local.ny[i] = n[1], local.nz[i] = n[2];
  });
  const auto is_zero = [](float v) { return v == 0; };
  if (std::ranges::all_of(local.nx, is_zero) && std::ranges::all_of(local.ny, is_zero) &&
      std::ranges::all_of(local.nz, is_zero)) {  // an array that nobody filled in is none
    local.nx.clear(), local.ny.clear(), local.nz.clear();
  }
  return local;
}

LocalCloud gather(const LocalCloud& cloud, std::span<const std::uint32_t> order) {
  return {gathered(cloud.x, order),      gathered(cloud.y, order),    gathered(cloud.z, order),
          gathered(cloud.nx, order),     gathered(cloud.ny, order),   gathered(cloud.nz, order),
          gathered(cloud.weight, order), gathered(cloud.index, order)};
}

}  // namespace dovetail
