// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support.h"

namespace dovetail {
namespace {

using namespace residual_histogram;
using Counts = std::array<std::uint32_t, bins>;

TEST(ResidualHistogram, EdgesAreWhereTheySay) {
  EXPECT_EQ(lower_edge(0), 0.0f);
  EXPECT_EQ(upper_edge(0), 1.25f * std::ldexp(1.0f, -48));
  EXPECT_EQ(upper_edge(bins - 1), std::ldexp(1.0f, 16));
  EXPECT_EQ(lower_edge(4 * 48), 1.0f);
  for (int b = 0; b < bins; ++b) {
    EXPECT_EQ(bin(std::nextafter(upper_edge(b), 0.0f)), b);
    if (b > 0) {
      EXPECT_EQ(bin(lower_edge(b)), b);
      EXPECT_EQ(lower_edge(b), upper_edge(b - 1));
      EXPECT_LE(upper_edge(b), 1.25f * lower_edge(b));
    }
  }
}

TEST(ResidualHistogram, ClampsWhatLiesOutside) {
  using limits = std::numeric_limits<float>;
  for (float small : {0.0f, -0.0f, -1.0f, -limits::infinity(), limits::denorm_min(), 1e-20f}) EXPECT_EQ(bin(small), 0);
  for (float large : {65536.0f, 1e30f, limits::infinity(), limits::quiet_NaN(), -limits::quiet_NaN()}) {
    EXPECT_EQ(bin(large), bins - 1);
  }
}

TEST(ResidualHistogram, QuantileIsWithinItsBinOfTheExactOne) {
  RandomStream random(1, 0);
  for (int n : {1, 2, 3, 10, 1000, 20011}) {
    std::vector<float> values;
    Counts counts{};
    for (int i = 0; i < n; ++i) {
      values.push_back(static_cast<float>(std::exp(4.0 * random.normal() - 6.0)));
      ++counts[static_cast<std::size_t>(bin(values.back()))];
    }
    std::sort(values.begin(), values.end());
    for (double fraction : {0.0, 0.01, 0.25, 0.5, 0.7, 0.999, 1.0}) {
      const double rank = std::clamp(std::ceil(fraction * n), 1.0, static_cast<double>(n));
      const float exact = values[static_cast<std::size_t>(rank) - 1];
      const int b = bin(exact);
      EXPECT_EQ(find(counts.data(), fraction).bin, b) << n << ' ' << fraction;
      EXPECT_GT(quantile(counts.data(), fraction), lower_edge(b));
      EXPECT_LE(quantile(counts.data(), fraction), upper_edge(b));
    }
  }
}

TEST(ResidualHistogram, InterpolatesByCount) {
  Counts counts{};
  counts[4 * 48] = 4;  // [1, 1.25)
  EXPECT_EQ(quantile(counts.data(), 0.5), 1.125f);
  EXPECT_EQ(quantile(counts.data(), 1.0), 1.25f);
  EXPECT_EQ(quantile(counts.data(), 2.0), 1.25f);
  EXPECT_EQ(quantile(counts.data(), -1.0), 1.0625f);  // the first of four
}

TEST(ResidualHistogram, EmptyGivesZero) {
  const Counts counts{};
  EXPECT_EQ(find(counts.data(), 0.5).bin, -1);
  EXPECT_EQ(quantile(counts.data(), 0.5), 0.0f);
}

TEST(ResidualHistogram, CountsPastThirtyTwoBitsInTotal) {
  Counts counts{};
  counts[100] = 0xffffffffu;
  counts[200] = 0xffffffffu;
  EXPECT_EQ(find(counts.data(), 0.5).bin, 100);
  EXPECT_EQ(find(counts.data(), 0.75).bin, 200);
}

}  // namespace
}  // namespace dovetail
