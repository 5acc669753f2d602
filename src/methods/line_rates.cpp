// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/line_rates.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr int most_rounds = 20;              // with new densities
constexpr int steps = 5;                     // of a round
constexpr double headroom = 1.3;             // of an index, for a spread that grows
constexpr std::size_t most_pairs = 4000000;  // a hundred megabytes: points lie about no lines
constexpr double settled = 5e-3;             // a spread that changes by less
/// Half a point on each stretch before any was counted, at the mean rate: no rate comes to zero.
constexpr double before = 0.5;
/// Of the mean rate, where the sample has no point.
constexpr double unseen = 0.05;

/// A point and a segment near it.
struct Pair {
  std::uint32_t stretch;
  double density;  ///< at a rate of 1
  double squared;  ///< of the distance
};

/// The pairs of all points, those of point i from start[i] on.
struct Pairs {
  std::vector<Pair> pair;
  std::vector<std::size_t> start{0};

  Pairs(const LineIndex& index, const LinePoints& points, const Homogeneous<2>& t, double spread) {
    constexpr std::size_t run = 64;
    const std::size_t count = points.positions.size();
    std::vector<std::vector<Pair>> found((count + run - 1) / run);
    std::vector<std::size_t> pairs_of(count);
    parallel_for(found.size(), 1, [&](std::size_t r) {
      for (std::size_t i = r * run; i < std::min(count, (r + 1) * run); ++i) {
        const std::size_t earlier = found[r].size();
        find(index, points.positions[i], t, spread, found[r]);
        pairs_of[i] = found[r].size() - earlier;
      }
    });
    for (const std::size_t n : pairs_of) start.push_back(start.back() + n);
    pair.reserve(start.back());
    for (const auto& some : found) pair.insert(pair.end(), some.begin(), some.end());
  }

 private:
  static void find(const LineIndex& index, const Vector<double, 2>& p, const Homogeneous<2>& t, double spread,
                   std::vector<Pair>& out) {
    const double depth = t(2, 0) * p[0] + t(2, 1) * p[1] + t(2, 2);
    const double enlarged = determinant(t) / (depth * depth * depth);
    if (!(depth > double{chamfer::FloatMap<2, true>::least_depth}) || !(enlarged > 0)) return;
    const Vector<double, 2> moved = image<2>(t, p);
    const float at[2] = {static_cast<float>(moved[0]), static_cast<float>(moved[1])};
    std::uint32_t first, last;
    index.view().near(at, first, last);
    for (std::uint32_t k = first; k < last; ++k) {
      const chamfer::SegmentDensity<double> d(index.segments[k], &moved[0], 1 / spread);
      if (d.value > 0) out.push_back({index.segments[k].stretch, d.value * enlarged, d.squared});
    }
  }
};

/// How many points each stretch has by the rates so far: the expectation.
LineCounts counts_of(const Pairs& pairs, const LinePoints& points, const LineRates& rates) {
  LineCounts counts;
  counts.on_stretch.resize(rates.rate.size());
  const double strays = rates.strays();
  for (std::size_t i = 0; i < points.positions.size(); ++i) {
    const double weight = points.weights.empty() ? 1.0 : points.weights[i];
    double all = strays;
    for (std::size_t k = pairs.start[i]; k < pairs.start[i + 1]; ++k) {
      all += rates.rate[pairs.pair[k].stretch] * pairs.pair[k].density;
    }
    counts.strays += weight * strays / all;
    for (std::size_t k = pairs.start[i]; k < pairs.start[i + 1]; ++k) {
      const Pair& p = pairs.pair[k];
      const double share = weight * rates.rate[p.stretch] * p.density / all;
      counts.on_stretch[p.stretch] += share;
      counts.squared += share * p.squared;
    }
  }
  return counts;
}

/// The length of the stretches that have a rate.
double peopled_length(const std::vector<double>& length, const LineRates& rates) {
  double sum = 0;
  for (std::size_t a = 0; a < length.size(); ++a) sum += rates.rate[a] > 0 ? length[a] : 0.0;
  return sum;
}

/// The rates that make these counts most probable; false where no point belongs to a line. Parts without a rate keep
/// none.
bool maximise(const LineCounts& counts, const std::vector<double>& length, bool with_spread, LineRates& rates) {
  const double on_lines = std::accumulate(counts.on_stretch.begin(), counts.on_stretch.end(), 0.0);
  if (!(on_lines > 0)) return false;
  const double mean = on_lines / peopled_length(length, rates);
  rates.stray_share = (counts.strays + before) / (on_lines + counts.strays + 2 * before);
  double sum = 0;
  for (std::size_t a = 0; a < length.size(); ++a) {
    if (rates.rate[a] > 0) rates.rate[a] = (counts.on_stretch[a] + before) / (length[a] + before / mean);
    sum += rates.rate[a] * length[a];
  }
  for (double& rate : rates.rate) rate *= (1 - rates.stray_share) / sum;
  // Taken to scatter farther, points of other lines and strays would be taken for those of a line, without end.
  if (with_spread) {
    rates.spread = std::clamp(std::sqrt(counts.squared / on_lines), rates.least_spread, rates.most_spread);
  }
  return true;
}

}  // namespace

LineCounts::LineCounts(std::span<const LineCount::Bin> bins, const LineCount::Sums& sums)
    : strays(sums.strays), squared(sums.squared) {
  for (const LineCount::Bin n : bins) on_stretch.push_back(static_cast<double>(n) / double{LineCount::unit});
}

LineRates no_rates_yet(const LineMap& map, double spread, double radius) {
  LineRates rates;
  rates.spread = spread;
  rates.area = 2 * std::numbers::pi * radius * radius;  // of a disc with that radius of gyration
  rates.rate.resize(map.stretches);
  return rates;
}

bool estimate_rates(const LineMap& map, const LinePoints& points, const Homogeneous<2>& target_from_source,
                    double widened, LineRates& rates) {
  const std::vector<double> length = map.stretch_lengths();
  const bool with_spread = !(widened > 1);
  double widest = 0;
  LineIndex index;
  for (int round = 0; round < most_rounds; ++round) {
    const double wide = widened * rates.spread;
    if (wide > widest) {
      widest = headroom * wide;
      index = make_line_index(map, rates.rate, double{chamfer::line_reach} * widest, points.positions.size());
    }
    const Pairs pairs(index, points, target_from_source, wide);
    if (pairs.pair.size() > most_pairs) return false;
    // Lines that no point is near have no rate, and do not count: there may be a whole city of them.
    std::vector<bool> near(map.stretches);
    for (const Pair& p : pairs.pair) near[p.stretch] = true;
    double near_length = 0;
    for (std::size_t a = 0; a < length.size(); ++a) near_length += near[a] ? length[a] : 0.0;
    for (std::size_t a = 0; a < length.size(); ++a) {
      // From the beginning in the first round: a rate that came near zero where the transform was wrong would hardly
      // grow again.
      if (round == 0 || !near[a] || !(rates.rate[a] > 0)) {
        rates.rate[a] = near[a] ? (1 - rates.stray_share) / near_length : 0.0;
      }
    }
    for (int step = 0; step < steps; ++step) {
      if (!maximise(counts_of(pairs, points, rates), length, with_spread, rates)) return false;
    }
    if (std::fabs(widened * rates.spread - wide) < settled * wide) break;
  }
  return !with_spread || rates.spread < rates.most_spread;
}

void give_all_a_rate(const LineMap& map, LineRates& rates) {
  const std::vector<double> length = map.stretch_lengths();
  const double peopled = peopled_length(length, rates);
  if (!(peopled > 0)) return;
  // A stretch that none of the sample's points is near has less than about one of them.
  const double least = (1 - rates.stray_share) / peopled;
  for (std::size_t a = 0; a < length.size(); ++a) {
    if (!(rates.rate[a] > 0)) rates.rate[a] = unseen * least;
  }
}

bool learn_rates(const LineMap& map, const LineCounts& counts, LineRates& rates) {
  for (std::size_t a = 0; a < counts.on_stretch.size(); ++a) {
    if (!(counts.on_stretch[a] > 0)) rates.rate[a] = 0;
  }
  return maximise(counts, map.stretch_lengths(), true, rates) && rates.spread < rates.most_spread;
}

}  // namespace dovetail
