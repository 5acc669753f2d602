// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spatial/distance_field.h"
#include "spatial/line_map.h"
#include "spatial/local_cloud.h"

namespace dovetail::io {

/// A dense field alone, or a coarse dense one and a finer one with a band of cells about the reference. Machines have
/// room for a few levels only, so a file must not promise more.
inline constexpr std::uint32_t most_field_levels = 2;

/// A reference prepared for registration by distance fields, as a file keeps it.
struct FieldFile {
  LocalFrame frame;                ///< of the fields' coordinates
  std::vector<FieldLevel> levels;  ///< coarse to fine, the first one dense; at most most_field_levels
  LineMap lines;                   ///< of a reference of lines in the plane
  std::string crs;                 ///< coordinate system of the frame, as PROJ writes it; empty where none is known
  std::string source;              ///< name of the file the reference was made from; may be empty
  std::uint64_t reference_points = 0;
  double margin = 0;  ///< how far the domain goes beyond the reference, local
};

/// Whether the bytes begin as such a file does.
bool is_field_file(std::string_view bytes);

/// Reads a field file from memory; `file` names it in messages. Throws FileError for what is no such file, another
/// version, cut short, changed, or out of range. Takes no more memory than the bytes have.
FieldFile read_field_file(std::string_view file, std::string_view bytes);

FieldFile load_field_file(const std::filesystem::path& file);

/// The file appears whole or not at all.
void save_field_file(const std::filesystem::path& file, const FieldFile& field);

}  // namespace dovetail::io
