// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "io/reference_formats.h"

namespace dovetail::io {

std::string vector_formats() { return "no other vector data: built without GDAL"; }

bool is_vectors(const std::string&) { return false; }

Reference read_vectors(const std::string& file, const std::string&, const ReferenceOptions&) {
  throw FileError(
      file +
      ": such vector data, and layers and conditions, are read through GDAL, and this build has none; it reads " +
      supported_references());
}

}  // namespace dovetail::io
