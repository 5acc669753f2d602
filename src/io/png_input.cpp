// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/png_input.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <new>

#include "dovetail/error.h"
#include "io/reference_formats.h"

namespace dovetail::io {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

// Deflate makes at most 1032 bytes of one.
constexpr std::uint64_t most_unpacked = 1032;

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

PngInput::PngInput(std::string_view file, std::string_view bytes) : file_(file), bytes_(bytes) {
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
  info_ = png_ ? png_create_info_struct(png_) : nullptr;
  if (!info_) {
    png_destroy_read_struct(&png_, nullptr, nullptr);
    throw std::bad_alloc();
  }
  png_set_read_fn(png_, this, on_read);
}

PngInput::~PngInput() { png_destroy_read_struct(&png_, &info_, nullptr); }

void PngInput::open() {
  if (!is_png(bytes_)) fail_at(0, "not a PNG file");
  attempt([](PngInput& r) { png_read_info(r.png_, r.info_); });
  const std::uint64_t columns = width(), rows = height();
  if (columns * rows > std::numeric_limits<std::uint32_t>::max()) {
    fail_at(16, fmt::format("{} x {} are more than 2^32 pixels", columns, rows));
  }
  if (row_bytes() * rows > most_unpacked * bytes_.size()) {
    fail_at(16,
            fmt::format("it promises {} x {} pixels, more than its {} bytes can hold", columns, rows, bytes_.size()));
  }
}

void PngInput::transform(void (*how)(png_structp)) {
  transform_ = how;
  attempt([](PngInput& r) {
    r.transform_(r.png_);
    png_read_update_info(r.png_, r.info_);
  });
}

void PngInput::read_row(std::uint8_t* to) {
  row_ = to;
  attempt([](PngInput& r) { png_read_row(r.png_, r.row_, nullptr); });
}

void PngInput::read_end() {
  attempt([](PngInput& r) { png_read_end(r.png_, nullptr); });
}

void PngInput::attempt(void (*step)(PngInput&)) {
  if (setjmp(png_jmpbuf(png_)) == 0) {
    step(*this);
  } else {
    fail_at(position_, reason_);
  }
}

void PngInput::fail_at(std::size_t byte, std::string_view reason) const {
  throw FileError(fmt::format("{}: byte {}: {}", file_, byte, reason));
}

void PngInput::on_read(png_structp png, png_bytep to, std::size_t count) {
  auto& input = *static_cast<PngInput*>(png_get_io_ptr(png));
  if (count > input.bytes_.size() - input.position_) {
    input.position_ = input.bytes_.size();
    png_error(png, "truncated: the image ends before it is whole");
  }
  std::memcpy(to, input.bytes_.data() + input.position_, count);
  input.position_ += count;
}

void PngInput::on_error(png_structp png, png_const_charp reason) {
  auto& input = *static_cast<PngInput*>(png_get_error_ptr(png));
  std::strncpy(input.reason_, reason, sizeof input.reason_ - 1);
  png_longjmp(png, 1);
}

}  // namespace dovetail::io
