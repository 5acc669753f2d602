// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/morton.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "spatial/bounds.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr std::size_t grain = 1 << 14;

bool before(const CodedPoint& a, const CodedPoint& b) { return a.code != b.code ? a.code < b.code : a.index < b.index; }

/// The bits of a code from `lowest` on, as many as a word has: bits of `low` first, then those of `high`.
std::uint64_t bits_from(const MortonCode& code, int lowest) {
  constexpr int low_bits = 3 * (MortonCode::bits / 2);
  if (lowest >= low_bits) return code.high >> (lowest - low_bits);
  return code.low >> lowest | (lowest > 0 ? code.high << (low_bits - lowest) : 0);
}

/// Where the buckets begin in which the curve's first bits put points; the points go there.
class Buckets {
 public:
  static constexpr int bits = 11;
  static constexpr std::size_t count = std::size_t{1} << bits;

  explicit Buckets(std::vector<CodedPoint>& points) : begin_(count + 1, 0) {
    MortonCode all{0, 0};
    for (const CodedPoint& p : points) all.high |= p.code.high, all.low |= p.code.low;
    constexpr int low_bits = 3 * (MortonCode::bits / 2);
    const int used = all.high != 0 ? low_bits + static_cast<int>(std::bit_width(all.high))
                                   : static_cast<int>(std::bit_width(all.low));
    const int lowest = std::max(0, used - bits);
    const auto bucket = [lowest](const CodedPoint& p) {
      return static_cast<std::size_t>(bits_from(p.code, lowest)) & (count - 1);
    };
    // A row for each run of points: how many of them go where, then where the next of them goes.
    const std::size_t run = std::max(grain, points.size() / 64 + 1), runs = (points.size() + run - 1) / run;
    std::vector<std::uint32_t> place(runs * count, 0);
    parallel_for(runs, 1, [&](std::size_t r) {
      for (std::size_t i = r * run; i < std::min(points.size(), (r + 1) * run); ++i) {
        ++place[r * count + bucket(points[i])];
      }
    });
    std::uint32_t next = 0;
    for (std::size_t b = 0; b < count; ++b) {
      begin_[b] = next;
      for (std::size_t r = 0; r < runs; ++r) next += std::exchange(place[r * count + b], next);
    }
    begin_[count] = next;
    std::vector<CodedPoint> sorted(points.size());
    parallel_for(runs, 1, [&](std::size_t r) {
      for (std::size_t i = r * run; i < std::min(points.size(), (r + 1) * run); ++i) {
        sorted[place[r * count + bucket(points[i])]++] = points[i];
      }
    });
    points.swap(sorted);
  }

  std::size_t begin(std::size_t bucket) const { return begin_[bucket]; }

 private:
  std::vector<std::uint32_t> begin_;
};

}  // namespace

void sort_along_curve(std::vector<CodedPoint>& points) {
  constexpr std::size_t few = 1 << 12;
  if (points.size() < few) return std::sort(points.begin(), points.end(), before);
  const Buckets buckets(points);
  parallel_for(Buckets::count, 8, [&](std::size_t b) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(buckets.begin(b)),
               last = points.begin() + static_cast<std::ptrdiff_t>(buckets.begin(b + 1));
    if (static_cast<std::size_t>(last - first) < grain) return std::sort(first, last, before);
    parallel_sort(first, last, before);
  });
}

std::vector<std::uint32_t> morton_order(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                                        std::span<const std::uint32_t> index) {
  Bounds bounds;
  for (std::size_t i = 0; i < x.size(); ++i) bounds.add({x[i], y[i], z[i]});
  constexpr double last_cell = (std::uint64_t{1} << MortonCode::bits) - 1;
  const double side = bounds.longest_side();
  const double cells_per_length = side > 0 ? last_cell / side : 0;
  const auto cell = [&](float value, int axis) {
    return static_cast<std::uint64_t>(std::clamp((value - bounds.low[axis]) * cells_per_length, 0.0, last_cell));
  };

  std::vector<CodedPoint> coded(x.size());
  std::vector<std::uint32_t> order(x.size());
  parallel_for(x.size(), grain, [&](std::size_t i) {
    const auto position = static_cast<std::uint32_t>(i);
    coded[i] = {morton_code(cell(x[i], 0), cell(y[i], 1), cell(z[i], 2)), index.empty() ? position : index[i],
                position};
  });
  sort_along_curve(coded);
  parallel_for(x.size(), grain, [&](std::size_t i) { order[i] = coded[i].position; });
  return order;
}

}  // namespace dovetail
