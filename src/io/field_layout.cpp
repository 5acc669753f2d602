// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/field_layout.h"

#include <cmath>
#include <limits>

namespace dovetail::io {
namespace {

constexpr std::uint32_t longest_text = 1 << 16, most_band = 64;
constexpr std::size_t levels_at = 12, level_bytes = 80;  // where their number stands, and the size of one's header

void require(const Cursor& cursor, bool sound, std::string_view what) {
  if (!sound) cursor.fail("{} is out of range", what);
}

bool power_of_two(double value) {
  int exponent = 0;
  return std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5;
}

void check_grid(const Cursor& cursor, const FieldGrid& grid) {
  require(cursor, grid.dimension == 2 || grid.dimension == 3, "the dimension");
  std::uint64_t squares = 0;
  for (const std::uint32_t cells : grid.cells) {
    require(cursor, cells >= 1 && cells <= 0x10000, "the number of cells along an axis");
    squares += std::uint64_t{cells} * cells;
  }
  require(cursor, squares < std::uint64_t{1} << 31, "the number of cells along the axes together");
  require(cursor, grid.dimension == 3 || grid.cells[2] == 1, "the number of cells along z");
  for (const float origin : grid.origin) require(cursor, std::isfinite(origin), "the origin of a grid");
  require(cursor, power_of_two(static_cast<double>(grid.cell)) && power_of_two(static_cast<double>(grid.per_unit)),
          "the side of a cell");
}

void check_counts(const Cursor& cursor, const FieldLevelHeader& header) {
  const FieldLevel& level = header.level;
  std::uint64_t slots = 1;
  const std::uint32_t side = tile_side(level.grid.dimension);
  for (int a = 0; a < 3; ++a) {
    const std::uint32_t tiles = a < level.grid.dimension ? (level.grid.cells[a] + side - 1) / side : 1;
    require(cursor, level.tiles.tiles[a] == (level.band > 0 ? tiles : 0), "the number of tiles along an axis");
    slots *= tiles;
  }
  require(cursor, level.band <= most_band, "the band");
  if (level.band > 0) {
    const std::uint32_t cells = tile_cells(level.grid.dimension);
    require(cursor, header.slots == slots && slots < no_site, "the number of tiles");
    require(cursor, header.stored % cells == 0 && header.stored / cells <= slots, "the number of cells stored");
  } else {
    require(cursor, header.slots == 0, "the number of tiles");
    require(cursor, header.stored == level.grid.size(), "the number of cells stored");
  }
  require(cursor, header.sites >= 1 && header.sites <= header.stored && header.sites < no_site, "the number of sites");
}

/// A search begins on the first level and goes on to the next ones as its caps shrink: a field that breaks this order
/// would be looked up where it knows nothing. `begin` is where the first level's header stands.
void check_order(Cursor cursor, const std::vector<FieldLevelHeader>& levels, std::size_t begin) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const FieldLevel& level = levels[i].level;
    cursor.seek(begin + i * level_bytes, "a level");
    if (i == 0) {
      if (level.band > 0) cursor.fail("a banded level with no dense one before it");
      continue;
    }
    const FieldGrid &grid = level.grid, &before = levels[i - 1].level.grid;
    if (grid.dimension != before.dimension) {
      cursor.fail("a level in {}D after one in {}D", grid.dimension, before.dimension);
    }
    if (!(grid.cell < before.cell)) {
      cursor.fail("a level with cells of {} after one with cells of {}; levels go from coarse to fine", grid.cell,
                  before.cell);
    }
  }
}

FieldLevelHeader read_level(Cursor& cursor) {
  FieldLevelHeader header;
  FieldGrid& grid = header.level.grid;
  const auto dimension = cursor.take_number<std::uint32_t>("the dimension");
  grid.dimension = dimension > 3 ? 0 : static_cast<int>(dimension);
  for (std::uint32_t& cells : grid.cells) cells = cursor.take_number<std::uint32_t>("the cells");
  for (float& origin : grid.origin) origin = cursor.take_number<float>("the origin of a grid");
  grid.cell = cursor.take_number<float>("the side of a cell");
  grid.per_unit = 1 / grid.cell;
  header.level.band = cursor.take_number<std::uint32_t>("the band");
  for (std::uint32_t& tiles : header.level.tiles.tiles) tiles = cursor.take_number<std::uint32_t>("the tiles");
  header.slots = cursor.take_number<std::uint64_t>("the number of tiles");
  header.sites = cursor.take_number<std::uint64_t>("the number of sites");
  header.stored = cursor.take_number<std::uint64_t>("the number of cells stored");
  header.checksum = cursor.take_number<std::uint64_t>("a checksum");
  return header;
}

void write_level(std::string& bytes, const FieldLevelHeader& header) {
  const FieldGrid& grid = header.level.grid;
  append(bytes, static_cast<std::uint32_t>(grid.dimension));
  for (const std::uint32_t cells : grid.cells) append(bytes, cells);
  for (const float origin : grid.origin) append(bytes, origin);
  append(bytes, grid.cell);
  append(bytes, header.level.band);
  for (const std::uint32_t tiles : header.level.tiles.tiles) append(bytes, tiles);
  for (const std::uint64_t value : {header.slots, header.sites, header.stored, header.checksum}) append(bytes, value);
}

}  // namespace

std::uint64_t field_checksum(std::string_view bytes, std::uint64_t start) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;  // odd: what differs before a step differs after it
  constexpr std::size_t lanes = 8;
  const auto mix = [](std::uint64_t sum, std::uint64_t word) { return std::rotl((sum ^ word) * factor, 29); };
  std::uint64_t lane[lanes];
  for (std::size_t i = 0; i < lanes; ++i) lane[i] = start + i;
  std::size_t at = 0;
  for (; at + 8 * lanes <= bytes.size(); at += 8 * lanes) {
    for (std::size_t i = 0; i < lanes; ++i) lane[i] = mix(lane[i], load<std::uint64_t>(bytes.data() + at + 8 * i));
  }
  std::uint64_t sum = mix(start, bytes.size());
  for (const std::uint64_t l : lane) sum = mix(sum, l);
  for (; at < bytes.size(); ++at) sum = mix(sum, static_cast<unsigned char>(bytes[at]));
  return sum;
}

FieldHeader read_field_header(Cursor& cursor, FieldFile& field) {
  FieldHeader header;
  const std::string_view whole = cursor.rest();
  if (!is_field_file(whole)) cursor.fail("is not a field file: it does not begin with DVTFIELD");
  cursor.take(field_magic.size(), "the name of the format");
  const auto version = cursor.take_number<std::uint32_t>("the version");
  if (version != field_version) cursor.fail("is version {}; this program reads version {}", version, field_version);
  const auto levels = cursor.take_number<std::uint32_t>("the number of levels");
  if (levels < 1 || levels > most_field_levels) {
    cursor.seek(levels_at, "the number of levels");
    cursor.fail("the number of levels is {}; a field has 1 to {}", levels, most_field_levels);
  }
  const auto bytes = cursor.take_number<std::uint64_t>("the size");
  if (bytes > whole.size()) cursor.fail("truncated: {} bytes are promised, {} found", bytes, whole.size());
  if (bytes < whole.size()) cursor.fail("{} bytes follow its end", whole.size() - bytes);

  field.reference_points = cursor.take_number<std::uint64_t>("the number of points");
  field.margin = cursor.take_number<double>("the margin");
  for (int a = 0; a < 3; ++a) field.frame.origin[a] = cursor.take_number<double>("the origin");
  field.frame.scale = cursor.take_number<double>("the scale");
  header.segments = cursor.take_number<std::uint64_t>("the number of segments");
  header.stretches = cursor.take_number<std::uint64_t>("the number of stretches");
  header.segments_checksum = cursor.take_number<std::uint64_t>("a checksum");
  const auto crs = cursor.take_number<std::uint32_t>("the length of a text");
  const auto source = cursor.take_number<std::uint32_t>("the length of a text");
  require(cursor, crs <= longest_text && source <= longest_text, "the length of a text");
  field.crs = cursor.take(crs, "the coordinate system");
  field.source = cursor.take(source, "the name of the source");
  cursor.take((8 - cursor.position() % 8) % 8, "zeros");
  const std::size_t levels_begin = cursor.position();
  for (std::uint32_t i = 0; i < levels; ++i) header.levels.push_back(read_level(cursor));
  const std::uint64_t sum = field_checksum(whole.substr(0, cursor.position()));
  if (cursor.take_number<std::uint64_t>("a checksum") != sum) cursor.fail("its header was changed (checksum)");

  require(cursor, field.reference_points >= 1 && field.reference_points <= no_site, "the number of points");
  require(cursor, std::isfinite(field.margin) && field.margin >= 0, "the margin");
  for (int a = 0; a < 3; ++a) require(cursor, std::isfinite(field.frame.origin[a]), "the origin");
  require(cursor, std::isnormal(field.frame.scale) && field.frame.scale > 0, "the scale");
  std::uint64_t expected = cursor.position();
  for (const FieldLevelHeader& level : header.levels) {
    check_grid(cursor, level.level.grid);
    check_counts(cursor, level);
    // Each count was compared with the grid's, so nothing overflows; what is left over shows in the sum.
    require(cursor, level.array_bytes() <= whole.size(), "the size of a level");
    expected += level.array_bytes();
  }
  check_order(cursor, header.levels, levels_begin);
  const bool plane = header.levels.front().level.grid.dimension == 2;
  require(cursor, header.segments <= (plane ? whole.size() / sizeof(LineSegment) : 0), "the number of segments");
  require(cursor, header.stretches <= header.segments && (header.stretches > 0) == (header.segments > 0),
          "the number of stretches");
  expected += header.segments * sizeof(LineSegment);
  require(cursor, expected == whole.size(), "the size of all levels and lines");
  return header;
}

std::string write_field_header(const FieldFile& field, const FieldHeader& header) {
  constexpr std::size_t size_at = 16;
  std::string bytes(field_magic);
  append(bytes, field_version);
  append(bytes, static_cast<std::uint32_t>(header.levels.size()));
  append(bytes, std::uint64_t{0});
  append(bytes, field.reference_points);
  append(bytes, field.margin);
  for (int a = 0; a < 3; ++a) append(bytes, field.frame.origin[a]);
  append(bytes, field.frame.scale);
  for (const std::uint64_t value : {header.segments, header.stretches, header.segments_checksum}) append(bytes, value);
  append(bytes, static_cast<std::uint32_t>(field.crs.size()));
  append(bytes, static_cast<std::uint32_t>(field.source.size()));
  bytes += field.crs + field.source;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  std::uint64_t arrays = header.segments * sizeof(LineSegment);
  for (const FieldLevelHeader& level : header.levels) {
    write_level(bytes, level);
    arrays += level.array_bytes();
  }
  store(bytes.data() + size_at, bytes.size() + sizeof(std::uint64_t) + arrays);
  append(bytes, field_checksum(bytes));
  return bytes;
}

}  // namespace dovetail::io
