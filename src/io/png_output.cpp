// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/png_output.h"

#include <fmt/format.h>
#include <png.h>

#include <new>
#include <string>

#include "dovetail/error.h"
#include "io/file.h"

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
  bool write(PngKind kind, std::uint32_t width, std::uint32_t height, std::uint8_t* const* rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    const bool grey = kind == PngKind::grey16;
    png_set_IHDR(png_, info_, width, height, grey ? 16 : 8, grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

void write_png(const std::filesystem::path& file, PngKind kind, std::uint32_t width, std::uint32_t height,
               std::vector<std::uint8_t>& samples) {
  const std::size_t row = (kind == PngKind::grey16 ? 2 : 3) * std::size_t{width};
  if (samples.size() != row * height || samples.empty()) {
    throw InvalidArgument(fmt::format("picture: {} bytes for {} x {} pixels; allowed: {}, and more than none",
                                      samples.size(), width, height, row * height));
  }
  std::vector<std::uint8_t*> rows;
  for (std::size_t y = 0; y < height; ++y) rows.push_back(samples.data() + y * row);
  PngOutput output;
  if (!output.write(kind, width, height, rows.data())) {
    throw FileError(fmt::format("{}: libpng does not write {} x {} pixels", file.string(), width, height));
  }
  AtomicFile out(file);
  out.write(output.bytes());
  out.commit();
}

}  // namespace dovetail::io
