// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/pcd_header.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace dovetail::io {
namespace {

using Words = std::vector<std::string_view>;

ScalarType parse_type(const Cursor& cursor, std::string_view letter, std::string_view size) {
  const auto bytes = cursor.number<int>(size);
  const auto known = find_type(letter.front(), static_cast<std::size_t>(bytes), pcd_kinds);
  if (known && letter.size() == 1) return *known;
  cursor.fail("a field of TYPE {} and SIZE {} is not known", in_quotes(letter), bytes);
}

PcdHeader::Layout parse_layout(const Cursor& cursor, std::string_view word) {
  if (word == "ascii") return PcdHeader::Layout::ascii;
  if (word == "binary") return PcdHeader::Layout::binary;
  if (word == "binary_compressed") return PcdHeader::Layout::binary_compressed;
  cursor.fail("DATA {} is not known; ascii, binary and binary_compressed are", in_quotes(word));
}

void check_viewpoint(const Cursor& cursor, const Words& values) {
  if (values.size() != 7) cursor.fail("VIEWPOINT has 7 numbers, found {}", values.size());
  for (const std::string_view value : values) cursor.number<double>(value);
}

void check_version(const Cursor& cursor, const Words& values) {
  double version = 0;
  // Known from 0.5, the first that was published, to 0.7, the last; written both as ".7" and as "0.7".
  if (values.size() != 1 || !parse_number(values[0], version) || version < 0.45 || version > 0.75) {
    cursor.fail("only the versions 0.5, 0.6 and 0.7 of PCD are known");
  }
}

/// What the header's lines say, before it is put together.
struct Lines {
  Words names, sizes, types, counts;
  std::optional<std::uint64_t> width, height, points;
};

void parse_fields(const Cursor& cursor, const Lines& lines, PcdHeader& header) {
  const std::size_t count = lines.names.size();
  const auto check = [&](const Words& words, const char* line) {
    if (!words.empty() && words.size() != count) {
      cursor.fail("{} has {} entries for {} FIELDS", line, words.size(), count);
    }
  };
  if (count == 0) cursor.fail("the header has no FIELDS");
  check(lines.sizes, "SIZE");
  check(lines.types, "TYPE");
  check(lines.counts, "COUNT");
  for (std::size_t i = 0; i < count; ++i) {
    Field field;
    field.name = lines.names[i];
    field.type =
        parse_type(cursor, lines.types.empty() ? "F" : lines.types[i], lines.sizes.empty() ? "4" : lines.sizes[i]);
    field.components = lines.counts.empty() ? 1 : cursor.number<int>(lines.counts[i]);
    field.offset = header.record;
    if (field.components < 1) cursor.fail("field {} has the COUNT {}", in_quotes(field.name), field.components);
    header.record += field.bytes();
    // Far above any real record, and low enough that records times points cannot overflow 64 bits.
    if (header.record > 0x7fffffff) cursor.fail("a point of more than 2 GiB");
    const bool twice = std::ranges::find(header.fields, field.name, &Field::name) != header.fields.end();
    if (twice && !is_padding(field)) cursor.fail("field {} is declared twice", in_quotes(field.name));
    header.fields.push_back(std::move(field));
  }
}

void parse_size(const Cursor& cursor, const Lines& lines, PcdHeader& header) {
  header.width = lines.width.value_or(0);
  header.height = lines.height.value_or(lines.width ? 1 : 0);
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (header.width > most || header.height > most) cursor.fail("WIDTH and HEIGHT must be below 2^32");
  if (!lines.points && !lines.width) cursor.fail("the header has neither POINTS nor WIDTH");
  header.points = lines.points.value_or(header.width * header.height);
  if (lines.width && header.points != header.width * header.height) {
    cursor.fail("POINTS {} does not fit WIDTH {} and HEIGHT {}", header.points, header.width, header.height);
  }
  if (header.points > most) cursor.fail("{} points are promised; at most 2^32 - 1 are read", header.points);
}

}  // namespace

PcdHeader read_pcd_header(Cursor& cursor) {
  PcdHeader header;
  Lines lines;
  std::string_view line;
  while (cursor.next_content_line(line, "#")) {
    Words words = split_words(line);
    const std::string_view key = words.front();
    words.erase(words.begin());
    const auto one_number = [&] {
      if (words.size() != 1) cursor.fail("{} has one number, found {}", key, words.size());
      return cursor.number<std::uint64_t>(words[0]);
    };
    if (key == "VERSION") {
      check_version(cursor, words);
    } else if (key == "FIELDS" || key == "COLUMNS") {
      lines.names = std::move(words);
    } else if (key == "SIZE") {
      lines.sizes = std::move(words);
    } else if (key == "TYPE") {
      lines.types = std::move(words);
    } else if (key == "COUNT") {
      lines.counts = std::move(words);
    } else if (key == "WIDTH") {
      lines.width = one_number();
    } else if (key == "HEIGHT") {
      lines.height = one_number();
    } else if (key == "POINTS") {
      lines.points = one_number();
    } else if (key == "VIEWPOINT") {
      check_viewpoint(cursor, words);
    } else if (key == "DATA") {
      header.layout = parse_layout(cursor, words.empty() ? std::string_view() : words[0]);
      parse_fields(cursor, lines, header);
      parse_size(cursor, lines, header);
      return header;
    } else {
      cursor.fail("{} is not a line of a PCD header", in_quotes(key));
    }
  }
  cursor.fail("truncated: the header has no line DATA");
}

}  // namespace dovetail::io
