// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "dovetail/error.h"
#include "io/png_input.h"

namespace dovetail::io {
namespace {

/// Decides which pixels of a row are set, once libpng has made every image 1 to 4 channels of 8 or 16 bits.
class PixelTest {
 public:
  PixelTest(const ReferenceOptions& options, int channels, int depth)
      : threshold_(static_cast<std::uint32_t>(options.threshold) * 257),
        dark_(options.dark),
        channels_(static_cast<std::size_t>(channels)),
        wide_(depth == 16) {}

  bool operator()(const std::uint8_t* row, std::size_t column) const {
    const std::uint8_t* const pixel = row + column * channels_ * (wide_ ? 2 : 1);
    const bool has_alpha = channels_ % 2 == 0;
    if (has_alpha && value(pixel, channels_ - 1) == 0) return false;
    // Of colours the luminance as in ITU-R BT.709, of the values as they are stored.
    const std::uint32_t brightness =
        channels_ < 3 ? value(pixel, 0)
                      : (2126 * value(pixel, 0) + 7152 * value(pixel, 1) + 722 * value(pixel, 2) + 5000) / 10000;
    return dark_ ? brightness < threshold_ : brightness >= threshold_;
  }

 private:
  /// Of 65535, whatever the depth.
  std::uint32_t value(const std::uint8_t* pixel, std::size_t channel) const {
    return wide_ ? pixel[2 * channel] * 256u + pixel[2 * channel + 1] : pixel[channel] * 257u;
  }

  std::uint32_t threshold_;
  bool dark_;
  std::size_t channels_;
  bool wide_;
};

/// The positions of the set pixels, row by row.
class SetPixels {
 public:
  SetPixels(PngInput& input, const ReferenceOptions& options)
      : input_(input), row_(input.row_bytes()), is_set_(options, input.channels(), input.bit_depth()) {}

  std::vector<Vec3> read() {
    if (input_.interlaced()) {
      for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; ++pass) {
        read_rows(PNG_PASS_START_COL(pass), PNG_PASS_START_ROW(pass), PNG_PASS_COL_SHIFT(pass),
                  PNG_PASS_ROW_SHIFT(pass));
      }
      const auto before = [](const Vec3& a, const Vec3& b) { return a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]); };
      std::sort(points_.begin(), points_.end(), before);
    } else {
      read_rows(0, 0, 0, 0);
    }
    input_.read_end();
    return std::move(points_);
  }

 private:
  /// Every pixel of the image, or every one of a pass of an interlaced one: those at column first + i·2^shift.
  void read_rows(std::uint32_t first_column, std::uint32_t first_row, int column_shift, int row_shift) {
    const std::uint32_t width = input_.width(), height = input_.height();
    if (first_column >= width) return;
    for (std::uint64_t y = first_row; y < height; y += std::uint64_t{1} << row_shift) {
      input_.read_row(row_.data());
      std::size_t i = 0;
      for (std::uint64_t x = first_column; x < width; x += std::uint64_t{1} << column_shift, ++i) {
        if (is_set_(row_.data(), i)) points_.push_back({static_cast<double>(x), static_cast<double>(y), 0});
      }
    }
  }

  PngInput& input_;
  std::vector<std::uint8_t> row_;
  PixelTest is_set_;
  std::vector<Vec3> points_;
};

}  // namespace

Reference read_png(std::string_view file, std::string_view bytes, const ReferenceOptions& options) {
  Reference reference;
  reference.points.dimension = 2;
  PngInput input(file, bytes);
  input.open();
  input.transform(png_set_expand);  // palettes, fewer than 8 bits, a transparent colour
  reference.points.positions = SetPixels(input, options).read();
  if (reference.points.empty()) {
    throw FileError(fmt::format("{}: no pixel of the image is {} {}", file,
                                options.dark ? "darker than the threshold" : "as bright as the threshold",
                                options.threshold));
  }
  return reference;
}

}  // namespace dovetail::io
