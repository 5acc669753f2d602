// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/reference.h"

namespace dovetail::io {

/// What of vector data GDAL reads, with its version; why none, where it was not built in.
std::string vector_formats();

/// Whether GDAL would read the file. Never where it was not built in.
bool is_vectors(const std::string& file);

/// The lines and points of a vector data set: OpenStreetMap, Shapefile, GeoPackage and others. `name` is what GDAL is
/// to open ("/vsigzip/..." for packed files), `file` what the caller called it.
Reference read_vectors(const std::string& file, const std::string& name, const ReferenceOptions& options);

}  // namespace dovetail::io
