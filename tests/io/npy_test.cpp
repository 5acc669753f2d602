// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "io/endian.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

std::string npy(const std::string& dictionary, const std::string& items, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  char length[4];
  io::store(length, static_cast<std::uint32_t>(dictionary.size() + 1));
  file.append(length, version == 1 ? 2 : 4);
  return file + dictionary + '\n' + items;
}

template <class T>
std::string items(std::initializer_list<T> values, std::endian order = std::endian::little) {
  std::string bytes;
  for (const T value : values) {
    char stored[sizeof(T)];
    io::store(stored, value, order);
    bytes.append(stored, sizeof(T));
  }
  return bytes;
}

std::string plain(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

class NpyRoundTrip : public testing::TestWithParam<Precision> {};

TEST_P(NpyRoundTrip, KeepsPositionsNormalsAndSize) {
  PointCloud cloud = without_faces(without_attributes(sample_cloud(GetParam())));
  cloud.colors.clear();
  cloud.has_alpha = false;
  expect_same(without_size(cloud), round_trip("a.npy", cloud));  // (N, 6)
  cloud.normals.clear();
  expect_same(cloud, round_trip("a.npy", cloud));                              // (rows, columns, 3)
  expect_same(without_size(cloud), round_trip("a.npy", without_size(cloud)));  // (N, 3)
  cloud = without_size(cloud);
  cloud.dimension = 2;
  for (Vec3& p : cloud.positions) p[2] = 0;
  expect_same(cloud, round_trip("a.npy", cloud));  // (N, 2)
}

TEST_P(NpyRoundTrip, SurvivesDamage) {
  expect_survives_damage("a.npy", written("a.npy", sample_cloud(GetParam())), true);
}

INSTANTIATE_TEST_SUITE_P(All, NpyRoundTrip, testing::Values(Precision::float32, Precision::float64));

TEST(Npy, ReadsEveryVersionOrderAndType) {
  const auto expect_two_points = [](const PointCloud& cloud, const std::string& what) {
    ASSERT_EQ(cloud.size(), 2u) << what;
    EXPECT_EQ(cloud.positions[0], (Vec3{1, 2, 3})) << what;
    EXPECT_EQ(cloud.positions[1], (Vec3{4, 5, 6})) << what;
  };
  for (const char version : {'\1', '\2', '\3'}) {
    expect_two_points(parse("a.npy", npy(plain("<f4", "(2, 3)"), items<float>({1, 2, 3, 4, 5, 6}), version)),
                      "version");
  }
  expect_two_points(parse("a.npy", npy(plain("<f8", "(2, 3)", true), items<double>({1, 4, 2, 5, 3, 6}))),
                    "Fortran order");
  expect_two_points(parse("a.npy", npy(plain(">f8", "(2L, 3L)"), items<double>({1, 2, 3, 4, 5, 6}, std::endian::big))),
                    "big");
  expect_two_points(parse("a.npy", npy(plain("|u1", "(2,3)"), items<std::uint8_t>({1, 2, 3, 4, 5, 6}))), "bytes");
  expect_two_points(
      parse("a.npy", npy(plain(">i2", "(2,3)"), items<std::int16_t>({1, 2, 3, 4, 5, 6}, std::endian::big))), "i2");
  expect_two_points(parse("a.npy", npy(plain("<u8", "(2,3)"), items<std::uint64_t>({1, 2, 3, 4, 5, 6}))), "u8");
  EXPECT_EQ(parse("a.npy", npy(plain("<f4", "(1,2)"), items<float>({1, 2}))).dimension, 2);
  EXPECT_EQ(parse("a.npy", npy(plain("<f4", "(1,6)"), items<float>({1, 2, 3, 0, 0, 1}))).normals.size(), 1u);
  EXPECT_EQ(parse("a.npy", npy(plain("<i4", "(1,6)"), items<std::int32_t>({1, 2, 3, 0, 7, 255}))).colors.size(), 1u);
  EXPECT_EQ(parse("a.npy", npy(plain("<f4", "(1,6)"), items<float>({1, 2, 3, 0, 0, 2}))).attributes.size(), 3u);
}

TEST(Npy, ReadsStructuredArrays) {
  const std::string head =
      "{'descr': [('z', '<f4'), ('x', '<f4'), ('y', '<f4'), ('', '|V2'), ('label', '|u1'), ('flow', '<i2', (2,))], "
      "'fortran_order': False, 'shape': (1,), }";
  const PointCloud cloud = parse("a.npy", npy(head, items<float>({3, 1, 2}) + "??\x07" + items<std::int16_t>({-1, 5})));
  EXPECT_EQ(cloud.positions.at(0), (Vec3{1, 2, 3}));
  ASSERT_EQ(cloud.attributes.size(), 2u);
  EXPECT_EQ(cloud.attributes[0].name, "label");
  EXPECT_EQ(cloud.attributes[1].components, 2);
  EXPECT_EQ(std::get<std::vector<std::int16_t>>(cloud.attributes[1].values), (std::vector<std::int16_t>{-1, 5}));
}

TEST(Npy, RefusesWithThePlaceAndTheReason) {
  const std::string floats = items<float>({1, 2, 3, 4, 5, 6});
  expect_refused("a.npy", "\x93NUMPY", "truncated: 1 bytes expected for the version");
  expect_refused("a.npy", npy(plain("<f4", "(2, 3)"), floats, 4), "version 4.0 is not known");
  expect_refused("a.npy", npy(plain("<f2", "(2, 3)"), floats), "type '<f2' are not read");
  expect_refused("a.npy", npy(plain("|O", "(2, 3)"), floats), "type '|O' are not read");
  expect_refused("a.npy", npy(plain("<f4", "(6,)"), floats), "found (6)");
  expect_refused("a.npy", npy(plain("<f4", "(1, 4)"), floats), "the shape (N, 2), (N, 3), (N, 6)");
  expect_refused("a.npy", npy(plain("<f4", "(0, 3)"), ""), "no points: its shape is (0, 3)");
  expect_refused("a.npy", npy(plain("<f4", "(3, 3)"), floats),
                 "3 points of at least 12 bytes each are promised, but only 24");
  expect_refused("a.npy", npy(plain("<f4", "(-2, 3)"), floats), "a number expected");
  expect_refused("a.npy", npy("{'descr': '<f4', 'shape': (2, 3)}", floats), "lacks");
  expect_refused("a.npy", npy("{'descr': '<f4", floats), "the end of a string expected");
  expect_refused("a.npy", npy("{'colour': 'red'}", floats), "'colour' is not an entry");
  expect_refused("a.npy", npy("{'descr': [('x', '<f4'), ('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", floats),
                 "twice");
  expect_refused("a.npy", npy("{'descr': [('x', '<f4'), ('y', '>f4')], 'fortran_order': False, 'shape': (3,)}", floats),
                 "both byte orders");
  expect_refused("a.npy", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", floats),
                 "no coordinate x");
}

TEST(Npy, RefusesHeadersThatPromiseTooMuch) {
  expect_refused("a.npy", npy(plain("<f4", "(4000000000, 3)"), "few"), "truncated");
  expect_refused("a.npy", npy(plain("<f4", "(4294967296, 4294967296, 3)"), "few"), "truncated");     // 2^64 wraps to 0
  expect_refused("a.npy", npy(plain("<f4", "(6148914691236517206, 3)"), "few bytes"), "truncated");  // × 3 wraps to 2
  expect_refused("a.npy", npy(plain("<f4", "(99999999999999999999, 3)"), "few"), "a number expected");
  std::string lying = npy(plain("<f4", "(2, 3)"), "", 2);
  io::store(&lying[8], std::uint32_t{0xfffffff0});
  expect_refused("a.npy", lying, "truncated: 4294967280 bytes expected for the header");
}

}  // namespace
}  // namespace dovetail::test
