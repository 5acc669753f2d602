// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dovetail/error.h"
#include "dovetail/reference.h"

namespace dovetail::fuzz {

/// Reads the bytes with one format's reader. A FileError is a good answer; a cloud must be sound. Anything else
/// (another exception, a crash, a sanitizer's complaint, more memory than the limit) ends the program, which is what
/// fuzzing looks for.
inline int read(PointCloud (*reader)(std::string_view, std::string_view), const std::uint8_t* data, std::size_t size) {
  const auto require = [](bool sound) {
    if (!sound) std::abort();
  };
  try {
    const PointCloud cloud = reader("fuzz", {reinterpret_cast<const char*>(data), size});
    require(!cloud.empty());
    require(cloud.normals.empty() || cloud.normals.size() == cloud.size());
    require(cloud.colors.empty() || cloud.colors.size() == cloud.size());
    require(!cloud.organised() || std::uint64_t{cloud.width} * cloud.height == cloud.size());
    for (const Attribute& attribute : cloud.attributes) {
      const std::size_t values = std::visit([](const auto& v) { return v.size(); }, attribute.values);
      require(values == cloud.size() * static_cast<std::size_t>(attribute.components));
    }
    require(cloud.faces.start.back() == cloud.faces.index.size());
    for (const std::uint32_t corner : cloud.faces.index) require(corner < cloud.size());
  } catch (const FileError&) {
  }
  return 0;
}

/// The same for a reader of references.
inline int read_reference(Reference (*reader)(std::string_view, std::string_view, const ReferenceOptions&),
                          std::string_view bytes) {
  const auto require = [](bool sound) {
    if (!sound) std::abort();
  };
  try {
    const Reference reference = reader("fuzz", bytes, {});
    require(!reference.points.empty());
    require(reference.lines.start.back() == reference.lines.index.size());
    for (const std::uint32_t corner : reference.lines.index) require(corner < reference.points.size());
    for (const Vec3& p : reference.points.positions) require(std::isfinite(p[0]) && std::isfinite(p[1]) && p[2] == 0);
  } catch (const FileError&) {
  }
  return 0;
}

}  // namespace dovetail::fuzz
