// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/reference.h"

namespace dovetail::io {

/// Whether the text looks like GeoJSON: an object with a "type" near its beginning.
bool is_geojson(std::string_view bytes);

/// GeoJSON (RFC 7946): features, geometries and collections of both; lines, rings of polygons, points. Heights are
/// passed over. The old member "crs" is accepted where it names WGS 84.
Reference read_geojson(std::string_view file, std::string_view bytes, const ReferenceOptions& options);

}  // namespace dovetail::io
