// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "dovetail/error.h"
#include "io/cursor.h"
#include "io/json_text.h"
#include "io/reference_builder.h"

namespace dovetail::io {
namespace {

constexpr int deepest_collection = 32;

/// Walks over a GeoJSON text and hands lines and points to a builder. Refusals name the place by its keys:
/// "features[12].geometry.coordinates".
class GeoJsonReader {
 public:
  explicit GeoJsonReader(std::string_view file) : file_(file), builder_(file) {}

  Reference read(const Json& root, const std::optional<GeoFrame>& frame) {
    read_object(root, "", 0);
    return builder_.take_projected(frame);
  }

 private:
  [[noreturn]] void fail(const std::string& place, std::string_view reason) const {
    throw FileError(fmt::format("{}: {}{}{}", file_, place, place.empty() ? "" : ": ", reason));
  }

  static std::string below(const std::string& place, std::string_view key) {
    return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
  }
  static std::string item(const std::string& place, std::size_t i) { return fmt::format("{}[{}]", place, i); }

  const Json& list(const Json& value, const std::string& place, const char* what) const {
    if (!value.is_array()) fail(place, fmt::format("a list of {} was expected, found {}", what, value.type_name()));
    return value;
  }

  const Json& member(const Json& object, const std::string& place, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(place, fmt::format("has no \"{}\"", key));
    return *found;
  }

  void read_object(const Json& object, const std::string& place, int depth) {
    if (!object.is_object()) fail(place, fmt::format("a GeoJSON object was expected, found {}", object.type_name()));
    if (place.empty() && !object.contains("type")) fail(place, "is JSON, but no GeoJSON: it has no \"type\"");
    const Json& type_value = member(object, place, "type");
    if (!type_value.is_string()) fail(place, "its \"type\" is not a text");
    const auto& type = type_value.get_ref<const std::string&>();
    check_crs(object, place);
    if (type == "FeatureCollection" || type == "GeometryCollection") {
      if (depth == deepest_collection) fail(place, fmt::format("collections within collections, {} deep", depth));
      const char* const key = type == "FeatureCollection" ? "features" : "geometries";
      const std::string inside = below(place, key);
      const Json& items = list(member(object, place, key), inside, key);
      for (std::size_t i = 0; i < items.size(); ++i) read_object(items[i], item(inside, i), depth + 1);
    } else if (type == "Feature") {
      const Json& geometry = member(object, place, "geometry");  // null where the feature has no place on earth
      if (depth == deepest_collection) fail(place, "features within features");
      if (!geometry.is_null()) read_object(geometry, below(place, "geometry"), depth + 1);
    } else {
      read_geometry(type, object, place);
    }
  }

  void read_geometry(const std::string& type, const Json& object, const std::string& place) {
    // How many lists are around the lines or, for points, around the positions.
    const auto read = [&](int lists, bool lines, bool rings) {
      read_coordinates(member(object, place, "coordinates"), below(place, "coordinates"), lists, lines, rings);
    };
    if (type == "Point") return read(0, false, false);
    if (type == "MultiPoint") return read(1, false, false);
    if (type == "LineString") return read(0, true, false);
    if (type == "MultiLineString") return read(1, true, false);
    if (type == "Polygon") return read(1, true, true);
    if (type == "MultiPolygon") return read(2, true, true);
    fail(place, fmt::format("{} is no type of GeoJSON", in_quotes(type)));
  }

  void read_coordinates(const Json& value, const std::string& place, int lists, bool lines, bool rings) {
    list(value, place, "coordinates");
    if (lists > 0) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        read_coordinates(value[i], item(place, i), lists - 1, lines, rings);
      }
    } else if (value.empty()) {
      return;  // a geometry without coordinates counts as none
    } else if (lines) {
      read_line(value, place, rings);
    } else {
      const Vec2 p = position(value, [&] { return place; });
      builder_.add_point(p[0], p[1]);
    }
  }

  void read_line(const Json& positions, const std::string& place, bool ring) {
    const std::size_t least = ring ? 3 : 2;
    if (positions.size() < least) {
      fail(place, fmt::format("a {} of {} positions, at least {} were expected", ring ? "ring" : "line",
                              positions.size(), least));
    }
    Vec2 first{}, last{};
    for (std::size_t i = 0; i < positions.size(); ++i) {
      last = position(positions[i], [&] { return item(place, i); });
      if (i == 0) first = last;
      builder_.add_line_vertex(last[0], last[1]);
    }
    if (ring && !(first == last)) builder_.add_line_vertex(first[0], first[1]);  // some programs leave it open
    builder_.end_line();
  }

  /// Longitude and latitude. The place is worded only where it is needed: there are millions of positions.
  template <class Place>
  Vec2 position(const Json& value, const Place& place) const {
    if (!value.is_array() || value.size() < 2) {
      fail(place(), fmt::format("a position [longitude, latitude] was expected, found {}",
                                value.is_array() ? fmt::format("a list of {}", value.size()) : value.type_name()));
    }
    Vec2 p{};
    for (int i = 0; i < 2; ++i) {
      const Json& number = value[static_cast<std::size_t>(i)];
      if (!number.is_number()) {
        fail(place(), fmt::format("a number was expected as {}, found {}", i == 0 ? "longitude" : "latitude",
                                  number.type_name()));
      }
      p[i] = number.get<double>();
    }
    if (!(std::fabs(p[1]) <= 90)) fail(place(), fmt::format("latitude {} is not within -90 and 90 degrees", p[1]));
    if (!(std::fabs(p[0]) <= 360)) fail(place(), fmt::format("longitude {} is not within -360 and 360 degrees", p[0]));
    return p;
  }

  /// GeoJSON is WGS 84. Before RFC 7946 it could say otherwise, and some programs still do.
  void check_crs(const Json& object, const std::string& place) const {
    const auto crs = object.find("crs");
    if (crs == object.end() || crs->is_null()) return;
    std::string name = "without a name";
    if (const auto properties = crs->find("properties"); properties != crs->end()) {
      const auto value = properties->find("name");
      if (value != properties->end() && value->is_string()) name = value->get<std::string>();
    }
    const bool wgs84 = name.ends_with("CRS84") || name == "EPSG:4326" ||
                       (name.starts_with("urn:ogc:def:crs:EPSG:") && name.ends_with(":4326"));
    if (wgs84) return;
    fail(below(place, "crs"), fmt::format("{} is not WGS 84, which GeoJSON is to be in: convert the file, for "
                                          "example with ogr2ogr -t_srs EPSG:4326",
                                          in_quotes(name)));
  }

  std::string file_;
  ReferenceBuilder builder_;
};

}  // namespace

bool is_geojson(std::string_view bytes) {
  const std::string_view head = trim(bytes.substr(0, 4096));
  return head.starts_with('{') && head.find("\"type\"") != std::string_view::npos;
}

Reference read_geojson(std::string_view file, std::string_view bytes, const ReferenceOptions& options) {
  return GeoJsonReader(file).read(parse_json(file, bytes), options.frame);
}

}  // namespace dovetail::io
