// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/depth_png.h"

#include <fmt/format.h>

#include <string>

#include "dovetail/error.h"
#include "io/png_input.h"
#include "io/png_output.h"

namespace dovetail::io {

DepthPng read_depth_png(std::string_view file, std::string_view bytes) {
  PngInput input(file, bytes);
  input.open();
  if (input.color_type() != PNG_COLOR_TYPE_GRAY || input.bit_depth() != 16) {
    input.fail_at(24, "a depth image has one channel of 16 bits; this one has another");
  }
  if (input.interlaced()) input.fail_at(28, "interlaced depth images are not read");
  DepthPng image{input.width(), input.height(), {}};
  std::vector<std::uint8_t> row(input.row_bytes());
  image.steps.reserve(std::size_t{image.width} * image.height);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    input.read_row(row.data());
    for (std::size_t x = 0; x < image.width; ++x) {
      image.steps.push_back(static_cast<std::uint16_t>(row[2 * x] << 8 | row[2 * x + 1]));
    }
  }
  input.read_end();
  return image;
}

void write_depth_png(const std::filesystem::path& file, const DepthPng& image) {
  const std::size_t pixels = std::size_t{image.width} * image.height;
  if (image.steps.size() != pixels || pixels == 0) {
    throw InvalidArgument(
        fmt::format("depth image: {} steps for {} x {} pixels; allowed: one for each, and at least one",
                    image.steps.size(), image.width, image.height));
  }
  std::vector<std::uint8_t> samples;
  samples.reserve(2 * pixels);
  for (const std::uint16_t step : image.steps) {
    samples.push_back(static_cast<std::uint8_t>(step >> 8));
    samples.push_back(static_cast<std::uint8_t>(step & 0xff));
  }
  write_png(file, PngKind::grey16, image.width, image.height, samples);
}

}  // namespace dovetail::io
