// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/random.h"

#include <array>
#include <set>
#include <vector>

#include "support.h"

namespace dovetail {
namespace {

// The three known answers that come with the authors' implementation.
TEST(Philox, KnownAnswers) {
  constexpr std::uint32_t ones = 0xffffffffu;
  EXPECT_EQ(Philox::bijection({{0, 0, 0, 0}}, 0, 0), (Philox::Block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  EXPECT_EQ(Philox::bijection({{ones, ones, ones, ones}}, ones, ones),
            (Philox::Block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(Philox::bijection({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0),
            (Philox::Block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Philox, SeedStreamAndCounterFillKeyAndCounterLowWordFirst) {
  const Philox philox{0x299f31d0a4093822u};
  EXPECT_EQ(philox(0x0370734413198a2eu, 0x85a308d3243f6a88u),
            (Philox::Block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(RandomStream, DrawsTheBlocksInOrderAndCopiesGoOnAlike) {
  RandomStream random(7, 11);
  for (std::uint64_t counter = 0; counter < 3; ++counter) {
    for (std::uint32_t word : Philox{7}(11, counter).word) EXPECT_EQ(random.next(), word);
  }
  random.next();
  RandomStream copy = random;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(copy.next(), random.next());
}

TEST(RandomStream, UniformConversionsReachTheirEndsAndNotOne) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_EQ(uniform_float(0xffffffffu), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(uniform_double(0, 0), 0.0);
  EXPECT_EQ(uniform_double(0xffffffffu, 0xffffffffu), std::nextafter(1.0, 0.0));
  EXPECT_EQ(uniform_double(0x80000000u, 0), 0.5);
}

// Chi-squared over 64 cells of 64,000 draws: mean 63, standard deviation 11.2. The seed is fixed, so this cannot flake;
// 63 +- 5 deviations is what a sound generator does for all but one seed in a million.
TEST(RandomStream, UniformFillsCellsEvenly) {
  RandomStream random(1, 0);
  std::array<int, 64> cells{};
  for (int i = 0; i < 64000; ++i) ++cells[static_cast<std::size_t>(random.uniform() * 64.0)];
  double chi_squared = 0.0;
  for (int count : cells) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_GT(chi_squared, 63.0 - 5 * 11.2);
  EXPECT_LT(chi_squared, 63.0 + 5 * 11.2);
}

TEST(RandomStream, NormalHasTheRightMoments) {
  RandomStream random(2, 0);
  constexpr int n = 100000;
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    sum += x, square += x * x, fourth += x * x * x * x;
  }
  // Five standard errors: 1, sqrt(2) and sqrt(96) over sqrt(n).
  EXPECT_NEAR(sum / n, 0.0, 5 * 0.0032);
  EXPECT_NEAR(square / n, 1.0, 5 * 0.0045);
  EXPECT_NEAR(fourth / n, 3.0, 5 * 0.031);
}

TEST(RandomStream, BelowIsEvenAndInRange) {
  RandomStream random(3, 0);
  // With 3 * 2^30 a plain multiply or modulo would give every third value double weight; rejection makes thirds even.
  constexpr std::uint32_t n = 3u << 30;
  std::array<int, 3> thirds{}, residues{};
  for (int i = 0; i < 30000; ++i) {
    const std::uint32_t x = random.below(n);
    ASSERT_LT(x, n);
    ++thirds[x >> 30];
    ++residues[x % 3];
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(thirds[static_cast<std::size_t>(k)], 10000, 5 * 82);  // sqrt(30000 * 1/3 * 2/3) = 82
    EXPECT_NEAR(residues[static_cast<std::size_t>(k)], 10000, 5 * 82);
  }
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 500; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(RandomStream, UnitVectorsAreUniform) {
  RandomStream random(4, 0);
  constexpr int n = 30000;
  Symmetric<double, 3> second{};
  Vec3 mean{};
  for (int i = 0; i < n; ++i) {
    const Vec3 v = random.unit_vector();
    ASSERT_NEAR(squared_norm(v), 1.0, 4 * test::eps);  // a handful of roundings
    second.add_outer(1.0 / n, v);
    mean += v * (1.0 / n);
  }
  // A coordinate has variance 1/3, its square 4/45, a product 1/15; five standard errors.
  EXPECT_LT(test::largest_entry(mean), 5 * 0.0034);
  EXPECT_LT(test::difference(second.to_matrix(), Mat3::identity() * (1.0 / 3.0)), 5 * 0.0018);
}

TEST(RandomStream, RotationsAreUniform) {
  RandomStream random(5, 0);
  constexpr int n = 20000;
  double below_right_angle = 0;
  Mat3 mean{};
  for (int i = 0; i < n; ++i) {
    const Mat3 r = random.rotation();
    ASSERT_LT(test::rotation_defect(r), 1e-14);
    mean += r * (1.0 / n);
    below_right_angle += rotation_angle(r) < test::pi / 2 ? 1.0 / n : 0.0;
  }
  EXPECT_LT(test::largest_entry(mean), 5 * 0.0041);  // variance 1/3 an entry
  // The angle's density is (1 - cos a) / pi: P(a < pi/2) = 1/2 - 1/pi; binomial error 0.0027.
  EXPECT_NEAR(below_right_angle, 0.5 - 1.0 / test::pi, 5 * 0.0027);
}

}  // namespace
}  // namespace dovetail
