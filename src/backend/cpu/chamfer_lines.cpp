// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/chamfer_lines.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/lanes.h"
#include "hwy/contrib/math/math-inl.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

using chamfer::LookSettings;
#include "methods/chamfer_terms.inl"

HWY_INLINE Lanes exponential(const Lanes& x) {
  Lanes r;
  for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::Exp(FloatTag(), x.part[i]);
  return r;
}
HWY_INLINE Lanes log_of_one_plus(const Lanes& x) {
  Lanes r;
  for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::Log1p(FloatTag(), x.part[i]);
  return r;
}

/// erf(x / sqrt 2), given exp(-x^2/2), to 1.5e-7 (Abramowitz and Stegun 7.1.26).
HWY_INLINE Lanes error_function(const Lanes& x, const Lanes& bell) {
  const Lanes one(1.0f), t = one / (one + Lanes(0.3275911f * 0.70710678f) * absolute(x));
  const Lanes tail =
      ((((Lanes(1.061405429f) * t - Lanes(1.453152027f)) * t + Lanes(1.421413741f)) * t - Lanes(0.284496736f)) * t +
       Lanes(0.254829592f)) *
      t * bell;
  const Lanes size = one - tail;
  return choose(x < Lanes(0.0f), Lanes(0.0f) - size, size);
}

/// Points of a group, moved, with what the segments near them add up to.
struct LineGroup {
  static constexpr std::size_t count = 4 * lane_count;
  HWY_ALIGN float moved[2][count];
  HWY_ALIGN float enlarged[count], weight[count];
  HWY_ALIGN float density[count], slope[2][count], squared[count];
};

/// Points and segments within reach of each other, collected until many can be worked out side by side.
class LinePairs {
 public:
  /// One that was worked out.
  struct Pair {
    std::uint32_t point, stretch;
    float density, squared;  ///< the latter times the former
  };

  LinePairs(const chamfer::LineSettings& settings, LineGroup& group, std::vector<Pair>* kept = nullptr)
      : settings_(settings), group_(group), kept_(kept) {}

  HWY_INLINE void add(std::size_t point, const PeopledSegment& s) {
    const float dx = group_.moved[0][point] - s.x, dy = group_.moved[1][point] - s.y, reach = chamfer::line_reach;
    const float along = (dx * s.along_x + dy * s.along_y) * settings_.per_spread;
    const float across = (dy * s.along_x - dx * s.along_y) * settings_.per_spread;
    const float left = s.length * settings_.per_spread - along;
    if (!(across < reach && across > -reach && along > -reach && left > -reach)) return;
    along_[size_] = along;
    across_[size_] = across;
    left_[size_] = left;
    rate_[size_] = s.rate;
    unit_[0][size_] = s.along_x;
    unit_[1][size_] = s.along_y;
    point_[size_] = static_cast<std::uint32_t>(point);
    stretch_[size_] = s.stretch;
    if (++size_ == capacity) flush();
  }

  /// Works out the densities, as chamfer::SegmentDensity, and adds each to its point's.
  void flush() {
    for (std::size_t i = size_; i < hwy::RoundUpTo(size_, lane_count); ++i) {
      along_[i] = across_[i] = left_[i] = rate_[i] = unit_[0][i] = unit_[1][i] = 0;
    }
    const Lanes half(-0.5f), root(0.39894228f), per_spread(settings_.per_spread);
    const Lanes spread_squared(1.0f / (settings_.per_spread * settings_.per_spread));
    for (std::size_t i = 0; i < size_; i += lane_count) {
      const Lanes along = Lanes::load(along_ + i), across = Lanes::load(across_ + i), left = Lanes::load(left_ + i);
      const Lanes squared = across * across, first = exponential(half * along * along);
      const Lanes last = exponential(half * left * left);
      const Lanes peak = Lanes::load(rate_ + i) * root * per_spread, height = exponential(half * squared);
      const Lanes bell = peak * (height - Lanes(chamfer::bell_at_reach));
      const Lanes inside = Lanes(0.5f) * (error_function(along, first) + error_function(left, last));
      const Lanes value = bell * inside, by_along = bell * root * (first - last) * per_spread;
      const Lanes by_across = Lanes(0.0f) - across * per_spread * peak * height * inside;
      const Lanes ux = Lanes::load(unit_[0] + i), uy = Lanes::load(unit_[1] + i);
      value.store(value_ + i);
      (by_along * ux - by_across * uy).store(slope_[0] + i);
      (by_along * uy + by_across * ux).store(slope_[1] + i);
      (value * squared * spread_squared).store(squared_ + i);
    }
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint32_t p = point_[i];
      group_.density[p] += value_[i];
      group_.slope[0][p] += slope_[0][i];
      group_.slope[1][p] += slope_[1][i];
      group_.squared[p] += squared_[i];
      if (kept_ != nullptr) kept_->push_back({p, stretch_[i], value_[i], squared_[i]});
    }
    size_ = 0;
  }

 private:
  static constexpr std::size_t capacity = 256;
  const chamfer::LineSettings& settings_;
  LineGroup& group_;
  std::vector<Pair>* kept_;  ///< null: nobody asks for them
  std::size_t size_ = 0;
  HWY_ALIGN float along_[capacity], across_[capacity], left_[capacity], rate_[capacity], unit_[2][capacity];
  HWY_ALIGN float value_[capacity], slope_[2][capacity], squared_[capacity];
  std::uint32_t point_[capacity], stretch_[capacity];
};

/// Fills a group with the points from `first` on, and pairs them with what is near.
template <bool Projective>
HWY_INLINE void gather(const chamfer::LineData& data, const chamfer::FloatMap<2, Projective>& map,
                       const chamfer::LineSettings& settings, std::uint32_t first, std::uint32_t count,
                       LineGroup& group, LinePairs& pairs) {
  group = {};
  for (std::uint32_t k = 0; k < count; ++k) {
    const float point[2] = {data.points.x[first + k], data.points.y[first + k]};
    const float weight = chamfer::weight_of(data.points, first + k);
    if (!chamfer::is_there<2>(point, weight)) continue;
    group.weight[k] = weight;
    float moved[2];
    if (!map.apply(point, moved)) continue;
    const float w = map.depth(point);
    group.enlarged[k] = settings.volume / (w * w * w);
    for (int a = 0; a < 2; ++a) group.moved[a][k] = moved[a];
    std::uint32_t from, to;
    data.lines.near(moved, from, to);
    for (; from < to; ++from) pairs.add(k, data.lines.segments[from]);
  }
  pairs.flush();
}

/// What the densities say of eight points: as look_along_lines() does of one.
HWY_INLINE LineLook<Lanes> judged(const LineGroup& group, const chamfer::LineSettings& settings, std::size_t i) {
  const Lanes zero(0.0f), one(1.0f), strays(settings.strays), found = Lanes::load(group.density + i);
  const LaneMask there = found > Lanes(chamfer::least_density);
  const Lanes density = choose(there, found, one), enlarged = choose(there, Lanes::load(group.enlarged + i), zero);
  const Lanes all = density * enlarged + strays;
  LineLook<Lanes> look;
  for (int a = 0; a < 2; ++a) {
    look.moved[a] = choose(there, Lanes::load(group.moved[a] + i), zero);
    look.pull[a] = zero - Lanes::load(group.slope[a] + i) * enlarged / all;
  }
  look.cost = zero - log_of_one_plus(density * enlarged / strays);
  look.share = density * enlarged / all;
  look.squared = Lanes::load(group.squared + i) / density;
  look.weight = Lanes::load(group.weight + i);
  return look;
}

template <class M>
void line_block(const Block<M>& b) {
  constexpr int width = doubles_in<typename M::Sums>;
  const chamfer::FloatMap<2, M::projective> map(chamfer::looked_at<M>(b.state));
  const chamfer::LineSettings settings = M::settings(b.params, b.state);
  LineGroup group;
  LinePairs pairs(settings, group);
  DoubleLanes totals[width];
  for (std::uint32_t i = b.first; i < b.last; i += LineGroup::count) {
    gather(b.data, map, settings, i, std::min<std::uint32_t>(LineGroup::count, b.last - i), group, pairs);
    Lanes part[width];
    for (Lanes& p : part) p = Lanes(0.0f);
    for (std::size_t g = 0; g < LineGroup::count; g += lane_count) {
      line_terms<typename M::Typed>(judged(group, settings, g), settings,
                                    [&](int k, const Lanes& value) HWY_ATTR { part[k] = part[k] + value; });
    }
    for (int k = 0; k < width; ++k) totals[k].add(part[k]);
  }
  for (int k = 0; k < width; ++k) as_doubles(b.sums)[k] = totals[k].total();
}

/// As LineCount::share_out() does it for one point.
void count_block(const Block<LineCount>& b) {
  const LineCount::Map map(b.state.target_from_source);
  const chamfer::LineSettings settings = LineCount::settings(b.params, b.state);
  const auto unit = static_cast<float>(b.params.weight_unit);
  LineGroup group;
  std::vector<LinePairs::Pair> kept;
  LinePairs pairs(settings, group, &kept);
  for (std::uint32_t i = b.first; i < b.last; i += LineGroup::count) {
    kept.clear();
    gather(b.data, map, settings, i, std::min<std::uint32_t>(LineGroup::count, b.last - i), group, pairs);
    float each[LineGroup::count];
    for (std::size_t k = 0; k < LineGroup::count; ++k) {
      const bool found = group.density[k] > chamfer::least_density;
      each[k] = found ? group.weight[k] * unit / (group.density[k] * group.enlarged[k] + settings.strays) : 0.0f;
      b.sums.strays += double{found ? each[k] * settings.strays : group.weight[k] * unit};
      each[k] *= group.enlarged[k];
    }
    for (const LinePairs::Pair& p : kept) {
      b.bins[p.stretch] += LineCount::whole(each[p.point] * p.density);
      b.sums.squared += double{each[p.point] * p.squared};
    }
  }
}

template <class... M>
BlockPasses<List<M..., LineCount>> passes(List<M...>) {
  return {line_block<M>..., count_block};
}
using LinePasses = BlockPasses<Joined<LineMethods, List<LineCount>>>;
LinePasses line_blocks() { return passes(LineMethods{}); }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(line_blocks);

namespace {
auto line_passes() { return HWY_DYNAMIC_DISPATCH(line_blocks)(); }
}  // namespace

void CpuBackend::add_chamfer_lines() { add_passes<line_passes>(Joined<LineMethods, List<LineCount>>{}); }

}  // namespace dovetail
#endif
