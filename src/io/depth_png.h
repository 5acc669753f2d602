// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace dovetail::io {

/// A depth image as a grey PNG of 16 bits holds it: steps of a scale that another file tells, 0 where nothing was
/// measured; row by row.
struct DepthPng {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint16_t> steps;
};

/// Throws FileError naming the file, the byte and the reason: no PNG, not one channel of 16 bits, cut short.
DepthPng read_depth_png(std::string_view file, std::string_view bytes);

/// The file appears whole or not at all. Throws FileError, and InvalidArgument where the number of steps is not
/// width × height.
void write_depth_png(const std::filesystem::path& file, const DepthPng& image);

}  // namespace dovetail::io
