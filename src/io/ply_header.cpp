// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/ply_header.h"

#include <algorithm>

namespace dovetail::io {
namespace {

struct TypeName {
  std::string_view name;
  ScalarType type;
};

// Both naming styles, the first of each type being the one that is written.
constexpr TypeName type_names[] = {
    {"char", ScalarType::int8},      {"int8", ScalarType::int8},       {"uchar", ScalarType::uint8},
    {"uint8", ScalarType::uint8},    {"short", ScalarType::int16},     {"int16", ScalarType::int16},
    {"ushort", ScalarType::uint16},  {"uint16", ScalarType::uint16},   {"int", ScalarType::int32},
    {"int32", ScalarType::int32},    {"uint", ScalarType::uint32},     {"uint32", ScalarType::uint32},
    {"float", ScalarType::float32},  {"float32", ScalarType::float32}, {"double", ScalarType::float64},
    {"float64", ScalarType::float64}};

ScalarType parse_type(const Cursor& cursor, std::string_view word) {
  for (const TypeName& entry : type_names) {
    if (entry.name == word) return entry.type;
  }
  if (word.empty()) cursor.fail("a number type is missing");
  cursor.fail("{} is not a number type of PLY", in_quotes(word));
}

PlyHeader::Layout parse_layout(const Cursor& cursor, std::string_view line) {
  const std::string_view layout = next_word(line), version = next_word(line);
  if (version != "1.0") cursor.fail("PLY version {} is not known, only 1.0 is", in_quotes(version));
  if (layout == "ascii") return PlyHeader::Layout::ascii;
  if (layout == "binary_little_endian") return PlyHeader::Layout::little_endian;
  if (layout == "binary_big_endian") return PlyHeader::Layout::big_endian;
  cursor.fail("PLY format {} is not known", in_quotes(layout));
}

PlyProperty parse_property(const Cursor& cursor, std::string_view line) {
  PlyProperty property;
  std::string_view word = next_word(line);
  if (word == "list") {
    property.count_type = parse_type(cursor, next_word(line));
    if (is_floating(*property.count_type)) cursor.fail("the length of a list cannot be a real number");
    word = next_word(line);
  }
  property.type = parse_type(cursor, word);
  property.name = next_word(line);
  if (property.name.empty()) cursor.fail("a property without a name");
  return property;
}

// Cyberware's and our own note of an organised scan. Other lines mean nothing to us.
void parse_note(std::string_view line, PlyHeader& header) {
  const std::string_view key = next_word(line), value = next_word(line);
  if (key == "num_cols") parse_number(value, header.columns);
  if (key == "num_rows") parse_number(value, header.rows);
}

}  // namespace

bool PlyElement::has_lists() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& p) { return p.count_type.has_value(); });
}

std::size_t PlyElement::smallest_record() const {
  std::size_t bytes = 0;
  for (const PlyProperty& p : properties) bytes += size_of(p.count_type.value_or(p.type));
  return bytes;
}

const PlyElement* PlyHeader::find(std::string_view name) const {
  for (const PlyElement& element : elements) {
    if (element.name == name) return &element;
  }
  return nullptr;
}

const char* ply_type_name(ScalarType type) {
  for (const TypeName& entry : type_names) {
    if (entry.type == type) return entry.name.data();
  }
  return "double";
}

PlyHeader read_ply_header(Cursor& cursor) {
  PlyHeader header;
  std::string_view line;
  cursor.next_line(line);
  if (trim(line) != "ply") cursor.fail("a PLY file begins with the line 'ply'");
  bool layout_known = false;
  while (cursor.next_line(line)) {
    const std::string_view key = next_word(line);
    if (key == "end_header") {
      if (!layout_known) cursor.fail("the header has no line 'format'");
      return header;
    }
    if (key.empty() || key == "comment") continue;
    if (key == "obj_info") {
      parse_note(line, header);
    } else if (key == "format") {
      header.layout = parse_layout(cursor, line);
      layout_known = true;
    } else if (key == "element") {
      PlyElement element;
      element.name = next_word(line);
      element.count = cursor.number<std::uint64_t>(next_word(line));
      if (header.find(element.name)) cursor.fail("element {} is declared twice", in_quotes(element.name));
      header.elements.push_back(std::move(element));
    } else if (key == "property") {
      if (header.elements.empty()) cursor.fail("a property before the first element");
      auto& properties = header.elements.back().properties;
      PlyProperty property = parse_property(cursor, line);
      for (const PlyProperty& other : properties) {
        if (other.name == property.name) cursor.fail("property {} is declared twice", in_quotes(property.name));
      }
      properties.push_back(std::move(property));
    } else {
      cursor.fail("{} is not a line of a PLY header", in_quotes(key));
    }
  }
  cursor.fail("truncated: the header has no end_header");
}

}  // namespace dovetail::io
