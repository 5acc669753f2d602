// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "io/endian.h"
#include "io/lzf.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

class PcdRoundTrip : public testing::TestWithParam<std::tuple<Encoding, Precision>> {};

TEST_P(PcdRoundTrip, KeepsAllButFaces) {
  const auto [encoding, precision] = GetParam();
  const PointCloud cloud = without_faces(sample_cloud(precision));
  expect_same(cloud, round_trip("a.pcd", cloud, encoding));
  expect_same(without_alpha(cloud), round_trip("a.pcd", without_alpha(cloud), encoding));
}

TEST_P(PcdRoundTrip, SurvivesDamage) {
  const auto [encoding, precision] = GetParam();
  expect_survives_damage("a.pcd", written("a.pcd", sample_cloud(precision), encoding), encoding != Encoding::ascii);
}

INSTANTIATE_TEST_SUITE_P(All, PcdRoundTrip,
                         testing::Combine(testing::Values(Encoding::ascii, Encoding::binary,
                                                          Encoding::binary_compressed),
                                          testing::Values(Precision::float32, Precision::float64)));

TEST(Pcd, ReadsOldAndUnusualHeaders) {
  const PointCloud old = parse("a.pcd",
                               "# made by hand\nVERSION .5\nFIELDS y x z\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n"
                               "1 2 3\nnan nan nan\n");
  ASSERT_EQ(old.size(), 2u);
  EXPECT_EQ(old.positions[0], (Vec3{2, 1, 3}));
  EXPECT_TRUE(std::isnan(old.positions[1][2]));
  EXPECT_EQ(old.precision, Precision::float32);
  EXPECT_FALSE(old.organised());

  const PointCloud padded =
      parse("a.pcd",
            "# .PCD v0.7\r\nVERSION 0.7\r\nFIELDS _ x y z _ hist\r\nSIZE 1 8 8 8 4 2\r\nTYPE U F F F F I\r\n"
            "COUNT 3 1 1 1 1 2\r\nWIDTH 1\r\nHEIGHT 2\r\nVIEWPOINT 1 2 3 0.5 0.5 0.5 0.5\r\nDATA ascii\r\n"
            "0 0 0 1 2 3 0 -7 8\r\n0 0 0 4 5 6 0 9 10\r\n");
  EXPECT_EQ(padded.positions[1], (Vec3{4, 5, 6}));  // as stored: the viewpoint is not applied
  EXPECT_EQ(padded.width, 1u);
  EXPECT_EQ(padded.height, 2u);
  ASSERT_EQ(padded.attributes.size(), 1u);
  EXPECT_EQ(padded.attributes[0].components, 2);
  EXPECT_EQ(std::get<std::vector<std::int16_t>>(padded.attributes[0].values),
            (std::vector<std::int16_t>{-7, 8, 9, 10}));
}

TEST(Pcd, UnpacksColoursOfEveryType) {
  const auto read = [](const std::string& name, const std::string& type, const std::string& value) {
    return parse("a.pcd", "VERSION 0.7\nFIELDS x y z " + name + "\nSIZE 4 4 4 4\nTYPE F F F " + type +
                              "\nWIDTH 1\nDATA ascii\n0 0 0 " + value + "\n");
  };
  using Color = std::array<std::uint8_t, 4>;
  EXPECT_EQ(read("rgb", "U", "16909060").colors.at(0), (Color{2, 3, 4, 255}));         // 0x01020304
  EXPECT_EQ(read("rgba", "U", "4278255360").colors.at(0), (Color{0, 255, 0, 255}));    // 0xff00ff00
  EXPECT_EQ(read("rgba", "I", "-16711936").colors.at(0), (Color{0, 255, 0, 255}));     // the same bits
  EXPECT_EQ(read("rgb", "F", "2.3418052e-38").colors.at(0), (Color{255, 0, 0, 255}));  // the bits 0x00ff0000
  EXPECT_TRUE(read("rgba", "U", "16909060").has_alpha);
  EXPECT_FALSE(read("rgb", "U", "16909060").has_alpha);
  EXPECT_FALSE(read("rgba", "U", "131844").has_alpha);  // alpha 0 throughout was never set
}

TEST(Pcd, ReadsCompressedDataWithAndWithoutPadding) {
  std::string fields(12, '\0');
  for (std::size_t i = 0; i < 3; ++i) io::store(&fields[4 * i], static_cast<float>(i + 1));
  const auto file = [](const std::string& data) {
    const std::string packed = io::lzf_compress(data);
    std::string sizes(8, '\0');
    io::store(sizes.data(), static_cast<std::uint32_t>(packed.size()));
    io::store(sizes.data() + 4, static_cast<std::uint32_t>(data.size()));
    return "VERSION 0.7\nFIELDS x y z _\nSIZE 4 4 4 4\nTYPE F F F F\nWIDTH 1\nDATA binary_compressed\n" + sizes +
           packed;
  };
  EXPECT_EQ(parse("a.pcd", file(fields)).positions.at(0), (Vec3{1, 2, 3}));
  EXPECT_EQ(parse("a.pcd", file(fields + "pad!")).positions.at(0), (Vec3{1, 2, 3}));
  expect_refused("a.pcd", file(fields + "pad"), "said to take 15 bytes");
}

TEST(Pcd, RefusesWithThePlaceAndTheReason) {
  const std::string head = "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n";
  expect_refused("a.pcd", "VERSION 0.9\n", "line 1: only the versions");
  expect_refused("a.pcd", head, "line 4: truncated: the header has no line DATA");
  expect_refused("a.pcd", head + "COUNT 1 1\nWIDTH 1\nDATA ascii\n", "line 7: COUNT has 2 entries for 3 FIELDS");
  expect_refused("a.pcd", head + "COUNT 1 0 1\nWIDTH 1\nDATA ascii\n", "field 'y' has the COUNT 0");
  expect_refused("a.pcd", head + "DATA ascii\n", "neither POINTS nor WIDTH");
  expect_refused("a.pcd", head + "WIDTH 2\nHEIGHT 3\nPOINTS 5\nDATA ascii\n",
                 "POINTS 5 does not fit WIDTH 2 and HEIGHT 3");
  expect_refused("a.pcd", head + "WIDTH 0\nHEIGHT 1\nDATA ascii\n", "no points");
  expect_refused("a.pcd", head + "WIDTH 1\nDATA zip\n", "line 6: DATA 'zip' is not known");
  expect_refused("a.pcd", head + "SPEED 1\n", "line 5: 'SPEED'");
  expect_refused("a.pcd", head + "VIEWPOINT 0 0 0\n", "line 5: VIEWPOINT has 7 numbers");
  expect_refused("a.pcd", "VERSION .7\nFIELDS x y\nSIZE 3 4\nTYPE F F\nWIDTH 1\nDATA ascii\n", "TYPE 'F' and SIZE 3");
  expect_refused("a.pcd", "VERSION .7\nFIELDS x x\nWIDTH 1\nDATA ascii\n1 2\n", "field 'x' is declared twice");
  expect_refused("a.pcd", head + "WIDTH 2\nDATA ascii\n1 2 3\n", "truncated: 2 lines of points expected, 1 found");
  expect_refused("a.pcd", head + "WIDTH 1\nDATA ascii\n1 2\n", "line 7: the value of 'z' is missing");
  expect_refused("a.pcd", head + "WIDTH 1\nDATA ascii\n1 2 3 4\n", "line 7: more values");
  expect_refused("a.pcd", head + "WIDTH 1\nDATA binary\n01234567890", "only 11 bytes follow");
}

TEST(Pcd, RefusesHeadersThatPromiseTooMuch) {
  const std::string head = "VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\n";
  expect_refused("a.pcd", head + "WIDTH 4000000000\nDATA binary\nxxxx", "4000000000 points");
  expect_refused("a.pcd", head + "WIDTH 4000000000\nDATA ascii\n1 2 3\n", "4000000000 lines");
  expect_refused("a.pcd", head + "WIDTH 4000000000\nHEIGHT 4000000000\nDATA binary\n", "2^32");
  expect_refused("a.pcd", head + "COUNT 1 1 2000000000\nWIDTH 1\nDATA ascii\n1 2 3\n", "2 GiB");
  expect_refused("a.pcd", head + "COUNT 1 1 200000000\nWIDTH 1\nDATA ascii\n1 2 3\n", "'z' is missing");
  // 100,000,008 bytes said to be packed into 6.
  std::string sizes(8, '\0');
  io::store(sizes.data(), std::uint32_t{6});
  io::store(sizes.data() + 4, std::uint32_t{100000008});
  expect_refused("a.pcd", head + "WIDTH 4166667\nDATA binary_compressed\n" + sizes + "abcdef",
                 "6 compressed bytes cannot hold");
}

std::string unpacked(const std::string& packed, std::size_t size) {
  std::string bytes(size, '?');
  return io::lzf_decompress(packed, bytes) ? bytes : "refused";
}

TEST(Lzf, UnpacksWhatItPacked) {
  std::mt19937 random(1);
  for (const std::size_t size : {0u, 1u, 2u, 3u, 31u, 32u, 33u, 264u, 265u, 1000u, 100000u}) {
    for (const unsigned letters : {1u, 2u, 7u, 256u}) {
      std::string bytes(size, '\0');
      for (char& c : bytes) c = static_cast<char>(random() % letters);
      const std::string packed = io::lzf_compress(bytes);
      EXPECT_EQ(unpacked(packed, size), bytes) << size << " bytes of " << letters << " letters";
      EXPECT_LE(size, io::lzf_most_unpacked(packed.size()));
      if (letters == 1 && size >= 1000) {
        EXPECT_LT(packed.size(), size / 50);  // it does compress
      }
    }
  }
}

// Written out by hand from the description of the format, so that packing and unpacking cannot share a mistake.
TEST(Lzf, UnpacksAStreamMadeByHand) {
  EXPECT_EQ(unpacked(std::string("\x02"
                                 "abc"
                                 "\x20\x02",
                                 6),
                     6),
            "abcabc");  // 3 bytes from 3 back
  EXPECT_EQ(unpacked(std::string("\x00"
                                 "a"
                                 "\xe0\x00\x00",
                                 5),
                     10),
            "aaaaaaaaaa");  // 9 bytes from 1 back
  EXPECT_EQ(unpacked(std::string("\x00"
                                 "a"
                                 "\xe0\x00\x00",
                                 5),
                     9),
            "refused");  // too long
  EXPECT_EQ(unpacked(std::string("\x00"
                                 "a"
                                 "\xe0\x00\x00",
                                 5),
                     11),
            "refused");  // too short
  EXPECT_EQ(unpacked(std::string("\x00"
                                 "a"
                                 "\x20\x01",
                                 4),
                     4),
            "refused");  // from before the beginning
  EXPECT_EQ(unpacked(std::string("\x05"
                                 "abc",
                                 4),
                     6),
            "refused");  // literals cut off
  EXPECT_EQ(unpacked(std::string("\x00"
                                 "a"
                                 "\xe0\x00",
                                 4),
                     10),
            "refused");  // offset cut off
}

}  // namespace
}  // namespace dovetail::test
