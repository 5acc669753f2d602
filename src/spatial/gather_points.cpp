// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/gather_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>

#include "dovetail/error.h"

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

/// Throws InvalidArgument, worded as fmt::format() does, where something is not as it must be.
template <class... Args>
void require(bool good, fmt::format_string<Args...> reason, Args&&... args) {
  if (!good) throw InvalidArgument(fmt::format(reason, std::forward<Args>(args)...));
}

void check_faces(const PointCloud& cloud) {
  const Faces& faces = cloud.faces;
  require(!faces.start.empty() && faces.start.front() == 0 && faces.start.back() == faces.index.size() &&
              std::is_sorted(faces.start.begin(), faces.start.end()),
          "cloud.faces.start does not divide cloud.faces.index into faces");
  for (const std::uint32_t corner : faces.index) {
    require(corner < cloud.size(), "cloud.faces names point {}, but there are {}", corner, cloud.size());
  }
}

}  // namespace

void check_arrays(const PointCloud& cloud) {
  const auto check_length = [&](std::size_t length, const std::string& name) {
    require(length == cloud.size(), "cloud.{} has {} entries for {} points", name, length, cloud.size());
  };
  require(cloud.size() <= std::numeric_limits<std::uint32_t>::max(),
          "cloud.positions has {} points; at most 2^32 - 1 are written", cloud.size());
  require(cloud.dimension == 2 || cloud.dimension == 3, "cloud.dimension is {}, must be 2 or 3", cloud.dimension);
  if (!cloud.normals.empty()) check_length(cloud.normals.size(), "normals");
  if (!cloud.colors.empty()) check_length(cloud.colors.size(), "colors");
  for (const Attribute& attribute : cloud.attributes) {
    require(attribute.components >= 1, "attribute '{}' has {} components", attribute.name, attribute.components);
    const auto components = static_cast<std::size_t>(attribute.components);
    const std::size_t values = std::visit([](const auto& v) { return v.size(); }, attribute.values);
    require(values == components * cloud.size(), "attribute '{}' has {} values for {} points of {} components",
            attribute.name, values, cloud.size(), components);
  }
  check_faces(cloud);
}

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
