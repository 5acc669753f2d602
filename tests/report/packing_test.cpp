// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "report/base64.h"

namespace dovetail::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint32_t> numbers_below(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

TEST(Base64, is_that_of_the_standard) {  // RFC 4648, section 10
  const auto encoded = [](std::string_view bytes) {
    std::string text;
    append_base64(text, bytes);
    return text;
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfd"), "//79");
}

TEST(FairShares, give_small_clouds_all_and_the_rest_to_the_large) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(fair_shares(Sizes{100, 1000}, 400), (Sizes{100, 300}));
  EXPECT_EQ(fair_shares(Sizes{1000, 100}, 400), (Sizes{300, 100}));
  EXPECT_EQ(fair_shares(Sizes{1000, 1000}, 400), (Sizes{200, 200}));
  EXPECT_EQ(fair_shares(Sizes{10, 20}, 400), (Sizes{10, 20}));
  EXPECT_EQ(fair_shares(Sizes{0, 500}, 400), (Sizes{0, 400}));
  EXPECT_EQ(fair_shares(Sizes{5, 5}, 1), (Sizes{0, 1}));
  EXPECT_EQ(fair_shares(Sizes{}, 400), Sizes{});
}

TEST(Shuffled, is_a_permutation_of_which_any_beginning_is_a_fair_sample) {
  constexpr std::uint32_t count = 100'000;
  const std::vector<std::uint32_t> all = shuffled(numbers_below(count), count, 1);
  std::vector<std::uint32_t> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, numbers_below(count));
  // Of the first thousand as many lie in each tenth as chance allows: 100, give or take five deviations of 9.5.
  std::vector<int> tenths(10, 0);
  for (std::size_t i = 0; i < 1000; ++i) ++tenths[all[i] / (count / 10)];
  for (const int hits : tenths) EXPECT_NEAR(hits, 100, 48);
}

TEST(Shuffled, takes_as_many_as_asked_for_and_the_same_ones_every_time) {
  const std::vector<std::uint32_t> some = shuffled(numbers_below(1000), 10, 3);
  EXPECT_EQ(some.size(), 10u);
  EXPECT_EQ(some, shuffled(numbers_below(1000), 10, 3));
  EXPECT_NE(some, shuffled(numbers_below(1000), 10, 4));
  EXPECT_EQ(shuffled(numbers_below(5), 10, 0).size(), 5u);
  EXPECT_TRUE(shuffled({}, 10, 0).empty());
}

TEST(ResidualByte, tells_small_ones_apart_and_ends_at_the_clip) {
  EXPECT_EQ(residual_byte(0, 4), 0);
  EXPECT_EQ(residual_byte(1, 4), 127);
  EXPECT_EQ(residual_byte(4, 4), 254);
  EXPECT_EQ(residual_byte(1e9, 4), 254);
  EXPECT_EQ(residual_byte(nan, 4), no_residual);
  EXPECT_EQ(residual_byte(1, 0), no_residual);
}

TEST(Quantiser, keeps_a_point_within_half_a_step_of_its_box) {
  Bounds box;
  box.add({500'000, 5'400'000, -3});
  box.add({500'100, 5'400'050, -3});
  const Quantiser quantise(box);
  for (const double share : {0.0, 0.1, 0.33333, 0.5, 0.999, 1.0}) {
    const Vec3 p{500'000 + 100 * share, 5'400'000 + 50 * share, -3};
    for (int axis = 0; axis < 3; ++axis) {
      const double back = quantise.low()[axis] + quantise.size()[axis] * quantise(p[axis], axis) / 65535;
      EXPECT_NEAR(back, p[axis], 0.5 * quantise.size()[axis] / 65535 + 1e-9);
    }
  }
  EXPECT_EQ(quantise(-7, 2), 0) << "a box without depth";
  EXPECT_EQ(quantise(1e9, 0), 65535) << "beyond the box";
}

TEST(AppendPoint, is_eight_bytes_little_endian) {
  Bounds box;
  box.add({0, 0, 0});
  box.add({65535, 65535, 65535});
  std::string bytes;
  append_point(bytes, Quantiser(box), {1, 256, 0x1234}, 7, 9);
  EXPECT_EQ(bytes, std::string("\x01\x00\x00\x01\x34\x12\x07\x09", 8));
  bytes += 'x';
  align(bytes);
  EXPECT_EQ(bytes.size(), 16u);
}

}  // namespace
}  // namespace dovetail::report
