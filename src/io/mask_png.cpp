// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "dovetail/error.h"
#include "dovetail/range_image.h"
#include "io/file.h"
#include "io/png_input.h"

namespace dovetail {
namespace {

/// Whether any sample of a pixel is more than 0; of those with an alpha, where that is more than 0 too.
bool is_set(const std::uint8_t* pixel, int channels, int bytes) {
  const auto value = [&](int channel) {
    const std::uint8_t* const sample = pixel + channel * bytes;
    return bytes == 2 ? sample[0] | sample[1] : sample[0];
  };
  const bool has_alpha = channels % 2 == 0;
  if (has_alpha && value(channels - 1) == 0) return false;
  for (int channel = 0; channel < channels - (has_alpha ? 1 : 0); ++channel) {
    if (value(channel) != 0) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint8_t> read_mask(const std::filesystem::path& file, const DepthCamera& camera) {
  const io::FileBytes bytes(file);
  const std::string name = file.string();
  io::PngInput input(name, bytes.view());
  input.open();
  if (static_cast<int>(input.width()) != camera.width || static_cast<int>(input.height()) != camera.height) {
    throw FileError(fmt::format("{}: a mask of {} x {} pixels for an image of {} x {}", name, input.width(),
                                input.height(), camera.width, camera.height));
  }
  if (input.interlaced()) input.fail_at(28, "interlaced masks are not read");
  input.transform(png_set_expand);  // palettes, fewer than 8 bits
  const int channels = input.channels(), sample = input.bit_depth() / 8;
  std::vector<std::uint8_t> row(input.row_bytes()), mask;
  mask.reserve(std::size_t{input.width()} * input.height());
  for (std::uint32_t y = 0; y < input.height(); ++y) {
    input.read_row(row.data());
    for (std::size_t x = 0; x < input.width(); ++x) {
      mask.push_back(is_set(row.data() + x * static_cast<std::size_t>(channels * sample), channels, sample));
    }
  }
  input.read_end();
  return mask;
}

}  // namespace dovetail
