// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/field_file.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "io/cursor.h"
#include "io/field_layout.h"
#include "io/file.h"
#include "spatial/parallel.h"

namespace dovetail::io {
namespace {

// Arrays are written as they lie in memory.
static_assert(std::endian::native == std::endian::little && sizeof(Site) == 16 && sizeof(LineSegment) == 24);

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> take_array(Cursor& cursor, std::uint64_t count, std::string_view what) {
  const std::string_view bytes = cursor.take(count * sizeof(T), what);
  std::vector<T> values(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::uint64_t checksum_of(const FieldLevel& level) {
  const std::uint64_t slots = field_checksum(bytes_of(level.tiles.slot));
  return field_checksum(bytes_of(level.nearest), field_checksum(bytes_of(level.sites), slots));
}

/// Calls sound(i) for all i below `count` on all threads; false where one is not.
template <class Sound>
bool all_sound(std::size_t count, const Sound& sound) {
  constexpr std::size_t piece = 1 << 16;
  std::atomic<bool> all{true};
  parallel_for((count + piece - 1) / piece, 1, [&](std::size_t p) {
    bool good = true;
    for (std::size_t i = p * piece; i < std::min(count, (p + 1) * piece); ++i) good &= sound(i);
    if (!good) all = false;
  });
  return all;
}

/// The list of stored tiles from the slots, which must count them.
void find_stored(const Cursor& cursor, FieldTiles& tiles, std::uint64_t count) {
  for (std::uint32_t i = 0; i < tiles.slot.size(); ++i) {
    if (tiles.slot[i] == no_site) continue;
    if (tiles.slot[i] != tiles.stored.size() || tiles.stored.size() == count) cursor.fail("its tiles are not in order");
    tiles.stored.push_back(i);
  }
  if (tiles.stored.size() != count) cursor.fail("some of its tiles have no place");
}

FieldLevel read_level(Cursor& cursor, const FieldLevelHeader& header) {
  FieldLevel level = header.level;
  level.tiles.slot = take_array<std::uint32_t>(cursor, header.slots, "the tiles");
  level.sites = take_array<Site>(cursor, header.sites, "the sites");
  level.nearest = take_array<std::uint32_t>(cursor, header.stored, "the nearest sites");
  if (checksum_of(level) != header.checksum) cursor.fail("the level before was changed (checksum)");
  if (level.band > 0) find_stored(cursor, level.tiles, header.stored / tile_cells(level.grid.dimension));
  const auto sites = static_cast<std::uint32_t>(header.sites);
  const std::uint32_t none = level.band > 0 ? no_site : 0;  // a dense field has a site everywhere
  const bool near = all_sound(level.nearest.size(),
                              [&](std::size_t i) { return level.nearest[i] < sites || level.nearest[i] == none; });
  if (!near) cursor.fail("the level before names a site that it does not have");
  const bool finite = all_sound(level.sites.size(), [&](std::size_t i) {
    const Site& s = level.sites[i];
    return std::isfinite(s.x) && std::isfinite(s.y) && std::isfinite(s.z) && s.has_sound_normal(level.grid.dimension);
  });
  if (!finite) cursor.fail("a site of the level before is out of range");
  return level;
}

/// Whether a segment lies where the field's cells are, or just beside them.
bool is_inside(const LineSegment& s, const std::vector<FieldLevel>& levels) {
  const float end[2] = {s.x + s.along_x * s.length, s.y + s.along_y * s.length}, begin[2] = {s.x, s.y};
  for (const FieldLevel& level : levels) {
    const FieldGrid& g = level.grid;
    bool inside = true;
    for (int a = 0; a < 2; ++a) {
      const float low = g.origin[a] - g.cell, high = g.origin[a] + (static_cast<float>(g.cells[a]) + 1) * g.cell;
      inside = inside && begin[a] >= low && begin[a] <= high && end[a] >= low && end[a] <= high;
    }
    if (inside) return true;
  }
  return false;
}

LineMap read_lines(Cursor& cursor, const FieldHeader& header, const std::vector<FieldLevel>& levels) {
  LineMap lines;
  lines.segments = take_array<LineSegment>(cursor, header.segments, "the lines");
  lines.stretches = static_cast<std::uint32_t>(header.stretches);
  if (field_checksum(bytes_of(lines.segments)) != header.segments_checksum)
    cursor.fail("its list of lines was changed (checksum)");
  const bool sound = all_sound(lines.segments.size(), [&](std::size_t i) {
    const LineSegment& s = lines.segments[i];
    const float unit = s.along_x * s.along_x + s.along_y * s.along_y;
    return std::fabs(unit - 1.0f) < 1e-3f && s.length > 0 && s.stretch < lines.stretches && is_inside(s, levels);
  });
  if (!sound) cursor.fail("a segment of its lines is out of range");
  return lines;
}

}  // namespace

bool is_field_file(std::string_view bytes) { return bytes.starts_with(field_magic); }

FieldFile read_field_file(std::string_view file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  FieldFile field;
  const FieldHeader header = read_field_header(cursor, field);
  for (const FieldLevelHeader& level : header.levels) field.levels.push_back(read_level(cursor, level));
  field.lines = read_lines(cursor, header, field.levels);
  return field;
}

FieldFile load_field_file(const std::filesystem::path& file) {
  const FileBytes bytes(file);
  return read_field_file(file.string(), bytes.view());
}

void save_field_file(const std::filesystem::path& file, const FieldFile& field) {
  FieldHeader header;
  for (const FieldLevel& level : field.levels) {
    FieldLevelHeader& of_level = header.levels.emplace_back();
    of_level.level.grid = level.grid;
    of_level.level.band = level.band;
    for (int a = 0; a < 3; ++a) of_level.level.tiles.tiles[a] = level.tiles.tiles[a];
    of_level.slots = level.tiles.slot.size();
    of_level.sites = level.sites.size();
    of_level.stored = level.nearest.size();
    of_level.checksum = checksum_of(level);
  }
  header.segments = field.lines.segments.size();
  header.stretches = field.lines.stretches;
  header.segments_checksum = field_checksum(bytes_of(field.lines.segments));
  AtomicFile out(file);
  out.write(write_field_header(field, header));
  for (const FieldLevel& level : field.levels) {
    out.write(bytes_of(level.tiles.slot));
    out.write(bytes_of(level.sites));
    out.write(bytes_of(level.nearest));
  }
  out.write(bytes_of(field.lines.segments));
  out.commit();
}

}  // namespace dovetail::io
