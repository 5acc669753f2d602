// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/field_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "backend/cpu/distance_field.h"
#include "dovetail/error.h"
#include "field/field_cases.h"
#include "io/allocation_watch.h"
#include "io/endian.h"
#include "io/field_layout.h"
#include "io/file.h"
#include "io/io_support.h"

namespace dovetail {
namespace {

using namespace test;

constexpr float fine = 0.25f, coarse = 1;

FieldLevel made_level(const FieldGrid& shape, Pattern pattern, std::uint32_t band, float cell = fine) {
  FieldGrid grid = shape;
  grid.cell = cell, grid.per_unit = 1 / cell;
  for (int a = 0; a < grid.dimension; ++a) grid.origin[a] = -1.5f - static_cast<float>(a);
  const Keys keys = make_keys(grid, pattern);
  FieldLevel level = field_level(grid, keys, band);
  build_field_cpu(level, keys);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const auto at = [&](std::uint32_t key, int a) { return grid.origin[a] + (static_cast<float>(key) + 0.5f) * cell; };
    level.sites.push_back({at(key_x(keys[i]), 0), at(key_y(keys[i]), 1), at(key_z(keys[i]), 2),
                           pack_normal(level.grid.dimension, 0.6f, i % 2 == 0 ? 0.8f : -0.8f, 0)});
  }
  return level;
}

io::FieldFile made_field(std::vector<FieldLevel> levels) {
  io::FieldFile field;
  field.frame = {{381'000.5, 5'712'000.25, 93.0}, 0.0078125};
  field.levels = std::move(levels);
  field.crs = "+proj=utm +zone=32";
  field.source = "roads.las";
  field.reference_points = 1'000'000;
  field.margin = 0.37;
  return field;
}

io::FieldFile small_field() {
  io::FieldFile field = made_field(
      {made_level(field_grid(2, 3, 2), Pattern::single, 0, coarse), made_level(field_grid(2, 5, 3), Pattern::few, 1)});
  field.lines.segments = {{-1.25f, -2.25f, 0.6f, 0.8f, 0.25f, 0}, {-1, -2, 0, -1, 0.25f, 1}};
  field.lines.stretches = 2;
  return field;
}

std::string bytes_of(const io::FieldFile& field) {
  const TemporaryFolder folder;
  io::save_field_file(folder / "a.field", field);
  return std::string(io::FileBytes(folder / "a.field").view());
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const io::FieldFile& a, const io::FieldFile& b) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a.frame.origin[i], b.frame.origin[i]);
  EXPECT_EQ(a.frame.scale, b.frame.scale);
  EXPECT_EQ(a.crs, b.crs);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.reference_points, b.reference_points);
  EXPECT_EQ(a.margin, b.margin);
  EXPECT_EQ(a.lines.stretches, b.lines.stretches);
  EXPECT_TRUE(same_bits(a.lines.segments, b.lines.segments));
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    const FieldLevel &p = a.levels[i], &q = b.levels[i];
    EXPECT_EQ(std::memcmp(&p.grid, &q.grid, sizeof p.grid), 0);
    EXPECT_EQ(p.band, q.band);
    EXPECT_TRUE(std::equal(p.tiles.tiles, p.tiles.tiles + 3, q.tiles.tiles));
    EXPECT_EQ(p.tiles.slot, q.tiles.slot);
    EXPECT_EQ(p.tiles.stored, q.tiles.stored);
    EXPECT_TRUE(same_bits(p.sites, q.sites));
    EXPECT_EQ(p.nearest, q.nearest);
  }
}

/// What reading says of the bytes; empty where it takes them.
std::string refusal(std::string_view bytes) {
  try {
    io::read_field_file("some.field", bytes);
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

/// Bytes with the header's checksum made right again: what a liar would write.
std::string with_checksum(std::string bytes, std::size_t header) {
  io::store(bytes.data() + header, io::field_checksum(std::string_view(bytes).substr(0, header)));
  return bytes;
}

constexpr std::size_t fixed = 104, level_size = 80;

TEST(FieldFile, ComesBackBitByBit) {
  const TemporaryFolder folder;
  const io::FieldFile fields[] = {made_field({made_level(field_grid(2, 100, 65), Pattern::few, 0)}),
                                  made_field({made_level(field_grid(3, 20, 33, 17), Pattern::random, 0)}),
                                  made_field({made_level(field_grid(2, 50, 75), Pattern::single, 0, coarse),
                                              made_level(field_grid(2, 200, 300), Pattern::single, 20)}),
                                  made_field({made_level(field_grid(3, 18, 16, 20), Pattern::clustered, 0, coarse),
                                              made_level(field_grid(3, 70, 64, 80), Pattern::clustered, 8)}),
                                  made_field({made_level(field_grid(3, 1, 1, 1), Pattern::all, 0, coarse),
                                              made_level(field_grid(3, 8, 8, 8), Pattern::few, 0)}),
                                  small_field()};
  for (const io::FieldFile& field : fields) {
    io::save_field_file(folder / "a.field", field);
    expect_same(io::load_field_file(folder / "a.field"), field);
    EXPECT_EQ(folder.files(), 1u);
  }
  io::FieldFile bare = small_field();
  bare.crs.clear(), bare.source.clear();
  expect_same(io::read_field_file("bare", bytes_of(bare)), bare);
}

TEST(FieldFile, EveryCutIsRefused) {
  const std::string bytes = bytes_of(small_field());
  EXPECT_EQ(refusal(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(std::string_view(bytes).substr(0, size)), "") << size;
  }
  EXPECT_NE(refusal(bytes + '\0').find("1 bytes follow its end"), std::string::npos) << refusal(bytes + '\0');
}

TEST(FieldFile, EveryChangedByteIsRefused) {
  const std::string bytes = bytes_of(small_field());
  const AllocationWatch watch;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      EXPECT_NE(refusal(changed), "") << i;
    }
  }
  EXPECT_LT(AllocationWatch::largest(), 1u << 20);
}

TEST(FieldFile, ALyingHeaderTakesNoMemory) {
  const std::string bytes = bytes_of(small_field());
  std::size_t header = fixed + small_field().crs.size() + small_field().source.size();
  header = (header + 7) / 8 * 8 + 2 * level_size;
  ASSERT_EQ(refusal(with_checksum(bytes, header)), "");
  const AllocationWatch watch;
  for (std::size_t i = 8; i < header; ++i) {
    for (const int value : {0x00, 0x01, 0x10, 0x3f, 0x7f, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      refusal(with_checksum(changed, header));  // some are harmless: a letter of a name, say
    }
    if (i + 8 > header) continue;
    for (const std::uint64_t value : {std::uint64_t{1} << 33, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
      std::string changed = bytes;
      io::store(changed.data() + i, value);
      refusal(with_checksum(changed, header));
    }
  }
  EXPECT_LT(AllocationWatch::largest(), 1u << 20);
}

TEST(FieldFile, SaysWhatIsWrong) {
  const auto expect = [](const std::string& bytes, const std::string& what) {
    EXPECT_NE(refusal(bytes).find(what), std::string::npos) << refusal(bytes);
    EXPECT_NE(refusal(bytes).find("some.field"), std::string::npos) << refusal(bytes);
  };
  const std::string bytes = bytes_of(small_field());
  expect("ply\nformat ascii 1.0\n", "is not a field file");
  expect("", "is not a field file");
  std::string other = bytes;
  io::store(other.data() + 8, std::uint32_t{7});
  expect(other, "is version 7; this program reads version 2");
  expect(bytes.substr(0, bytes.size() - 1), "truncated");
  other = bytes;
  other.back() = static_cast<char>(other.back() ^ 1);
  expect(other, "was changed (checksum)");
  other = bytes;
  other[30] = static_cast<char>(other[30] ^ 1);
  expect(other, "header was changed (checksum)");
}

TEST(FieldFile, ValuesOutOfRangeAreRefused) {
  const auto expect = [](const auto& spoil, const std::string& what) {
    io::FieldFile field = small_field();
    spoil(field);
    EXPECT_NE(refusal(bytes_of(field)).find(what), std::string::npos) << what << ": " << refusal(bytes_of(field));
  };
  expect([](auto& f) { f.levels[0].nearest[1] = 1; }, "names a site that it does not have");
  expect([](auto& f) { f.levels[0].nearest[1] = no_site; }, "names a site that it does not have");
  expect([](auto& f) { f.levels[1].nearest[1] = 1000; }, "names a site that it does not have");
  expect([](auto& f) { f.levels[0].grid.cells[1] = 0; }, "number of cells");
  expect([](auto& f) { f.levels[0].grid.cells[1] = 3; }, "number of cells stored");
  expect([](auto& f) { f.levels[0].grid.dimension = 4; }, "dimension");
  expect([](auto& f) { f.levels[0].grid.cell = 0.3f; }, "side of a cell");
  expect([](auto& f) { f.levels[0].grid.origin[0] = std::numeric_limits<float>::infinity(); }, "origin");
  expect([](auto& f) { f.levels[0].sites.clear(); }, "number of sites");
  expect([](auto& f) { f.levels[0].sites[0].x = std::numeric_limits<float>::quiet_NaN(); }, "site");
  expect([](auto& f) { f.levels[0].sites[0].normal = 0x80000000u; }, "site");
  expect([](auto& f) { f.levels[1].band = 65; }, "band");
  expect([](auto& f) { f.levels[1].tiles.slot[0] = 5; }, "tiles");
  expect([](auto& f) { f.levels[1].tiles.slot[0] = no_site; }, "tiles");
  expect([](auto& f) { f.levels.clear(); }, "number of levels");
  expect([](auto& f) { f.frame.scale = -3; }, "scale");
  expect([](auto& f) { f.margin = -1; }, "margin");
  expect([](auto& f) { f.reference_points = 0; }, "number of points");
  expect([](auto& f) { f.lines.stretches = 0; }, "number of stretches");
  expect([](auto& f) { f.lines.stretches = 3; }, "number of stretches");
  expect([](auto& f) { f.lines.segments[1].stretch = 2; }, "a segment of its lines is out of range");
  expect([](auto& f) { f.lines.segments[1].length = 3e38f; }, "a segment of its lines is out of range");
  expect([](auto& f) { f.lines.segments[1].x = 50; }, "a segment of its lines is out of range");
  expect([](auto& f) { f.lines.segments[1].length = 0; }, "a segment of its lines is out of range");
  expect([](auto& f) { f.lines.segments[0].along_x = 1; }, "a segment of its lines is out of range");
  expect([](auto& f) { f.lines.segments[0].x = std::numeric_limits<float>::infinity(); }, "out of range");
  expect([](auto& f) { f.levels = {made_level(field_grid(3, 4, 4, 4), Pattern::few, 0)}; }, "number of segments");
}

/// save_field_file() writes what it is given, checksums and all: these files are as a liar would write them.
TEST(FieldFile, MoreLevelsThanAFieldHasAreRefused) {
  for (const std::size_t count : {3u, 6u, 7u, 40u, 64u}) {
    io::FieldFile field = made_field({});
    float cell = 1;
    for (std::size_t i = 0; i < count; ++i, cell /= 2) {
      field.levels.push_back(made_level(field_grid(2, 4, 3), Pattern::few, i == 0 ? 0 : 1, cell));
    }
    EXPECT_EQ(refusal(bytes_of(field)),
              fmt::format("some.field: byte 12: the number of levels is {}; a field has 1 to 2", count));
  }
  std::string promised = bytes_of(small_field());  // levels that are not there
  io::store(promised.data() + 12, std::uint32_t{0xffffffffu});
  EXPECT_NE(refusal(promised).find("the number of levels is 4294967295"), std::string::npos) << refusal(promised);
}

TEST(FieldFile, LevelsOutOfOrderAreRefused) {
  const auto expect = [](std::vector<FieldLevel> levels, std::size_t level, const std::string& what) {
    const io::FieldFile field = made_field(std::move(levels));
    const std::size_t at = (fixed + field.crs.size() + field.source.size() + 7) / 8 * 8 + level * level_size;
    EXPECT_EQ(refusal(bytes_of(field)), fmt::format("some.field: byte {}: {}", at, what));
  };
  const FieldGrid grid = field_grid(2, 5, 3), solid = field_grid(3, 5, 3, 2);
  const FieldLevel dense = made_level(grid, Pattern::few, 0), banded = made_level(grid, Pattern::few, 2);
  const std::string order = "; levels go from coarse to fine";
  expect({banded}, 0, "a banded level with no dense one before it");
  expect({made_level(grid, Pattern::few, 2, coarse), banded}, 0, "a banded level with no dense one before it");
  expect({made_level(grid, Pattern::few, 2, coarse), dense}, 0, "a banded level with no dense one before it");
  expect({dense, banded}, 1, "a level with cells of 0.25 after one with cells of 0.25" + order);
  expect({dense, made_level(grid, Pattern::few, 2, coarse)}, 1,
         "a level with cells of 1 after one with cells of 0.25" + order);
  expect({made_level(solid, Pattern::few, 0, coarse), banded}, 1, "a level in 2D after one in 3D");
  expect({made_level(grid, Pattern::few, 0, coarse), made_level(solid, Pattern::few, 1)}, 1,
         "a level in 3D after one in 2D");
}

TEST(FieldFile, AMissingFileIsAFileError) {
  EXPECT_THROW(io::load_field_file("/nowhere/a.field"), FileError);
  EXPECT_THROW(io::save_field_file("/nowhere/a.field", small_field()), FileError);
}

}  // namespace
}  // namespace dovetail
