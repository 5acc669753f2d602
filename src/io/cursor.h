// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/endian.h"
#include "io/number.h"

namespace dovetail::io {

/// The text without white space at both ends.
std::string_view trim(std::string_view text);

/// Cuts the next word, ended by white space, off the front of `text`; empty when there is none left.
std::string_view next_word(std::string_view& text);
std::vector<std::string_view> split_words(std::string_view text);

std::string to_lower(std::string_view text);

/// The word in quotes for a message: shortened, and with anything unprintable replaced.
std::string in_quotes(std::string_view word);

/// Walks over the bytes of a file, never beyond their end, and words every refusal: file, line or byte, reason.
/// Text and binary parts may follow each other, as they do in PLY and PCD: the last step tells which position is named.
class Cursor {
 public:
  Cursor(std::string_view file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  std::string_view rest() const { return bytes_.substr(position_); }
  std::size_t line_number() const { return line_; }

  /// The next line without its end (\n or \r\n); false at the end of the file.
  bool next_line(std::string_view& line);

  /// The next line that holds something, trimmed. Blank lines are passed over, and what follows `comment` on a line.
  bool next_content_line(std::string_view& line, std::string_view comment = {});

  /// The next `count` bytes, which `what` names; refuses the file when there are fewer.
  std::string_view take(std::uint64_t count, std::string_view what);

  /// Moves to a place in the file that its header names.
  void seek(std::uint64_t position, std::string_view what);

  /// Refuses the file unless `count` things of at least `size` bytes can follow. To be asked before memory is taken.
  void need(std::uint64_t count, std::uint64_t size, std::string_view what) const;

  /// How many items to reserve memory for when a text promises `count`, each taking at least two bytes.
  std::size_t plausible(std::uint64_t count) const;

  template <class T>
  T take_number(std::string_view what, std::endian order = std::endian::little) {
    return load<T>(take(sizeof(T), what).data(), order);
  }

  /// The word as a number; refuses the file when it is none, or none that T can hold.
  template <class T>
  T number(std::string_view word) const {
    T value{};
    if (!parse_number(word, value)) fail_number(word);
    return value;
  }

  /// Refuses the file, with the place and a reason that is put together as fmt::format() does.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
    fail_here(fmt::format(reason, std::forward<Args>(args)...));
  }
  [[noreturn]] void fail_at_line(std::size_t line, std::string_view reason) const;

  /// Refuses the file for a word that is no value of what `name` names, or is not there.
  [[noreturn]] void fail_value(std::string_view word, std::string_view name) const;

 private:
  [[noreturn]] void fail_here(std::string_view reason) const;
  [[noreturn]] void fail_number(std::string_view word) const;

  std::string file_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;
  bool in_text_ = false;
};

}  // namespace dovetail::io
