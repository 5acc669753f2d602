// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "dovetail/error.h"

namespace dovetail::io {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

// Deflate makes at most 1032 bytes of one.
constexpr std::uint64_t most_unpacked = 1032;

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

/// libpng leaves by longjmp when it refuses a file. Each call of it is therefore made within attempt(), in a function
/// that owns nothing; what has to be freed belongs to the reader.
class PngReader {
 public:
  PngReader(std::string_view file, std::string_view bytes) : file_(file), bytes_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, this, on_read);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  std::vector<Vec3> set_pixels(const ReferenceOptions& options) {
    if (!bytes_.starts_with(signature)) fail_at(0, "not a PNG file");
    attempt([](PngReader& r) { png_read_info(r.png_, r.info_); });
    check_size();
    attempt([](PngReader& r) {
      png_set_expand(r.png_);  // palettes, fewer than 8 bits, a transparent colour
      png_read_update_info(r.png_, r.info_);
    });
    row_.resize(png_get_rowbytes(png_, info_));
    const PixelTest is_set(options, png_get_channels(png_, info_), png_get_bit_depth(png_, info_));
    const bool interlaced = png_get_interlace_type(png_, info_) == PNG_INTERLACE_ADAM7;
    if (interlaced) {
      for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; ++pass) {
        read_rows(is_set, PNG_PASS_START_COL(pass), PNG_PASS_START_ROW(pass), PNG_PASS_COL_SHIFT(pass),
                  PNG_PASS_ROW_SHIFT(pass));
      }
      const auto before = [](const Vec3& a, const Vec3& b) { return a[1] < b[1] || (a[1] == b[1] && a[0] < b[0]); };
      std::sort(points_.begin(), points_.end(), before);
    } else {
      read_rows(is_set, 0, 0, 0, 0);
    }
    attempt([](PngReader& r) { png_read_end(r.png_, nullptr); });
    return std::move(points_);
  }

 private:
  void check_size() const {
    const std::uint64_t width = png_get_image_width(png_, info_), height = png_get_image_height(png_, info_);
    if (width * height > std::numeric_limits<std::uint32_t>::max()) {
      fail_at(16, fmt::format("{} x {} are more than 2^32 pixels", width, height));
    }
    if (png_get_rowbytes(png_, info_) * height > most_unpacked * bytes_.size()) {
      fail_at(16,
              fmt::format("it promises {} x {} pixels, more than its {} bytes can hold", width, height, bytes_.size()));
    }
  }

  /// Every pixel of the image, or every one of a pass of an interlaced one: those at column first + i·2^shift.
  void read_rows(const PixelTest& is_set, std::uint32_t first_column, std::uint32_t first_row, int column_shift,
                 int row_shift) {
    const std::uint32_t width = png_get_image_width(png_, info_), height = png_get_image_height(png_, info_);
    if (first_column >= width) return;
    for (std::uint64_t y = first_row; y < height; y += std::uint64_t{1} << row_shift) {
      attempt([](PngReader& r) { png_read_row(r.png_, r.row_.data(), nullptr); });
      std::size_t i = 0;
      for (std::uint64_t x = first_column; x < width; x += std::uint64_t{1} << column_shift, ++i) {
        if (is_set(row_.data(), i)) points_.push_back({static_cast<double>(x), static_cast<double>(y), 0});
      }
    }
  }

  void attempt(void (*step)(PngReader&)) {
    if (setjmp(png_jmpbuf(png_)) == 0) {
      step(*this);
    } else {
      fail_at(position_, reason_);
    }
  }

  [[noreturn]] void fail_at(std::size_t byte, std::string_view reason) const {
    throw FileError(fmt::format("{}: byte {}: {}", file_, byte, reason));
  }

  static void on_read(png_structp png, png_bytep to, std::size_t count) {
    auto& reader = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > reader.bytes_.size() - reader.position_) {
      reader.position_ = reader.bytes_.size();
      png_error(png, "truncated: the image ends before it is whole");
    }
    std::memcpy(to, reader.bytes_.data() + reader.position_, count);
    reader.position_ += count;
  }
  [[noreturn]] static void on_error(png_structp png, png_const_charp reason) {
    auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader.reason_, reason, sizeof reader.reason_ - 1);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}  // the library never prints

  std::string file_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<std::uint8_t> row_;
  std::vector<Vec3> points_;
  char reason_[200] = {};
};

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

Reference read_png(std::string_view file, std::string_view bytes, const ReferenceOptions& options) {
  Reference reference;
  reference.points.dimension = 2;
  reference.points.positions = PngReader(file, bytes).set_pixels(options);
  if (reference.points.empty()) {
    throw FileError(fmt::format("{}: no pixel of the image is {} {}", file,
                                options.dark ? "darker than the threshold" : "as bright as the threshold",
                                options.threshold));
  }
  return reference;
}

}  // namespace dovetail::io
