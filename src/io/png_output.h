// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dovetail::io {

/// Writes a PNG of samples row by row: grey with 16 bits (the higher byte first), or red, green and blue with 8 bits
/// each. The file appears whole or not at all. Throws FileError.
enum class PngKind { grey16, rgb8 };
void write_png(const std::filesystem::path& file, PngKind kind, std::uint32_t width, std::uint32_t height,
               std::vector<std::uint8_t>& samples);

}  // namespace dovetail::io
