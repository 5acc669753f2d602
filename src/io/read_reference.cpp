// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/observed_file.h"
#include "dovetail/reference.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/formats.h"
#include "io/reference_builder.h"
#include "io/reference_formats.h"

namespace dovetail {
namespace io {
namespace {

// Files that GDAL is asked for by their names alone. Others it is asked for when nothing here knows their content.
constexpr std::string_view vector_endings[] = {".osm", ".pbf", ".shp", ".shz", ".gpkg", ".kml", ".kmz", ".gml",
                                               ".gpx", ".fgb", ".dxf", ".dgn", ".gdb",  ".tab", ".mif", ".sqlite"};

std::string ending_of(const std::filesystem::path& file) { return to_lower(file.extension().string()); }

/// What GDAL is to open for a file that is read through it; empty for others.
std::string vectors_name(const std::filesystem::path& file) {
  const std::string name = file.string(), ending = ending_of(file);
  std::error_code ignored;
  if (name.starts_with("/vsi") || std::filesystem::is_directory(file, ignored)) return name;
  if (ending == ".gz") return "/vsigzip/" + name;
  if (ending == ".zip") return "/vsizip/" + name;
  const bool known =
      std::find(std::begin(vector_endings), std::end(vector_endings), ending) != std::end(vector_endings);
  return known ? name : std::string();
}

void check(const ReferenceOptions& options) {
  if (options.threshold < 0 || options.threshold > 255) {
    throw InvalidArgument(fmt::format("threshold: {} is not a brightness from 0 to 255", options.threshold));
  }
  if (options.frame) {
    const GeoFrame& frame = *options.frame;
    if (!(std::fabs(frame.longitude) <= 360) || !(std::fabs(frame.latitude) <= 90)) {
      throw InvalidArgument(
          fmt::format("frame: longitude {}, latitude {} is no place on earth", frame.longitude, frame.latitude));
    }
  }
}

/// Options that mean nothing for this file are the caller's mistake, not to be passed over.
void refuse_frame(const std::string& file, const ReferenceOptions& options) {
  if (options.frame && !options.planar_too)
    throw InvalidArgument("frame: " + file + " holds no longitudes and latitudes to project");
}
void refuse_selection(const std::string& file, const ReferenceOptions& options) {
  const char* const option = !options.layer.empty() ? "layer" : !options.where.empty() ? "where" : nullptr;
  if (option) throw InvalidArgument(fmt::format("{}: {} is no vector data, and has no layers or fields", option, file));
}

Reference read(const std::filesystem::path& path, const ReferenceOptions& options) {
  const std::string file = path.string(), ending = ending_of(path);
  const FileBytes content(path);
  std::string_view bytes = content.view();
  if (bytes.empty()) throw FileError(file + ": byte 0: the file is empty");
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // the mark some editors put before UTF-8 text
  const bool png = is_png(bytes);
  if (!png && (is_geojson(bytes) || ending == ".geojson" || ending == ".json")) {
    const bool select = !options.layer.empty() || !options.where.empty();
    return select ? read_vectors(file, file, options) : read_geojson(file, bytes, options);
  }
  if (!png && ending != ".png" && !choose_format(file, bytes) && is_vectors(file)) {
    return read_vectors(file, file, options);
  }
  refuse_selection(file, options);
  if (png || ending == ".png") {
    refuse_frame(file, options);
    return read_png(file, bytes, options);
  }
  const Format* const format = choose_format(file, bytes);
  if (!format) {
    throw FileError(fmt::format("{}: byte 0: neither its content nor its name is known; read are {}, and as points {}",
                                file, supported_references(), supported_formats()));
  }
  if (format->id == FileFormat::xyz && holds_degrees(file, bytes)) {
    return project_degrees(file, parse_points(file, bytes), options.frame);
  }
  refuse_frame(file, options);
  Reference reference;
  reference.points = parse_points(file, bytes);
  return reference;
}

}  // namespace
}  // namespace io

Reference read_reference(const std::filesystem::path& file, const ReferenceOptions& options) {
  io::check(options);
  const std::string vectors = io::vectors_name(file);
  if (vectors.empty()) return io::read(file, options);
  std::error_code ignored;
  if (!file.string().starts_with("/vsi") && !std::filesystem::exists(file, ignored)) {
    throw FileError(file.string() + ": cannot be opened: No such file or directory");
  }
  if (std::filesystem::is_directory(file, ignored) && !io::is_vectors(vectors)) {
    throw FileError(file.string() + ": is a folder, and holds no vector data that can be read");
  }
  return io::read_vectors(file.string(), vectors, options);
}

ObservedFile read_observed(const std::filesystem::path& file, ReferenceOptions options) {
  constexpr double points_along_lines = 20'000;
  options.planar_too = true;
  Reference moving = read_reference(file, options);
  if (!moving.lines.empty()) {
    moving.points = sample_reference(moving, measure_reference(moving).length / points_along_lines);
  }
  return {std::move(moving.points), moving.frame};
}

std::string supported_references() { return "GeoJSON (.geojson .json), PNG images (.png), " + io::vector_formats(); }

}  // namespace dovetail
