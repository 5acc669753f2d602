// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io_support.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "allocation_watch.h"
#include "dovetail/error.h"
#include "io/formats.h"

namespace dovetail::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "dovetail_io_XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::size_t TemporaryFolder::files() const {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

namespace {

template <class T>
Attribute make_attribute(const std::string& name, std::size_t count, double first, double step) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(first + step * static_cast<double>(i)));
  return {name, 1, std::move(values)};
}

std::size_t value_count(const Attribute& attribute) {
  return std::visit([](const auto& values) { return values.size(); }, attribute.values);
}

double value_at(const Attribute& attribute, std::size_t i) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[i]); }, attribute.values);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

PointCloud sample_cloud(Precision precision) {
  PointCloud cloud;
  cloud.precision = precision;
  cloud.width = 4;
  cloud.height = 3;
  constexpr std::size_t count = 12;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i);
    Vec3 p{0.1 * t - 0.3, 1e-5 * t * t + 1e3, -7.0 / (t + 1)};
    if (precision == Precision::float32) p = p.cast<float>().cast<double>();
    cloud.positions.push_back(p);
    const auto angle = static_cast<float>(t);
    cloud.normals.push_back(Vec3f{std::cos(angle), std::sin(angle), 0});
    const auto level = static_cast<std::uint8_t>(20 * i);
    cloud.colors.push_back({level, static_cast<std::uint8_t>(255 - level), 1, static_cast<std::uint8_t>(200 + i)});
  }
  cloud.has_alpha = true;
  cloud.positions[5] = Vec3{std::nan(""), std::nan(""), std::nan("")};
  cloud.faces.add({0, 1, 2});
  cloud.faces.add({3, 4, 7, 6});
  cloud.attributes = {make_attribute<std::int8_t>("small", count, -100, 17),
                      make_attribute<std::uint8_t>("label", count, 3, 20),
                      make_attribute<std::int16_t>("step", count, -30000, 5000),
                      make_attribute<std::uint16_t>("ring", count, 5000, 5000),
                      make_attribute<std::int32_t>("index", count, -2e9, 3e8),
                      make_attribute<std::uint32_t>("id", count, 1e9, 2.5e8),
                      make_attribute<std::int64_t>("ticks", count, -8e15, 1e15),
                      make_attribute<std::uint64_t>("stamp", count, 9e9, 7e14),
                      make_attribute<float>("intensity", count, 0.1, 0.7),
                      make_attribute<double>("time", count, 1.6e9 + 0.1, 0.05)};
  Attribute vector = make_attribute<float>("flow", 3 * count, -1.5, 0.3);
  vector.components = 3;
  cloud.attributes.push_back(std::move(vector));
  return cloud;
}

PointCloud without_attributes(PointCloud cloud) {
  cloud.attributes.clear();
  return cloud;
}

PointCloud without_alpha(PointCloud cloud) {
  cloud.has_alpha = false;
  for (auto& color : cloud.colors) color[3] = 255;
  return cloud;
}

PointCloud without_size(PointCloud cloud) {
  cloud.width = cloud.height = 0;
  return cloud;
}

PointCloud without_faces(PointCloud cloud) {
  cloud.faces = Faces{};
  return cloud;
}

PointCloud without_invalid(PointCloud cloud) {
  cloud.positions[5] = Vec3{0.25, 0.5, 0.75};
  return cloud;
}

PointCloud with_spread_attributes(PointCloud cloud) {
  std::vector<Attribute> spread;
  for (Attribute& attribute : cloud.attributes) {
    if (attribute.components == 1) {
      spread.push_back(std::move(attribute));
      continue;
    }
    const auto components = static_cast<std::size_t>(attribute.components);
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          for (std::size_t c = 0; c < components; ++c) {
            std::vector<T> column;
            for (std::size_t i = c; i < values.size(); i += components) column.push_back(values[i]);
            spread.push_back({attribute.name + "_" + std::to_string(c), 1, std::move(column)});
          }
        },
        attribute.values);
  }
  cloud.attributes = std::move(spread);
  return cloud;
}

PointCloud with_wide_integers_as_double(PointCloud cloud) {
  for (Attribute& attribute : cloud.attributes) {
    std::vector<double> values;
    for (std::size_t i = 0; i < value_count(attribute); ++i) values.push_back(value_at(attribute, i));
    const bool wide = std::holds_alternative<std::vector<std::int64_t>>(attribute.values) ||
                      std::holds_alternative<std::vector<std::uint64_t>>(attribute.values);
    if (wide) attribute.values = std::move(values);
  }
  return cloud;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in.good()) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.good()) << file;
}

std::string written(const std::string& name, const PointCloud& cloud, Encoding encoding) {
  const TemporaryFolder folder;
  write_points(folder / name, cloud, {.encoding = encoding});
  EXPECT_EQ(folder.files(), 1u) << "something is left beside the file";
  return bytes_of(folder / name);
}

PointCloud parse(const std::string& name, std::string_view bytes) { return io::parse_points(name, bytes); }

PointCloud round_trip(const std::string& name, const PointCloud& cloud, Encoding encoding) {
  const TemporaryFolder folder;
  write_points(folder / name, cloud, {.encoding = encoding});
  return read_points(folder / name);
}

std::string refusal(const std::string& name, std::string_view bytes) {
  try {
    parse(name, bytes);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

namespace {

void expect_same_frame(const PointCloud& expected, const PointCloud& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  EXPECT_EQ(expected.dimension, actual.dimension);
  EXPECT_EQ(expected.width, actual.width);
  EXPECT_EQ(expected.height, actual.height);
  EXPECT_EQ(expected.faces.start, actual.faces.start);
  EXPECT_EQ(expected.faces.index, actual.faces.index);
  EXPECT_EQ(expected.has_alpha, actual.has_alpha);
  EXPECT_EQ(expected.colors, actual.colors);
  EXPECT_TRUE(expected.normals == actual.normals);
  ASSERT_EQ(expected.attributes.size(), actual.attributes.size());
}

}  // namespace

void expect_same(const PointCloud& expected, const PointCloud& actual) {
  expect_same_frame(expected, actual);
  if (testing::Test::HasFatalFailure()) return;
  EXPECT_EQ(expected.precision, actual.precision);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_TRUE(same(expected.positions[i][axis], actual.positions[i][axis])) << "point " << i << " axis " << axis;
    }
  }
  for (std::size_t i = 0; i < expected.attributes.size(); ++i) {
    const Attribute &a = expected.attributes[i], &b = actual.attributes[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.components, b.components) << a.name;
    EXPECT_TRUE(a.values == b.values) << a.name << ", type " << a.values.index() << " and " << b.values.index();
  }
}

void expect_same_text(const PointCloud& expected, const PointCloud& actual) {
  expect_same_frame(expected, actual);
  if (testing::Test::HasFatalFailure()) return;
  EXPECT_EQ(actual.precision, Precision::float64);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double a = expected.positions[i][axis], b = actual.positions[i][axis];
      if (expected.precision == Precision::float32) {
        EXPECT_TRUE(same(static_cast<float>(a), static_cast<float>(b))) << "point " << i << " axis " << axis;
      } else {
        EXPECT_TRUE(same(a, b)) << "point " << i << " axis " << axis;
      }
    }
  }
  for (std::size_t i = 0; i < expected.attributes.size(); ++i) {
    const Attribute &a = expected.attributes[i], &b = actual.attributes[i];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(value_count(a), value_count(b)) << a.name;
    const bool single = std::holds_alternative<std::vector<float>>(a.values);
    for (std::size_t k = 0; k < value_count(a); ++k) {
      const double value = value_at(b, k);
      EXPECT_EQ(value_at(a, k), single ? static_cast<double>(static_cast<float>(value)) : value) << a.name;
    }
  }
}

namespace {

void expect_sound(const PointCloud& cloud) {
  ASSERT_GT(cloud.size(), 0u);
  EXPECT_TRUE(cloud.normals.empty() || cloud.normals.size() == cloud.size());
  EXPECT_TRUE(cloud.colors.empty() || cloud.colors.size() == cloud.size());
  EXPECT_TRUE(!cloud.organised() || std::size_t{cloud.width} * cloud.height == cloud.size());
  for (const Attribute& attribute : cloud.attributes) {
    EXPECT_EQ(value_count(attribute), cloud.size() * static_cast<std::size_t>(attribute.components));
  }
  ASSERT_FALSE(cloud.faces.start.empty());
  EXPECT_EQ(cloud.faces.start.back(), cloud.faces.index.size());
  for (const std::uint32_t corner : cloud.faces.index) ASSERT_LT(corner, cloud.size());
}

// Text of two bytes a number becomes doubles in a few arrays; compressed PCD unpacks 88 times at most. Messages, tables
// and the like are below the constant.
std::size_t memory_allowed(std::size_t bytes) { return 100 * bytes + (std::size_t{1} << 16); }

// Whether the bytes were read; fails the test on an unsound cloud or a large demand for memory.
bool try_to_read(const std::string& name, std::string_view bytes) {
  const AllocationWatch watch;
  bool good = true;
  try {
    expect_sound(parse(name, bytes));
  } catch (const FileError& error) {
    good = false;
    EXPECT_EQ(std::string(error.what()).find(name), 0u) << "the message does not begin with the file: " << error.what();
  }
  EXPECT_LE(AllocationWatch::largest(), memory_allowed(bytes.size()));
  return good;
}

}  // namespace

void expect_survives_damage(const std::string& name, const std::string& bytes, bool whole_or_nothing) {
  EXPECT_TRUE(try_to_read(name, bytes)) << "the undamaged file is refused";
  for (std::size_t part = 0; part < 20; ++part) {
    const std::size_t kept = bytes.size() * part / 20;
    const bool good = try_to_read(name, std::string_view(bytes).substr(0, kept));
    EXPECT_FALSE(good && whole_or_nothing) << "cut off at byte " << kept << " of " << bytes.size();
  }
  std::size_t refused = 0;
  for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 400); ++at) {
    for (const int damage : {0x01, 0x10, 0x80, 0xff, -1, -2}) {
      std::string damaged = bytes;
      // The negative ones put a digit or a zero there, which hits counts and sizes.
      damaged[at] = damage == -1 ? '9' : damage == -2 ? '\0' : static_cast<char>(damaged[at] ^ damage);
      refused += try_to_read(name, damaged) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0u) << "no damage was noticed";
}

void expect_refused(const std::string& name, std::string_view bytes, const std::string& part) {
  const AllocationWatch watch;
  const std::string message = refusal(name, bytes);
  const std::size_t largest = AllocationWatch::largest();
  EXPECT_NE(message, "") << "was read";
  EXPECT_EQ(message.find(name + ": "), 0u) << message;
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message << "\nwanted: " << part;
  EXPECT_LE(largest, memory_allowed(bytes.size())) << message;
}

}  // namespace dovetail::test
