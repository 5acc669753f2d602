// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/palette.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/random.h"

namespace dovetail::report {
namespace {

int farthest(const Palette& palette, const Palette::Color& color) {
  const auto& shown = palette.colors()[palette.index_of(color)];
  int most = 0;
  for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(int{shown[k]} - int{color[k]}));
  return most;
}

TEST(Palette, of_few_colours_has_them_all) {
  const std::vector<Palette::Color> colors = {{255, 0, 0, 255}, {0, 0, 0, 255}, {12, 200, 90, 255}, {255, 0, 0, 255}};
  const Palette palette(colors);
  EXPECT_EQ(palette.colors().size(), 3u);
  for (const auto& color : colors) EXPECT_EQ(farthest(palette, color), 0);
}

TEST(Palette, of_many_colours_has_256_that_are_near) {
  RandomStream random(1, 0);
  std::vector<Palette::Color> colors;
  for (int i = 0; i < 20'000; ++i) {  // a scan's: two colours, each in light and shadow
    const auto light = static_cast<int>(random.below(200));
    const auto noise = [&] { return static_cast<int>(random.below(16)); };
    const bool red = random.next() % 2 == 0;
    colors.push_back({static_cast<std::uint8_t>(light + noise() + (red ? 40 : 0)),
                      static_cast<std::uint8_t>(light + noise()), static_cast<std::uint8_t>(light + noise()), 255});
  }
  const Palette palette(colors);
  EXPECT_EQ(palette.colors().size(), 256u);
  for (const auto& color : colors) EXPECT_LE(farthest(palette, color), 24);  // three bins of eight
}

TEST(Palette, of_nothing_is_empty) { EXPECT_TRUE(Palette({}).colors().empty()); }

}  // namespace
}  // namespace dovetail::report
