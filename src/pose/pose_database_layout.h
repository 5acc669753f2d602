// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dovetail/pose_database.h"

// A pose database, numbers little endian:
//
//   "DVTPOSES", version u32, bytes of the text u32, bytes of the whole file u64
//   checksum of the text u64, checksum of the arrays u64, zeros up to 64
//   text: JSON with what every part has but its arrays, and how long these are
//   of each part, each array at a multiple of 64: references (64 bytes each), pixels (depth u16, distance i8,
//   confidence u8), vertices (3 f32), triangles (3 u32)

namespace dovetail::pose {

inline constexpr std::string_view database_magic = "DVTPOSES";
inline constexpr std::uint32_t database_version = 1;

/// The whole file. The parts' spans lead to what is written.
std::string write_database(const std::vector<PoseReferences>& parts);

/// Checks the bytes and gives views of them: they must begin at a multiple of 64 and stay as long as the views do.
/// Throws FileError.
std::vector<PoseReferences> read_database(std::string_view file, std::string_view bytes);

}  // namespace dovetail::pose
