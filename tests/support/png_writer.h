// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <png.h>

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace dovetail::test {

/// An image as PNG stores it: samples row after row, several a pixel.
struct PngImage {
  std::uint32_t width = 0, height = 0;
  int depth = 8;                    ///< bits a sample: 1, 2, 4, 8, 16
  int color = PNG_COLOR_TYPE_GRAY;  ///< as libpng counts: grey, palette, RGB, with or without alpha
  bool interlaced = false;
  std::vector<std::uint16_t> samples;
  std::vector<png_color> palette;
  std::vector<std::uint8_t> palette_alpha;

  std::size_t channels() const {
    return color == PNG_COLOR_TYPE_RGB          ? 3
           : color == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : color == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                : 1;
  }
};

/// The samples of a row, packed from the highest bit down.
inline std::vector<std::uint8_t> packed_row(const PngImage& image, std::size_t y) {
  const std::size_t count = image.width * image.channels(), depth = static_cast<std::size_t>(image.depth);
  std::vector<std::uint8_t> row((count * depth + 7) / 8);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t sample = image.samples[y * count + i];
    for (std::size_t bit = 0; bit < depth; ++bit) {
      const std::size_t at = i * depth + bit;
      if (sample >> (depth - 1 - bit) & 1) row[at / 8] = static_cast<std::uint8_t>(row[at / 8] | 0x80 >> at % 8);
    }
  }
  return row;
}

/// The bytes of a PNG file.
inline std::string png_bytes(const PngImage& image) {
  std::string bytes;
  std::vector<std::vector<std::uint8_t>> rows;
  std::vector<png_bytep> row_pointers;
  for (std::size_t y = 0; y < image.height; ++y) rows.push_back(packed_row(image, y));
  for (auto& row : rows) row_pointers.push_back(row.data());
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) throw std::runtime_error("libpng cannot write this image");
  const auto append = [](png_structp to, png_bytep data, std::size_t count) {
    static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(data), count);
  };
  png_set_write_fn(png, &bytes, append, nullptr);
  png_set_IHDR(png, info, image.width, image.height, image.depth, image.color,
               image.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!image.palette.empty()) png_set_PLTE(png, info, image.palette.data(), static_cast<int>(image.palette.size()));
  if (!image.palette_alpha.empty()) {
    png_set_tRNS(png, info, image.palette_alpha.data(), static_cast<int>(image.palette_alpha.size()), nullptr);
  }
  png_write_info(png, info);
  png_write_image(png, row_pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

/// A grey image with the values given row by row.
inline PngImage grey_image(std::uint32_t width, std::uint32_t height, std::vector<std::uint16_t> samples,
                           int depth = 8) {
  PngImage image;
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.samples = std::move(samples);
  return image;
}

}  // namespace dovetail::test
