// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/palette.h"

#include <algorithm>

namespace dovetail::report {
namespace {

constexpr std::size_t bins = std::size_t{1} << 15;
constexpr std::size_t most_colors = 256;

/// Bins of five bits a channel, of which colours have been seen.
struct Box {
  std::size_t begin = 0, end = 0;  ///< among the bins that are used
  std::uint64_t points = 0;
  int channel = 0, range = 0;  ///< the widest one
};

int channel_of(std::uint32_t bin, int channel) { return static_cast<int>(bin >> (10 - 5 * channel) & 31); }

class Cutter {
 public:
  explicit Cutter(const std::vector<std::uint64_t>& counts) : counts_(counts) {
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      if (counts[bin] > 0) used_.push_back(bin);
    }
    if (!used_.empty()) boxes_.push_back(measured(0, used_.size()));
    while (boxes_.size() < most_colors && cut()) continue;
  }
  const std::vector<Box>& boxes() const { return boxes_; }
  const std::vector<std::uint32_t>& used() const { return used_; }

 private:
  Box measured(std::size_t begin, std::size_t end) const {
    Box box{begin, end, 0, 0, 0};
    for (int channel = 0; channel < 3; ++channel) {
      int low = 31, high = 0;
      for (std::size_t i = begin; i < end; ++i) {
        low = std::min(low, channel_of(used_[i], channel));
        high = std::max(high, channel_of(used_[i], channel));
      }
      if (high - low > box.range) box.range = high - low, box.channel = channel;
    }
    for (std::size_t i = begin; i < end; ++i) box.points += counts_[used_[i]];
    return box;
  }

  /// Cuts the box of most points times width in two halves of as many points; false where none can be cut.
  bool cut() {
    const auto weight = [](const Box& b) { return b.points * static_cast<std::uint64_t>(b.range); };
    const auto widest = std::max_element(boxes_.begin(), boxes_.end(),
                                         [&](const Box& a, const Box& b) { return weight(a) < weight(b); });
    if (widest == boxes_.end() || widest->range == 0) return false;
    const Box box = *widest;
    const auto first = used_.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = used_.begin() + static_cast<std::ptrdiff_t>(box.end);
    std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
      const int of_a = channel_of(a, box.channel), of_b = channel_of(b, box.channel);
      return of_a < of_b || (of_a == of_b && a < b);
    });
    std::size_t middle = box.begin;
    for (std::uint64_t points = 0; middle + 1 < box.end && 2 * points < box.points; ++middle) {
      points += counts_[used_[middle]];
    }
    middle = std::max(middle, box.begin + 1);
    *widest = measured(box.begin, middle);
    boxes_.push_back(measured(middle, box.end));
    return true;
  }

  const std::vector<std::uint64_t>& counts_;
  std::vector<std::uint32_t> used_;
  std::vector<Box> boxes_;
};

}  // namespace

Palette::Palette(const std::vector<Color>& colors) : index_(bins, 0) {
  std::vector<std::uint64_t> counts(bins, 0);
  std::vector<std::array<std::uint64_t, 3>> sums(bins, {0, 0, 0});
  for (const Color& c : colors) {
    const std::size_t bin = bin_of(c);
    ++counts[bin];
    for (std::size_t k = 0; k < 3; ++k) sums[bin][k] += c[k];
  }
  const Cutter cutter(counts);
  for (const Box& box : cutter.boxes()) {
    std::array<std::uint64_t, 3> sum{0, 0, 0};
    for (std::size_t i = box.begin; i < box.end; ++i) {
      const std::uint32_t bin = cutter.used()[i];
      index_[bin] = static_cast<std::uint8_t>(colors_.size());
      for (std::size_t k = 0; k < 3; ++k) sum[k] += sums[bin][k];
    }
    std::array<std::uint8_t, 3> mean{};
    for (std::size_t k = 0; k < 3; ++k) mean[k] = static_cast<std::uint8_t>((sum[k] + box.points / 2) / box.points);
    colors_.push_back(mean);
  }
}

}  // namespace dovetail::report
