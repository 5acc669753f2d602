// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/shared_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spatial/morton.h"

namespace dovetail {

namespace {

constexpr int finest = 6;  // cells of a 64th of the points' width, and then twice as large each time
constexpr std::size_t least_neighbourhoods = 30;  // fewer tell nothing of chance
constexpr double significant = 5;                 // deviations of what independent points come to

/// The points along a curve through the cells, of which coarser ones hold runs.
struct Ordered {
  std::uint64_t cell;
  std::uint32_t point;
};

std::vector<Ordered> along_curve(const std::vector<Vec3>& places) {
  Vec3 low = places.front(), high = low;
  for (const Vec3& p : places) {
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  const double width = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  std::vector<Ordered> order;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    std::uint64_t at[3];
    for (int a = 0; a < 3; ++a) {
      const double cells = std::ldexp(1.0, finest);
      at[a] = width > 0 ? static_cast<std::uint64_t>(std::min((places[i][a] - low[a]) / width * cells, cells - 1)) : 0;
    }
    order.push_back({morton_code(at[0], at[1], at[2]).low, i});
  }
  std::sort(order.begin(), order.end(),
            [](const Ordered& a, const Ordered& b) { return a.cell != b.cell ? a.cell < b.cell : a.point < b.point; });
  return order;
}

}  // namespace

double shared_error(const SharedErrors& some, double each) {
  const std::size_t count = some.place.size();
  if (count < 2 * least_neighbourhoods) return 1;
  const std::vector<Ordered> order = along_curve(some.place);
  double alone = 0;
  for (const Vec3& m : some.miss) alone += squared_norm(m);
  if (!(alone > 0)) return 1;
  const double variance = alone / static_cast<double>(count);
  double most = 1;
  for (int coarser = 0; coarser < finest; ++coarser) {
    // Of points that err on their own, the products of misses of different ones add up to about zero.
    double products = -alone, pairs = 0;
    std::size_t neighbourhoods = 0;
    for (std::size_t i = 0; i < count;) {
      Vec3 sum{};
      double size = 0;
      const std::uint64_t cell = order[i].cell >> (3 * coarser);
      for (; i < count && order[i].cell >> (3 * coarser) == cell; ++i) sum += some.miss[order[i].point], size += 1;
      products += squared_norm(sum);
      pairs += size * (size - 1);
      ++neighbourhoods;
    }
    if (neighbourhoods < least_neighbourhoods) break;
    if (products < significant * std::sqrt(2 * pairs) * variance) continue;
    most = std::max(most, 1 + std::max(each, 1.0) * products / alone);  // a pair of these stands for each² pairs
  }
  return most;
}

}  // namespace dovetail
