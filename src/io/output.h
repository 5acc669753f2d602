// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

#include "dovetail/points.h"
#include "io/endian.h"
#include "io/file.h"
#include "io/number.h"

namespace dovetail::io {

/// Collects what a writer appends and hands it to the file in large pieces.
class Output {
 public:
  explicit Output(AtomicFile& file) : file_(file) { buffer_.reserve(piece + 4096); }

  void text(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= piece) flush();
  }
  void text(char c) { text(std::string_view(&c, 1)); }

  template <class T>
  void number(T value) {
    append_number(buffer_, value);
    if (buffer_.size() >= piece) flush();
  }

  /// Coordinates are written with the digits their precision has.
  void coordinate(double value, Precision precision) {
    precision == Precision::float32 ? number(static_cast<float>(value)) : number(value);
  }

  template <class T>
  void binary(T value, std::endian order = std::endian::little) {
    char bytes[sizeof(T)];
    store(bytes, value, order);
    text(std::string_view(bytes, sizeof(T)));
  }

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 20;
  AtomicFile& file_;
  std::string buffer_;
};

}  // namespace dovetail::io
