// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/file.h"
#include "io/formats.h"
#include "io/output.h"
#include "spatial/gather_points.h"

namespace dovetail {
namespace {

const char* name_of(Encoding encoding) {
  constexpr const char* names[] = {"automatic", "ascii", "binary", "binary_big_endian", "binary_compressed"};
  static_assert(std::size(names) == static_cast<std::size_t>(Encoding::binary_compressed) + 1);
  return names[std::min(static_cast<std::size_t>(encoding), std::size(names) - 1)];  // also of a value that is none
}

void check_cloud(const PointCloud& cloud) {
  if (cloud.empty()) throw InvalidArgument("cloud.positions is empty: a point file has at least one point");
  check_arrays(cloud);
  if (cloud.organised() && std::uint64_t{cloud.width} * cloud.height != cloud.size()) {
    throw InvalidArgument(fmt::format("cloud is {} × {}, but has {} points", cloud.width, cloud.height, cloud.size()));
  }
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
