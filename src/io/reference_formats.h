// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>

#include "dovetail/reference.h"

// What a reference is read from besides point files: each format in a file of its name.

namespace dovetail::io {

/// Whether the text looks like GeoJSON: an object with a "type" near its beginning.
bool is_geojson(std::string_view bytes);

/// GeoJSON (RFC 7946): features, geometries and collections of both; lines, rings of polygons, points. Heights are
/// passed over. The old member "crs" is accepted where it names WGS 84.
Reference read_geojson(std::string_view file, std::string_view bytes, const ReferenceOptions& options);

bool is_png(std::string_view bytes);

/// A PNG image of any kind: a point (column, row) for every set pixel, row after row.
Reference read_png(std::string_view file, std::string_view bytes, const ReferenceOptions& options);

/// What of vector data GDAL reads, with its version; why none, where it was not built in.
std::string vector_formats();

/// Whether GDAL would read the file. Never where it was not built in.
bool is_vectors(const std::string& file);

/// The lines and points of a vector data set: OpenStreetMap, Shapefile, GeoPackage and others. `name` is what GDAL is
/// to open ("/vsigzip/..." for packed files), `file` what the caller called it.
Reference read_vectors(const std::string& file, const std::string& name, const ReferenceOptions& options);

}  // namespace dovetail::io
