// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/npy_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace dovetail::io {
namespace {

/// Reads the header, which is a Python dictionary of strings, booleans, tuples of numbers and, for structured arrays,
/// a list of tuples:  {'descr': '<f4', 'fortran_order': False, 'shape': (100, 3), }
class DictionaryReader {
 public:
  DictionaryReader(const Cursor& cursor, std::string_view text) : cursor_(cursor), text_(text) {}

  NpyHeader read() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        read_descr(header);
        descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        shape = true;
      } else {
        cursor_.fail("{} is not an entry of an NPY header", in_quotes(key));
      }
      if (!accept(',') && !ahead('}')) refuse("','");
    }
    if (!descr || !order || !shape) cursor_.fail("the NPY header lacks 'descr', 'fortran_order' or 'shape'");
    return header;
  }

 private:
  void skip_space() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }

  bool ahead(char c) {
    skip_space();
    return text_.starts_with(c);
  }

  bool accept(char c) {
    if (!ahead(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(fmt::format("'{}'", c));
  }

  [[noreturn]] void refuse(const std::string& expected) {
    cursor_.fail("the NPY header is damaged: {} expected before {}", expected, in_quotes(text_.substr(0, 20)));
  }

  std::string_view string() {
    const char quote = ahead('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) refuse("the end of a string");
    const std::string_view value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    skip_space();
    const bool value = text_.starts_with("True");
    if (!value && !text_.starts_with("False")) refuse("True or False");
    text_.remove_prefix(value ? 4 : 5);
    return value;
  }

  std::uint64_t number() {
    skip_space();
    const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
    std::uint64_t value = 0;
    if (digits == 0 || !parse_number(text_.substr(0, digits), value)) refuse("a number");
    text_.remove_prefix(digits);
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote 100L
    return value;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(number());
      if (!accept(',') && !ahead(')')) refuse("')'");
    }
    return values;
  }

  ScalarType type(NpyHeader& header, std::string_view text) {
    const char order = text.empty() ? '?' : text.front();
    if (order == '<' || order == '>') {
      const std::endian given = order == '<' ? std::endian::little : std::endian::big;
      if (order_ && *order_ != given) cursor_.fail("fields of both byte orders in one array are not read");
      order_ = header.order = given;
    } else if (order != '|' && order != '=') {
      refuse_type(text);
    }
    if (text.size() != 3) refuse_type(text);
    const auto known = find_type(text[1], static_cast<std::size_t>(text[2] - '0'), "iuf");
    if (!known) refuse_type(text);
    return *known;
  }

  // numpy marks the gaps of aligned records as '|V4'.
  static std::uint64_t padding_bytes(std::string_view text) {
    std::uint16_t bytes = 0;
    return text.starts_with("|V") && parse_number(text.substr(2), bytes) ? bytes : 0;
  }

  [[noreturn]] void refuse_type(std::string_view text) {
    cursor_.fail("arrays of type {} are not read, only f4, f8 and integers", in_quotes(text));
  }

  void read_descr(NpyHeader& header) {
    if (!accept('[')) {
      const ScalarType plain = type(header, string());
      header.fields = {{"", plain, 1, 0}};
      header.record = size_of(plain);
      return;
    }
    header.structured = true;
    while (!accept(']')) {
      expect('(');
      Field field;
      field.name = string();
      field.offset = header.record;
      expect(',');
      if (ahead('[')) cursor_.fail("structured arrays within structured arrays are not read");
      const std::string_view type_text = string();
      const std::uint64_t padding = padding_bytes(type_text);
      if (padding == 0) field.type = type(header, type_text);
      if (accept(',') && !ahead(')')) field.components = components();
      accept(',');
      expect(')');
      if (!accept(',') && !ahead(']')) refuse("']'");
      header.record += padding > 0 ? padding : field.bytes();
      if (padding > 0) continue;
      const bool twice = std::ranges::find(header.fields, field.name, &Field::name) != header.fields.end();
      if (twice) cursor_.fail("field {} is declared twice", in_quotes(field.name));
      header.fields.push_back(std::move(field));
    }
    if (header.fields.empty()) cursor_.fail("a structured array without fields");
  }

  int components() {
    const std::vector<std::uint64_t> shape = ahead('(') ? tuple() : std::vector{number()};
    if (shape.size() != 1 || shape[0] < 1 || shape[0] > 65536) {
      cursor_.fail("a field of a structured array has one value or a short row of them");
    }
    return static_cast<int>(shape[0]);
  }

  const Cursor& cursor_;
  std::string_view text_;
  std::optional<std::endian> order_;
};

}  // namespace

NpyHeader read_npy_header(Cursor& cursor) {
  cursor.take(6, "the magic bytes");
  const auto major = cursor.take_number<std::uint8_t>("the version");
  const auto minor = cursor.take_number<std::uint8_t>("the version");
  if (major < 1 || major > 3) cursor.fail("NPY version {}.{} is not known", major, minor);
  const std::uint64_t length = major == 1 ? cursor.take_number<std::uint16_t>("the length of the header")
                                          : cursor.take_number<std::uint32_t>("the length of the header");
  const std::string_view text = cursor.take(length, "the header");
  return DictionaryReader(cursor, text).read();
}

}  // namespace dovetail::io
