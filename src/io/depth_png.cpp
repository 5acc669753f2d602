// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/depth_png.h"

#include <fmt/format.h>

#include <new>
#include <string>

#include "dovetail/error.h"
#include "io/file.h"
#include "io/png_input.h"

namespace dovetail::io {
namespace {

/// A PNG file being written into a text. As PngInput, it makes calls that may leave by longjmp where nothing is owned.
class PngOutput {
 public:
  PngOutput() : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning)) {
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, this, on_write, nullptr);
  }
  ~PngOutput() { png_destroy_write_struct(&png_, &info_); }
  PngOutput(const PngOutput&) = delete;
  PngOutput& operator=(const PngOutput&) = delete;

  /// False where libpng refuses the size, or memory ran out.
  bool write(std::uint32_t width, std::uint32_t height, std::uint8_t* const* rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_IHDR(png_, info_, width, height, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png_, info_);
    for (std::uint32_t y = 0; y < height; ++y) png_write_row(png_, rows[y]);
    png_write_end(png_, info_);
    return true;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  static void on_write(png_structp png, png_bytep data, std::size_t count) {
    auto& output = *static_cast<PngOutput*>(png_get_io_ptr(png));
    try {
      output.bytes_.append(reinterpret_cast<const char*>(data), count);
    } catch (const std::bad_alloc&) {
      png_error(png, "out of memory");
    }
  }
  [[noreturn]] static void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
  static void on_warning(png_structp, png_const_charp) {}  // the library never prints

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string bytes_;
};

}  // namespace

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
  std::vector<std::uint8_t*> rows;
  for (std::size_t y = 0; y < image.height; ++y) rows.push_back(samples.data() + 2 * y * image.width);
  PngOutput output;
  if (!output.write(image.width, image.height, rows.data())) {
    throw FileError(fmt::format("{}: libpng does not write {} x {} pixels", file.string(), image.width, image.height));
  }
  AtomicFile out(file);
  out.write(output.bytes());
  out.commit();
}

}  // namespace dovetail::io
