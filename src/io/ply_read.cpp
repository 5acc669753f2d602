// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <limits>

#include "io/columns.h"
#include "io/formats.h"
#include "io/ply_header.h"
#include "io/records.h"

namespace dovetail::io {
namespace {

/// Takes the values of one element's rows in turn, from text or from bytes.
class PlyRow {
 public:
  PlyRow(Cursor& cursor, PlyHeader::Layout layout, const PlyElement& element)
      : cursor_(cursor),
        element_(element),
        text_(layout == PlyHeader::Layout::ascii),
        order_(layout == PlyHeader::Layout::big_endian ? std::endian::big : std::endian::little) {}

  void begin(std::uint64_t row) {
    if (text_ && !cursor_.next_content_line(line_)) {
      cursor_.fail("truncated: {} lines of element {} expected, {} found", element_.count, in_quotes(element_.name),
                   row);
    }
  }

  void end() {
    if (text_ && !trim(line_).empty()) {
      cursor_.fail("more values than element {} has properties", in_quotes(element_.name));
    }
  }

  template <class T>
  T value(ScalarType type) {
    if (text_) return cursor_.number<T>(next_word(line_));
    return with_type(type, [&]<class Stored>(std::type_identity<Stored>) {
      return static_cast<T>(cursor_.take_number<Stored>("a value", order_));
    });
  }

  void append(Attribute& column) {
    if (text_) {
      const std::string_view word = next_word(line_);
      if (!append_word(column, word)) cursor_.fail_value(word, column.name);
      return;
    }
    std::visit([&]<class T>(std::vector<T>& values) { values.push_back(cursor_.take_number<T>("a value", order_)); },
               column.values);
  }

  std::uint64_t list_length(const PlyProperty& property) {
    const auto length = value<std::int64_t>(*property.count_type);
    if (length < 0) cursor_.fail("list {} has the length {}", in_quotes(property.name), length);
    if (!text_) cursor_.need(static_cast<std::uint64_t>(length), size_of(property.type), "list items");
    return static_cast<std::uint64_t>(length);
  }

  void skip(const PlyProperty& property) {
    if (!property.count_type) {
      value<double>(property.type);
      return;
    }
    const std::uint64_t length = list_length(property);
    if (text_) {
      for (std::uint64_t i = 0; i < length; ++i) value<double>(property.type);
    } else {
      cursor_.take(length * size_of(property.type), "list items");
    }
  }

 private:
  Cursor& cursor_;
  const PlyElement& element_;
  bool text_;
  std::endian order_;
  std::string_view line_;
};

std::vector<Attribute> read_vertices(Cursor& cursor, PlyHeader::Layout layout, const PlyElement& element) {
  std::vector<Attribute> columns;
  if (layout != PlyHeader::Layout::ascii && !element.has_lists()) {
    const std::size_t record = element.smallest_record();
    const auto rows = static_cast<std::size_t>(element.count);  // checked by the caller to fit into the file
    const std::string_view bytes = cursor.take(element.count * record, "the vertices");
    const auto order = layout == PlyHeader::Layout::big_endian ? std::endian::big : std::endian::little;
    std::size_t offset = 0;
    for (const PlyProperty& p : element.properties) {
      columns.push_back(read_field({p.name, p.type, 1, offset}, bytes, rows, record, order));
      offset += size_of(p.type);
    }
    return columns;
  }
  const std::size_t expected = cursor.plausible(element.count);
  for (const PlyProperty& p : element.properties) {
    if (p.count_type) continue;
    columns.push_back(make_column(p.name, p.type));
    reserve(columns.back(), expected / element.properties.size() + 1);
  }
  PlyRow row(cursor, layout, element);
  for (std::uint64_t i = 0; i < element.count; ++i) {
    row.begin(i);
    std::size_t column = 0;
    for (const PlyProperty& p : element.properties) {
      if (p.count_type) {
        row.skip(p);
      } else {
        row.append(columns[column++]);
      }
    }
    row.end();
  }
  return columns;
}

void read_faces(Cursor& cursor, PlyHeader::Layout layout, const PlyElement& element, std::uint64_t vertices,
                Faces& faces) {
  PlyRow row(cursor, layout, element);
  for (std::uint64_t i = 0; i < element.count; ++i) {
    row.begin(i);
    for (const PlyProperty& p : element.properties) {
      if (!p.count_type || (p.name != "vertex_indices" && p.name != "vertex_index") || is_floating(p.type)) {
        row.skip(p);
        continue;
      }
      const std::uint64_t corners = row.list_length(p);
      for (std::uint64_t c = 0; c < corners; ++c) {
        const auto corner = row.value<std::int64_t>(p.type);
        if (corner < 0 || static_cast<std::uint64_t>(corner) >= vertices) {
          cursor.fail("face {} names vertex {}, but there are {}", i, corner, vertices);
        }
        faces.index.push_back(static_cast<std::uint32_t>(corner));
      }
      if (faces.index.size() > std::numeric_limits<std::uint32_t>::max()) cursor.fail("more than 2^32 face corners");
      faces.start.push_back(static_cast<std::uint32_t>(faces.index.size()));
    }
    row.end();
  }
}

void skip_element(Cursor& cursor, PlyHeader::Layout layout, const PlyElement& element) {
  if (layout != PlyHeader::Layout::ascii && !element.has_lists()) {
    cursor.take(element.count * element.smallest_record(), "the records of an element");
    return;
  }
  PlyRow row(cursor, layout, element);
  for (std::uint64_t i = 0; i < element.count; ++i) {
    row.begin(i);
    for (const PlyProperty& p : element.properties) row.skip(p);
    row.end();
  }
}

}  // namespace

bool is_ply(std::string_view bytes) { return bytes.starts_with("ply\n") || bytes.starts_with("ply\r"); }

PointCloud read_ply(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  const PlyHeader header = read_ply_header(cursor);
  const PlyElement* vertex = header.find("vertex");
  if (!vertex) cursor.fail("the header has no element 'vertex'");
  if (vertex->count > std::numeric_limits<std::uint32_t>::max()) {
    cursor.fail("{} vertices are promised; at most 2^32 - 1 are read", vertex->count);
  }
  if (vertex->count == 0) cursor.fail("the file has no points: element vertex has the count 0");

  std::vector<Attribute> columns;
  Faces faces;
  for (const PlyElement& element : header.elements) {
    if (element.properties.empty()) continue;  // takes no room, whatever its count
    if (header.layout != PlyHeader::Layout::ascii) {
      cursor.need(element.count, element.smallest_record(), "records of element '" + element.name + "'");
    }
    if (&element == vertex) {
      columns = read_vertices(cursor, header.layout, element);
    } else if (element.name == "face") {
      read_faces(cursor, header.layout, element, vertex->count, faces);
    } else {
      skip_element(cursor, header.layout, element);
    }
  }
  PointCloud cloud = cloud_from_columns(std::move(columns), cursor);
  cloud.faces = std::move(faces);
  // Stanford's range grids say 512 × 400 but keep only the vertices that were seen.
  if (header.rows > 1 && header.columns <= cloud.size() && header.rows <= cloud.size() &&
      header.columns * header.rows == cloud.size()) {
    cloud.width = static_cast<std::uint32_t>(header.columns);
    cloud.height = static_cast<std::uint32_t>(header.rows);
  }
  return cloud;
}

}  // namespace dovetail::io
