// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_LANES_H
#undef DOVETAIL_CPU_LANES_H
#else
#define DOVETAIL_CPU_LANES_H
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes of every pass over the data, whatever the vector width: wider or narrower registers change how many
/// instructions a group takes, never which numbers are added to which.
inline constexpr std::size_t lane_count = 8;

using FloatTag = hn::CappedTag<float, lane_count>;
using FloatVector = hn::Vec<FloatTag>;

/// Eight floats as one number, in as many registers as the instruction set needs.
struct Lanes {
  static constexpr std::size_t parts = lane_count / hn::MaxLanes(FloatTag());
  FloatVector part[parts];

  HWY_INLINE Lanes() = default;
  HWY_INLINE explicit Lanes(float value) {
    for (auto& p : part) p = hn::Set(FloatTag(), value);
  }
  HWY_INLINE static Lanes load(const float* from) {
    Lanes l;
    for (std::size_t i = 0; i < parts; ++i) l.part[i] = hn::Load(FloatTag(), from + i * hn::Lanes(FloatTag()));
    return l;
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::Store(part[i], FloatTag(), to + i * hn::Lanes(FloatTag()));
  }
};

/// The outcome of a comparison, lane by lane.
struct LaneMask {
  hn::Mask<FloatTag> part[Lanes::parts];
};

#define DOVETAIL_LANES_OPERATOR(op, function)                                                      \
  HWY_INLINE Lanes operator op(const Lanes& a, const Lanes& b) {                                   \
    Lanes r;                                                                                       \
    for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::function(a.part[i], b.part[i]); \
    return r;                                                                                      \
  }
DOVETAIL_LANES_OPERATOR(+, Add)
DOVETAIL_LANES_OPERATOR(-, Sub)
DOVETAIL_LANES_OPERATOR(*, Mul)
DOVETAIL_LANES_OPERATOR(/, Div)
#undef DOVETAIL_LANES_OPERATOR

HWY_INLINE LaneMask operator<(const Lanes& a, const Lanes& b) {
  LaneMask m;
  for (std::size_t i = 0; i < Lanes::parts; ++i) m.part[i] = hn::Lt(a.part[i], b.part[i]);
  return m;
}
HWY_INLINE LaneMask operator>(const Lanes& a, const Lanes& b) { return b < a; }

/// Whether it holds in any lane.
HWY_INLINE bool any(const LaneMask& condition) {
  bool found = false;
  for (std::size_t i = 0; i < Lanes::parts; ++i) found = found || !hn::AllFalse(FloatTag(), condition.part[i]);
  return found;
}

HWY_INLINE Lanes choose(const LaneMask& condition, const Lanes& yes, const Lanes& no) {
  Lanes r;
  for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::IfThenElse(condition.part[i], yes.part[i], no.part[i]);
  return r;
}
HWY_INLINE Lanes absolute(const Lanes& a) {
  Lanes r;
  for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::Abs(a.part[i]);
  return r;
}
HWY_INLINE Lanes square_root(const Lanes& a) {
  Lanes r;
  for (std::size_t i = 0; i < Lanes::parts; ++i) r.part[i] = hn::Sqrt(a.part[i]);
  return r;
}

/// Eight running sums in double, one a lane.
struct DoubleLanes {
  using Tag = hn::CappedTag<double, lane_count>;
  static constexpr std::size_t parts = lane_count / hn::MaxLanes(Tag());
  hn::Vec<Tag> part[parts];

  HWY_INLINE DoubleLanes() {
    for (auto& p : part) p = hn::Zero(Tag());
  }
  HWY_INLINE void add(const Lanes& value) {
    HWY_ALIGN float buffer[lane_count];
    value.store(buffer);
    const hn::Rebind<float, Tag> narrow;
    for (std::size_t i = 0; i < parts; ++i) {
      part[i] = hn::Add(part[i], hn::PromoteTo(Tag(), hn::Load(narrow, buffer + i * hn::Lanes(Tag()))));
    }
  }
  /// The lanes added by a tree: (0 + 4) + (2 + 6), (1 + 5) + (3 + 7).
  HWY_INLINE double total() const {
    HWY_ALIGN double lane[lane_count];
    for (std::size_t i = 0; i < parts; ++i) hn::Store(part[i], Tag(), lane + i * hn::Lanes(Tag()));
    for (std::size_t stride = lane_count / 2; stride > 0; stride /= 2) {
      for (std::size_t i = 0; i < stride; ++i) lane[i] += lane[i + stride];
    }
    return lane[0];
  }
};

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
