// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/file.h"
#include "io/formats.h"
#include "io/output.h"

namespace dovetail {
namespace {

const char* name_of(Encoding encoding) {
  constexpr const char* names[] = {"automatic", "ascii", "binary", "binary_big_endian", "binary_compressed"};
  static_assert(std::size(names) == static_cast<std::size_t>(Encoding::binary_compressed) + 1);
  return names[std::min(static_cast<std::size_t>(encoding), std::size(names) - 1)];  // also of a value that is none
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

void check_cloud(const PointCloud& cloud) {
  const auto check_length = [&](std::size_t length, const std::string& name) {
    require(length == cloud.size(), "cloud.{} has {} entries for {} points", name, length, cloud.size());
  };
  require(!cloud.empty(), "cloud.positions is empty: a point file has at least one point");
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
  require(!cloud.organised() || std::uint64_t{cloud.width} * cloud.height == cloud.size(),
          "cloud is {} × {}, but has {} points", cloud.width, cloud.height, cloud.size());
  check_faces(cloud);
}

/// A format and how its numbers are laid out.
struct Choice {
  const io::Format& format;
  Encoding encoding;
};

Choice choose(const std::filesystem::path& file, const WriteOptions& options) {
  const io::Format* const format = io::format_by_name(file.string());
  if (!format) {
    throw InvalidArgument(fmt::format("{}: the name's ending is none of {}", file.string(), supported_formats()));
  }
  const bool automatic = options.encoding == Encoding::automatic;
  const Encoding encoding = automatic ? format->encodings.front() : options.encoding;
  if (std::find(format->encodings.begin(), format->encodings.end(), encoding) == format->encodings.end()) {
    std::string known;
    for (const Encoding e : format->encodings) known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(e));
    throw InvalidArgument(
        fmt::format("{}: {} has no encoding {}, only {}", file.string(), format->name, name_of(encoding), known));
  }
  return {*format, encoding};
}

/// What a format refuses, with the file it refuses it for.
template <class F>
void naming(const std::filesystem::path& file, F&& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(file.string() + ": " + error.what());
  }
}

}  // namespace

void check_points(const std::filesystem::path& file, const PointCloud& cloud, const WriteOptions& options) {
  const Choice chosen = choose(file, options);
  check_cloud(cloud);
  if (chosen.format.check) naming(file, [&] { chosen.format.check(cloud); });
}

void write_points(const std::filesystem::path& file, const PointCloud& cloud, const WriteOptions& options) {
  const Choice chosen = choose(file, options);
  check_points(file, cloud, options);
  io::AtomicFile target(file);
  io::Output out(target);
  naming(file, [&] { chosen.format.write(out, cloud, chosen.encoding); });
  out.flush();
  target.commit();
}

}  // namespace dovetail
