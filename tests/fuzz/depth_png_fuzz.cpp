// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/depth_png.h"

#include <cstdlib>

#include "dovetail/error.h"
#include "png_checksums.h"

// A FileError is a good answer; an image must have as many steps as pixels.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dovetail;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz::mend_checksums(bytes);
  try {
    const io::DepthPng image = io::read_depth_png("fuzz", bytes);
    if (image.steps.size() != std::size_t{image.width} * image.height) std::abort();
  } catch (const FileError&) {
  }
  return 0;
}
