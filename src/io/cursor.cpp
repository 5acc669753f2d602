// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/cursor.h"

#include <algorithm>

#include "dovetail/error.h"

namespace dovetail::io {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string shown(word.substr(0, longest));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return '\'' + shown + (word.size() > longest ? "...'" : "'");
}

bool Cursor::next_line(std::string_view& line) {
  in_text_ = true;
  if (remaining() == 0) return false;
  const std::string_view left = rest();
  const std::size_t end = left.find('\n');
  line = left.substr(0, end);
  position_ += end == std::string_view::npos ? left.size() : end + 1;
  ++line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool Cursor::next_content_line(std::string_view& line, std::string_view comment) {
  while (next_line(line)) {
    if (!comment.empty()) line = line.substr(0, line.find(comment));
    line = trim(line);
    if (!line.empty()) return true;
  }
  return false;
}

std::string_view Cursor::take(std::uint64_t count, std::string_view what) {
  in_text_ = false;
  if (count > remaining()) fail("truncated: {} bytes expected for {}, {} found", count, what, remaining());
  const std::string_view taken = rest().substr(0, static_cast<std::size_t>(count));
  position_ += taken.size();
  return taken;
}

void Cursor::seek(std::uint64_t position, std::string_view what) {
  in_text_ = false;
  if (position > bytes_.size()) {
    fail("truncated: {} should begin at byte {}, but the file has {} bytes", what, position, bytes_.size());
  }
  position_ = static_cast<std::size_t>(position);
}

void Cursor::need(std::uint64_t count, std::uint64_t size, std::string_view what) const {
  if (size == 0 || count <= remaining() / size) return;
  fail("truncated: {} {} of at least {} bytes each are promised, but only {} bytes follow", count, what, size,
       remaining());
}

std::size_t Cursor::plausible(std::uint64_t count) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, remaining() / 2 + 1));
}

void Cursor::fail_here(std::string_view reason) const {
  if (in_text_) fail_at_line(std::max<std::size_t>(line_, 1), reason);
  throw FileError(fmt::format("{}: byte {}: {}", file_, position_, reason));
}

void Cursor::fail_at_line(std::size_t line, std::string_view reason) const {
  throw FileError(fmt::format("{}: line {}: {}", file_, line, reason));
}

void Cursor::fail_number(std::string_view word) const {
  if (word.empty()) fail("a number is missing");
  fail("{} is not a number of the kind expected here", in_quotes(word));
}

void Cursor::fail_value(std::string_view word, std::string_view name) const {
  if (word.empty()) fail("the value of {} is missing", in_quotes(name));
  fail("{} is not a value of {}", in_quotes(word), in_quotes(name));
}

}  // namespace dovetail::io
