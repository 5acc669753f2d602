// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/gather_points.h"

#include <algorithm>

namespace dovetail {
namespace {

template <class T>
std::vector<T> gathered(const std::vector<T>& values, std::span<const std::uint32_t> kept, std::size_t components = 1) {
  std::vector<T> result;
  if (values.empty()) return result;
  result.reserve(kept.size() * components);
  for (const std::uint32_t i : kept) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * components);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(components));
  }
  return result;
}

Faces renumbered(const Faces& faces, std::size_t point_count, std::span<const std::uint32_t> kept) {
  Faces result;
  if (faces.empty()) return result;
  constexpr std::uint32_t gone = UINT32_MAX;
  std::vector<std::uint32_t> new_index(point_count, gone);
  for (std::size_t i = 0; i < kept.size(); ++i) new_index[kept[i]] = static_cast<std::uint32_t>(i);
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const auto corners = std::span(faces.index).subspan(faces.start[face], faces.start[face + 1] - faces.start[face]);
    const bool whole = std::ranges::all_of(corners, [&](std::uint32_t c) { return new_index[c] != gone; });
    if (!whole) continue;
    for (const std::uint32_t c : corners) result.index.push_back(new_index[c]);
    result.start.push_back(static_cast<std::uint32_t>(result.index.size()));
  }
  return result;
}

}  // namespace

PointCloud gather_points(const PointCloud& cloud, std::span<const std::uint32_t> kept) {
  PointCloud result;
  result.positions = gathered(cloud.positions, kept);
  result.normals = gathered(cloud.normals, kept);
  result.colors = gathered(cloud.colors, kept);
  result.has_alpha = cloud.has_alpha;
  for (const Attribute& attribute : cloud.attributes) {
    const auto components = static_cast<std::size_t>(attribute.components);
    result.attributes.push_back(
        {attribute.name, attribute.components,
         std::visit([&](const auto& values) { return Attribute::Values(gathered(values, kept, components)); },
                    attribute.values)});
  }
  result.faces = renumbered(cloud.faces, cloud.size(), kept);
  result.dimension = cloud.dimension;
  result.precision = cloud.precision;
  return result;
}

}  // namespace dovetail
