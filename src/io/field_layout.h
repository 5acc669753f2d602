// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/cursor.h"
#include "io/field_file.h"

// A field file, numbers little endian:
//
//   "DVTFIELD", version u32, levels u32 (1 or 2), bytes of the whole file u64
//   reference points u64, margin f64, origin 3 f64, scale f64
//   segments of lines u64, stretches of lines u64, checksum of the segments u64
//   bytes of crs u32, bytes of source u32, both texts, zeros up to a multiple of 8
//   of each level, coarse to fine: dimension u32, cells 3 u32, origin 3 f32, cell f32, band u32, tiles 3 u32,
//                  slots u64, sites u64, cells stored u64, checksum of its arrays u64
//   checksum of everything so far u64
//   of each level: slots u32 each, sites (3 f32, u32) each, nearest u32 each
//   segments (5 f32, u32) each

namespace dovetail::io {

inline constexpr std::string_view field_magic = "DVTFIELD";
inline constexpr std::uint32_t field_version = 2;

/// A level without its arrays.
struct FieldLevelHeader {
  FieldLevel level;  ///< grid, band and number of tiles only
  std::uint64_t slots = 0, sites = 0, stored = 0, checksum = 0;

  std::uint64_t array_bytes() const { return 4 * slots + sizeof(Site) * sites + 4 * stored; }
};

/// Detects every change of up to eight neighbouring bytes, and others with all but certainty; as fast as memory.
std::uint64_t field_checksum(std::string_view bytes, std::uint64_t start = 0);

/// What a file says before its arrays.
struct FieldHeader {
  std::vector<FieldLevelHeader> levels;
  std::uint64_t segments = 0, stretches = 0, segments_checksum = 0;
};

/// Everything before the arrays, checked: sizes agree with each other and with the file's. The cursor is at the arrays.
FieldHeader read_field_header(Cursor& cursor, FieldFile& field);

std::string write_field_header(const FieldFile& field, const FieldHeader& header);

}  // namespace dovetail::io
