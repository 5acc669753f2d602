// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail::io {

/// A PNG file being read. libpng leaves by longjmp when it refuses a file: each call of it is therefore made within
/// attempt(), in a function that owns nothing; what has to be freed belongs to the caller. Every refusal is a FileError
/// that names the file, the byte and the reason.
class PngInput {
 public:
  PngInput(std::string_view file, std::string_view bytes);
  ~PngInput();
  PngInput(const PngInput&) = delete;
  PngInput& operator=(const PngInput&) = delete;

  /// Reads all that comes before the pixels. Refuses what is no PNG, and a header that promises more pixels than the
  /// bytes can hold.
  void open();
  /// What is to become of the samples; between open() and the first row.
  void transform(void (*how)(png_structp));
  void read_row(std::uint8_t* to);
  void read_end();

  std::uint32_t width() const { return png_get_image_width(png_, info_); }
  std::uint32_t height() const { return png_get_image_height(png_, info_); }
  std::size_t row_bytes() const { return png_get_rowbytes(png_, info_); }
  int channels() const { return png_get_channels(png_, info_); }
  int bit_depth() const { return png_get_bit_depth(png_, info_); }
  int color_type() const { return png_get_color_type(png_, info_); }
  bool interlaced() const { return png_get_interlace_type(png_, info_) == PNG_INTERLACE_ADAM7; }

  [[noreturn]] void fail_at(std::size_t byte, std::string_view reason) const;

 private:
  void attempt(void (*step)(PngInput&));
  static void on_read(png_structp png, png_bytep to, std::size_t count);
  [[noreturn]] static void on_error(png_structp png, png_const_charp reason);
  static void on_warning(png_structp, png_const_charp) {}  // the library never prints

  std::string file_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::uint8_t* row_ = nullptr;
  void (*transform_)(png_structp) = nullptr;
  char reason_[200] = {};
};

}  // namespace dovetail::io
