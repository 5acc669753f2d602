// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "methods/method.h"
#include "spatial/laid_image.h"

// Where a part is, roughly: each of its references is shifted over what is about a place of the scene until the two
// agree. A state is one reference at one place, with a simplex over (x, y, z); a hypothesis is one of the shifts that
// it tries at once; an item is a pixel of the reference. Docs: docs/methods/rough_pose.md; (1) to (6) are its
// equations.

namespace dovetail::rough {

struct Data {
  WindowView window;
  ReferencesView part;
};

/// How errors are made of what pixels say (3), and how the simplex moves.
struct Params {
  double range = 0;                 ///< of pixels that agree, per mean difference of depths: 64ths of a pixel
  double cover = 0;                 ///< of the same, per mean difference of distances to edges: eighths of a pixel
  double hidden = 0;                ///< of a pixel before which the scene has something
  double impossible = 0;            ///< of one through which the scene was seen
  double unknown = 0;               ///< of one where nothing was measured
  bool agreed_alone = false;        ///< range and cover count whole however little agrees, as in the paper's (5)
  std::int32_t tolerance = 0;       ///< depths that differ by no more agree; 64ths of a pixel
  std::int32_t reach = 0;           ///< distances to edges are not more different than this; eighths of a pixel
  std::int32_t step = 0;            ///< size of the first simplex, 64ths of a pixel
  std::uint32_t seed_groups = 16;   ///< groups of pixels that decide between seeds
  std::uint32_t groups = 1u << 24;  ///< that the simplex looks at, at most
  double spread = 0.05;             ///< of a simplex's errors, relative to their mean, at which it has converged
  int iterations = 30;              ///< at most
};

/// What a state's next pass is about.
enum class Phase : std::int32_t { seeds, corners, moves, shrunk, done };

inline constexpr std::uint32_t no_seed = 0xffffffffu;

/// A reference at a place. `corner` is the simplex, from the seed it began at, its best first once errors are known.
struct State {
  std::uint32_t data = 0, reference = 0;
  Phase phase = Phase::corners;
  Status status = Status::running;
  std::uint32_t groups = 0;                            ///< that the next pass looks at, at most
  std::uint32_t next = 0, seeds = 0, seeds_apart = 1;  ///< the seed that is tried next, where they end
  std::uint32_t seed = no_seed;                        ///< the best of them
  std::int32_t iterations = 0;
  LaidShift corner[4]{};
  double error[4]{};
};

/// Of the weights of a reference's pixels, the sum of those that ...; all numbers are whole.
struct Sums {
  double agreed;      ///< have the scene where they are
  double hidden;      ///< have it before them
  double impossible;  ///< have it behind them
  double unknown;     ///< have no measured scene
  double range;       ///< agree, times how far depths are off
  double pixels;      ///< number of those that agree
  double cover;       ///< sum over them of how far distances to edges are off
};

/// What pixels say together, 0 where all agree. (3)
DOVETAIL_HD inline double error_of(const Params& p, const Sums& s) {
  const double all = s.agreed + s.hidden + s.impossible + s.unknown;
  if (!(all > 0)) return 1e300;
  const double fit = s.agreed > 0 ? p.range * s.range / s.agreed + p.cover * s.cover / s.pixels : 0.0;
  const double share = p.agreed_alone ? 1.0 : s.agreed / all;
  return share * fit + (p.hidden * s.hidden + p.impossible * s.impossible + p.unknown * s.unknown) / all;
}

/// To the nearest whole number.
DOVETAIL_HD inline std::int32_t divided(std::int32_t a, std::int32_t by) {
  return a >= 0 ? (a + by / 2) / by : -((-a + by / 2) / by);
}
DOVETAIL_HD inline LaidShift operator+(const LaidShift& a, const LaidShift& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
DOVETAIL_HD inline LaidShift operator-(const LaidShift& a, const LaidShift& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
DOVETAIL_HD inline LaidShift operator*(std::int32_t f, const LaidShift& a) { return {f * a.x, f * a.y, f * a.z}; }
DOVETAIL_HD inline LaidShift divided(const LaidShift& a, std::int32_t by) {
  return {divided(a.x, by), divided(a.y, by), divided(a.z, by)};
}

/// How a simplex's worst corner, the last, may go on: it is reflected at the middle c of the others, goes twice as far,
/// half as far, or half the way to c. (4)
enum Move : std::uint32_t { reflection, expansion, outside, inside };
DOVETAIL_HD inline LaidShift tried(const LaidShift (&corner)[4], std::uint32_t move) {
  const LaidShift others = corner[0] + corner[1] + corner[2];
  switch (move) {
    case reflection:
      return divided(2 * others, 3) - corner[3];
    case expansion:
      return others - 2 * corner[3];
    case outside:
      return divided(others - corner[3], 2);
    default:
      return divided(others + 3 * corner[3], 6);
  }
}

/// What one pixel of a reference says where a pixel of the window lies on it. (1), (2)
struct Answer {
  std::uint32_t agreed, hidden, impossible, unknown, range, pixels, cover;
};
DOVETAIL_HD inline Answer ask(const Params& p, LaidPixel of, LaidPixel on, std::int32_t z) {
  const std::int32_t off = on.depth - of.depth - z, apart = on.distance - of.distance;
  const auto size = static_cast<std::uint32_t>(off < 0 ? -off : off);
  const auto cover = static_cast<std::int32_t>(apart < 0 ? -apart : apart);
  const std::uint32_t weight = of.weight, known = on.weight != 0 ? weight : 0;
  const bool agrees = known != 0 && off >= -p.tolerance && off <= p.tolerance;
  return {agrees ? weight : 0,
          off < -p.tolerance ? known : 0,
          off > p.tolerance ? known : 0,
          weight - known,
          agrees ? weight * size : 0,
          agrees ? 1u : 0u,
          agrees ? static_cast<std::uint32_t>(cover < p.reach ? cover : p.reach) : 0};
}

struct RoughPose : MethodDefaults {
  using Data = rough::Data;
  using Params = rough::Params;
  using State = rough::State;
  using Sums = rough::Sums;

  static constexpr Always<4> most_hypotheses(const Params&) { return {}; }
  DOVETAIL_HD static std::uint32_t hypotheses(const Params&, const State& s) {
    return s.phase == Phase::shrunk ? 3 : 4;
  }
  DOVETAIL_HD static bool finished(const State& s) { return s.phase == Phase::done; }
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State& s) {
    const std::uint32_t groups = data.part.references[s.reference].groups;
    return group_pixels * (s.groups < groups ? s.groups : groups);
  }
  static std::uint32_t most_items(const Params&, const Data& data) { return group_pixels * data.part.most_groups; }

  /// A state that begins at the best of the reference's seeds number `first`, first + apart, ...; where there are none
  /// it begins with the reference's middle on the place.
  static State first_state(const Params& p, std::uint32_t data, std::uint32_t reference, const LaidReference& in,
                           std::uint32_t first = 0, std::uint32_t apart = 1) {
    State s;
    s.data = data, s.reference = reference;
    s.next = first, s.seeds = in.seeds, s.seeds_apart = apart;
    s.error[0] = 1e300;
    s.phase = Phase::seeds;
    s.groups = p.seed_groups;
    if (first >= in.seeds) begin_simplex(p, s);
    return s;
  }

  /// Where a corner of the simplex is, or the state's best shift.
  DOVETAIL_HD static LaidShift shift_of(const ReferencesView& part, const State& s, const LaidShift& corner) {
    if (s.seed == no_seed) return corner;
    return part.seeds[part.references[s.reference].first_seed + s.seed] + corner;
  }
  /// The shift that a hypothesis tries.
  DOVETAIL_HD static LaidShift shift_of(const ReferencesView& part, const State& s, std::uint32_t hypothesis) {
    if (s.phase == Phase::seeds) {
      const std::uint32_t seed = s.next + hypothesis * s.seeds_apart;
      return part.seeds[part.references[s.reference].first_seed + (seed < s.seeds ? seed : s.next)];
    }
    if (s.phase == Phase::corners) return shift_of(part, s, s.corner[hypothesis]);
    if (s.phase == Phase::shrunk) return shift_of(part, s, s.corner[hypothesis + 1]);
    return shift_of(part, s, tried(s.corner, hypothesis));
  }

  /// A shift as pixels are looked up: whole pixels along x and y, no farther than the window reaches.
  struct Context {
    std::int32_t column, row;  ///< in the window, of the reference's first pixel
    std::int32_t z;
  };
  DOVETAIL_HD static Context context_of(const Data& data, const Params&, const State& s, std::uint32_t hypothesis) {
    const LaidShift shift = shift_of(data.part, s, hypothesis);
    const std::int32_t most = data.window.size - data.part.size;
    const auto place = [most](std::int32_t steps) {
      const std::int32_t at = most / 2 + divided(steps, depth_steps);
      return at < 0 ? 0 : at > most ? most : at;
    };
    return {place(shift.x), place(shift.y), shift.z};
  }

  DOVETAIL_HD static void advance(const Params& p, State& s, const Sums* sums, const std::uint32_t*) {
    double error[4];
    for (std::uint32_t h = 0; h < hypotheses(p, s); ++h) error[h] = error_of(p, sums[h]);
    switch (s.phase) {
      case Phase::seeds:
        return choose_seed(p, s, error);
      case Phase::corners:
        for (int i = 0; i < 4; ++i) s.error[i] = error[i];
        break;
      case Phase::shrunk:
        for (int i = 0; i < 3; ++i) s.error[i + 1] = error[i];
        ++s.iterations;
        break;
      default:
        if (!move(s, error)) return;
        ++s.iterations;
    }
    sort_corners(s);
    conclude(p, s);
  }

 private:
  DOVETAIL_HD static void begin_simplex(const Params& p, State& s) {
    s.phase = Phase::corners;
    s.groups = p.groups;
    for (LaidShift& c : s.corner) c = {0, 0, 0};
    s.corner[1].x = s.corner[2].y = s.corner[3].z = p.step;
  }

  DOVETAIL_HD static void choose_seed(const Params& p, State& s, const double* error) {
    for (std::uint32_t h = 0; h < 4 && s.next < s.seeds; ++h, s.next += s.seeds_apart) {
      if (error[h] < s.error[0]) s.error[0] = error[h], s.seed = s.next;
    }
    if (s.next >= s.seeds) begin_simplex(p, s);
  }

  /// Where the worst corner goes. (5) False where all have to come nearer to the best: those are to be looked at.
  DOVETAIL_HD static bool move(State& s, const double* error) {
    std::uint32_t to = reflection;
    if (error[reflection] < s.error[0]) {
      to = error[expansion] < error[reflection] ? expansion : reflection;
    } else if (!(error[reflection] < s.error[2])) {
      to = error[reflection] < s.error[3] ? outside : inside;
      const double limit = to == outside ? error[reflection] : s.error[3];
      if (!(error[to] < limit)) {
        for (int i = 1; i < 4; ++i) s.corner[i] = divided(s.corner[0] + s.corner[i], 2);
        s.phase = Phase::shrunk;
        return false;
      }
    }
    s.corner[3] = tried(s.corner, to);
    s.error[3] = error[to];
    return true;
  }

  /// The best first; of equal ones that which was before.
  DOVETAIL_HD static void sort_corners(State& s) {
    for (int i = 1; i < 4; ++i) {
      const LaidShift corner = s.corner[i];
      const double error = s.error[i];
      int at = i;
      for (; at > 0 && error < s.error[at - 1]; --at) {
        s.corner[at] = s.corner[at - 1];
        s.error[at] = s.error[at - 1];
      }
      s.corner[at] = corner;
      s.error[at] = error;
    }
  }

  /// Whether that was all. (6)
  DOVETAIL_HD static void conclude(const Params& p, State& s) {
    s.phase = Phase::moves;
    if (2 * (s.error[3] - s.error[0]) <= p.spread * (s.error[3] + s.error[0])) {
      s.status = Status::converged;
    } else if (s.iterations >= p.iterations) {
      s.status = Status::max_iterations;
    } else {
      return;
    }
    s.phase = Phase::done;
  }
};

}  // namespace dovetail::rough
