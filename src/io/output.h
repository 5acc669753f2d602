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
  template <class T>
  void spaced_number(T value) {
    text(' ');
    number(value);
  }

  /// Coordinates are written with the digits their precision has.
  void coordinate(double value, Precision precision) {
    precision == Precision::float32 ? number(static_cast<float>(value)) : number(value);
  }
  /// Three of them, each after a space.
  void spaced_coordinates(const Vec3& values, Precision precision) {
    for (int axis = 0; axis < 3; ++axis) {
      text(' ');
      coordinate(values[axis], precision);
    }
  }

  /// The number of a face's corners and their indices, in a line.
  void face_line(const Faces& faces, std::size_t face) {
    const std::uint32_t begin = faces.start[face], end = faces.start[face + 1];
    number(end - begin);
    for (std::uint32_t c = begin; c < end; ++c) spaced_number(faces.index[c]);
    text('\n');
  }

  template <class T>
  void binary(T value, std::endian order = std::endian::little) {
    append(buffer_, value, order);
    if (buffer_.size() >= piece) flush();
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
