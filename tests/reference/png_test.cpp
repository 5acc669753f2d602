// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "dovetail/error.h"
#include "io/allocation_watch.h"
#include "support/messages.h"
#include "support/png_writer.h"

namespace dovetail::test {
namespace {

std::vector<Vec3> points_of(const PngImage& image, const ReferenceOptions& options = {}) {
  const Reference reference = io::read_png("a.png", png_bytes(image), options);
  EXPECT_EQ(reference.points.dimension, 2);
  EXPECT_FALSE(reference.frame);
  return reference.points.positions;
}

PngImage image_of(int color, int depth, std::uint32_t width, std::uint32_t height) {
  PngImage image;
  image.width = width;
  image.height = height;
  image.color = color;
  image.depth = depth;
  return image;
}

TEST(Png, GivesColumnAndRowOfSetPixels) {
  const PngImage image = grey_image(3, 2, {0, 200, 0, 128, 127, 255});
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {2, 1, 0}}));
  ReferenceOptions options;
  options.dark = true;
  EXPECT_EQ(points_of(image, options), (std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}}));
  options.dark = false;
  options.threshold = 201;
  EXPECT_EQ(points_of(image, options), (std::vector<Vec3>{{2, 1, 0}}));
}

TEST(Png, ReadsEveryDepth) {
  for (const int depth : {1, 2, 4, 8, 16}) {
    for (const bool interlaced : {false, true}) {
      const auto most = static_cast<std::uint16_t>((1u << depth) - 1);
      PngImage image = grey_image(19, 11, {}, depth);
      image.interlaced = interlaced;
      std::vector<Vec3> expected;
      for (std::uint32_t y = 0; y < image.height; ++y) {
        for (std::uint32_t x = 0; x < image.width; ++x) {
          RandomStream random(static_cast<std::uint64_t>(depth), y * image.width + x);
          const auto value = static_cast<std::uint16_t>(random.below(most + 1u));
          image.samples.push_back(value);
          if (value * 255.0 >= 128.0 * most) expected.push_back({double(x), double(y), 0});
        }
      }
      EXPECT_EQ(points_of(image), expected) << depth << " bits, interlaced " << interlaced;
    }
  }
}

TEST(Png, ReadsTinyInterlacedImages) {
  for (std::uint32_t width = 1; width <= 9; ++width) {
    for (std::uint32_t height = 1; height <= 9; ++height) {
      PngImage image = grey_image(width, height, std::vector<std::uint16_t>(width * height, 255));
      image.interlaced = true;
      const std::vector<Vec3> points = points_of(image);
      ASSERT_EQ(points.size(), width * height);
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(points[i], (Vec3{static_cast<double>(i % width), static_cast<double>(i / width), 0}));
      }
    }
  }
}

TEST(Png, GoesByLuminance) {
  PngImage image = image_of(PNG_COLOR_TYPE_RGB, 8, 5, 1);
  // Green alone is bright; red and blue together are not: 0.7152 and 0.2848 of 255.
  image.samples = {0, 255, 0, 255, 0, 255, 255, 255, 255, 128, 128, 128, 127, 127, 127};
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
  image.depth = 16;
  for (std::uint16_t& sample : image.samples) sample = static_cast<std::uint16_t>(sample * 257);
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
}

TEST(Png, LeavesOutWhatIsTransparent) {
  PngImage image = image_of(PNG_COLOR_TYPE_GRAY_ALPHA, 8, 3, 1);
  image.samples = {255, 0, 255, 1, 0, 255};
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{1, 0, 0}}));
  ReferenceOptions dark;
  dark.dark = true;
  EXPECT_EQ(points_of(image, dark), (std::vector<Vec3>{{2, 0, 0}}));
  PngImage color = image_of(PNG_COLOR_TYPE_RGB_ALPHA, 16, 2, 1);
  color.samples = {65535, 65535, 65535, 0, 65535, 65535, 65535, 1};
  EXPECT_EQ(points_of(color), (std::vector<Vec3>{{1, 0, 0}}));
}

TEST(Png, ReadsPalettes) {
  PngImage image = image_of(PNG_COLOR_TYPE_PALETTE, 2, 4, 1);
  image.palette = {{0, 0, 0}, {255, 255, 255}, {250, 250, 250}, {10, 10, 10}};
  image.samples = {0, 1, 2, 3};
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{1, 0, 0}, {2, 0, 0}}));
  image.palette_alpha = {255, 0};
  EXPECT_EQ(points_of(image), (std::vector<Vec3>{{2, 0, 0}}));
}

TEST(Png, IsWholeOrRefused) {
  for (const bool interlaced : {false, true}) {
    PngImage image = grey_image(20, 20, std::vector<std::uint16_t>(400, 255));
    for (std::size_t i = 0; i < 400; i += 3) image.samples[i] = static_cast<std::uint16_t>(i % 256);
    image.interlaced = interlaced;
    const std::string bytes = png_bytes(image);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string refusal = message_of<FileError>([&] { io::read_png("a.png", bytes.substr(0, size), {}); });
      EXPECT_TRUE(mentions(refusal, "a.png: byte ")) << size << ": " << refusal;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
      try {
        EXPECT_LE(io::read_png("a.png", damaged, {}).points.size(), 400u);
      } catch (const FileError&) {
      }
    }
  }
}

TEST(Png, IsNotBelievedAboutItsSize) {
  // A true image of another size than its header says: the checksum of the header is made to fit.
  for (const std::uint32_t side : {60000u, 900000u, 4000000u, 0x7fffffffu}) {
    std::string bytes = png_bytes(grey_image(4, 4, std::vector<std::uint16_t>(16, 255)));
    for (std::size_t i = 0; i < 8; ++i) bytes[16 + i] = static_cast<char>(side >> (24 - 8 * (i % 4)));
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = 12; i < 29; ++i) {
      crc ^= static_cast<std::uint8_t>(bytes[i]);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) bytes[29 + i] = static_cast<char>(~crc >> (24 - 8 * i));
    const AllocationWatch watch;
    const std::string refusal = message_of<FileError>([&] { io::read_png("a.png", bytes, {}); });
    EXPECT_TRUE(mentions(refusal, "a.png: byte ") && !mentions(refusal, "CRC")) << refusal;
    EXPECT_LT(AllocationWatch::largest(), 100000u) << side;
  }
}

TEST(Png, SaysWhenNoPixelIsSet) {
  const std::string black = png_bytes(grey_image(4, 4, std::vector<std::uint16_t>(16, 100)));
  ReferenceOptions options;
  options.threshold = 101;
  EXPECT_TRUE(mentions(message_of<FileError>([&] { io::read_png("a.png", black, options); }), "threshold 101"));
  options.threshold = 100;
  EXPECT_EQ(io::read_png("a.png", black, options).points.size(), 16u);
  options.dark = true;
  EXPECT_TRUE(mentions(message_of<FileError>([&] { io::read_png("a.png", black, options); }), "darker"));
}

}  // namespace
}  // namespace dovetail::test
