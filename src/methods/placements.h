// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "methods/gpicp.h"

// Where GPICP begins when nobody knows where: a point of the source is put onto a point of the target, normal on
// normal, and turned about it. A state is such a pair of points, a hypothesis one turn. Docs: docs/methods/gpicp.md.

namespace dovetail::gpicp {

/// A point and the unit normal of the surface there.
struct OrientedPoint {
  float point[3], normal[3];
};

/// What a point finds in each cell of a grid about the target, 32 bits a cell: how near the surface is to the cell's
/// centre, 1 − d²/reach² in 254 parts, and three signed bytes of its normal. 0: nothing is near, or nobody knows.
struct SurfaceCells {
  FieldGrid grid;
  const std::uint32_t* cells = nullptr;
  bool one_sided = false;  ///< normals tell which way a surface faces: one that faces the other way is another

  static constexpr std::uint32_t free = 0xff000000u;  ///< a cell that a sensor looked through

  static std::uint32_t packed(float nearness, const float* normal) {
    const auto byte = [](float v) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(lroundf(v)) & 0xff); };
    return byte(254 * nearness) << 24 | byte(127 * normal[2]) << 16 | byte(127 * normal[1]) << 8 |
           byte(127 * normal[0]);
  }
  /// What a point with a unit normal says of a cell: how well it agrees, 0 to 1, and whether it could be seen there, 0
  /// or 1. It could not where it is behind what was seen, or faces away.
  struct Answer {
    float agreement, visible;
  };
  DOVETAIL_HD Answer ask(std::uint32_t cell, const float* normal) const {
    const auto signed_byte = [](std::uint32_t bits) {
      return static_cast<float>(static_cast<std::int32_t>(bits << 24) >> 24);
    };
    const float a =
        normal[0] * signed_byte(cell) + normal[1] * signed_byte(cell >> 8) + normal[2] * signed_byte(cell >> 16);
    const bool looked_through = cell == free, counts = (cell != 0) & !looked_through & ((a > 0) | !one_sided);
    const float agreed = static_cast<float>(cell >> 24) * (a * a) * (1.0f / (254.0f * 127.0f * 127.0f));
    return {counts ? agreed : 0.0f, (counts | looked_through) ? 1.0f : 0.0f};
  }
};

/// How good a pose is by its answers, 0 to 1: points that agree, as a share of all and of those that could be seen. (5)
DOVETAIL_HD inline double placement_score(double agreement, double visible, double asked) {
  if (!(agreement > 0)) return 0;
  const double pure = agreement / visible;
  return sqrt(agreement / asked) * pure * pure;
}

/// The cell of a point; null outside of the grid.
DOVETAIL_HD inline const std::uint32_t* cell_at(const SurfaceCells& cells, const float* at) {
  std::uint32_t cell[3];
  for (int a = 0; a < 3; ++a) {
    const float offset = (at[a] - cells.grid.origin[a]) * cells.grid.per_unit;
    if (!(offset >= 0.0f && offset < static_cast<float>(cells.grid.cells[a]))) return nullptr;
    cell[a] = static_cast<std::uint32_t>(offset);
  }
  return cells.cells + cells.grid.index(cell[0], cell[1], cell[2]);
}

struct Placements : MethodDefaults {
  struct Data {
    CloudView source;           ///< points that are asked, in an order of which every beginning is spread over all
    SurfaceCells cells;         ///< of the target
    const OrientedPoint* from;  ///< of the source
    const OrientedPoint* onto;  ///< of the target
  };
  struct Params {
    int dimension = 3;
    int turns = 24;          ///< in the plane there is one
    bool both_sides = true;  ///< nobody knows which way normals point
    std::uint32_t first_points = 24, points = 128;
    double least_score = 0;  ///< after the first pass, to be looked at closer
  };
  struct State {
    std::uint32_t data = 0, from = 0, onto = 0;
    std::uint32_t items = 0;
    int pass = 0;       ///< the first looks at every turn, the second closer at the best
    float turn = 0;     ///< the best so far, in steps
    bool back = false;  ///< the normals are opposed
    double score = 0;   ///< (5)
  };
  static constexpr std::uint32_t closer_looks = 3;  ///< of the second pass: the best turn, and a little to both sides
  struct Sums {
    double agreement, visible, asked;
  };

  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State& s) {
    return s.items < data.source.count ? s.items : data.source.count;
  }
  static std::uint32_t most_items(const Params& p, const Data&) { return p.points; }
  DOVETAIL_HD static std::uint32_t hypotheses(const Params& p, const State& s) {
    return s.pass == 0 ? static_cast<std::uint32_t>(p.both_sides ? 2 * p.turns : p.turns) : closer_looks;
  }
  static std::uint32_t most_hypotheses(const Params& p) {
    const auto turns = static_cast<std::uint32_t>(p.both_sides ? 2 * p.turns : p.turns);
    return turns > closer_looks ? turns : closer_looks;
  }
  DOVETAIL_HD static bool finished(const State& s) { return s.pass > 1; }

  DOVETAIL_HD static State first_state(const Params& p, std::uint32_t data, std::uint32_t from, std::uint32_t onto) {
    State s;
    s.data = data, s.from = from, s.onto = onto;
    s.items = p.first_points;
    return s;
  }

  /// The turn, in steps, and the side of a hypothesis.
  DOVETAIL_HD static float turn_of(const Params& p, const State& s, std::uint32_t hypothesis) {
    if (s.pass > 0) return s.turn + (static_cast<float>(hypothesis) - 1) / 3;
    return static_cast<float>(hypothesis % static_cast<std::uint32_t>(p.turns));
  }
  DOVETAIL_HD static bool back_of(const Params& p, const State& s, std::uint32_t hypothesis) {
    return s.pass > 0 ? s.back : hypothesis >= static_cast<std::uint32_t>(p.turns);
  }

  /// Unit vectors: two along the surface, and its normal.
  DOVETAIL_HD static Mat3 frame_of(const OrientedPoint& at, double side, int dimension) {
    const Vec3 n{side * double{at.normal[0]}, side * double{at.normal[1]}, side * double{at.normal[2]}};
    const Vec3 away = dimension == 2 ? Vec3{0, 0, 1} : fabs(n[0]) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 u = cross(n, away);
    u = (1 / norm(u)) * u;
    const Vec3 v = cross(n, u);
    return {u[0], v[0], n[0], u[1], v[1], n[1], u[2], v[2], n[2]};
  }
  DOVETAIL_HD static Similarity3 pose_of(const Params& p, const OrientedPoint& from, const OrientedPoint& onto,
                                         float turn, bool back) {
    const double angle = double{turn} * 6.283185307179586476925 / p.turns;
    const double c = cos(angle), s = sin(angle);
    const Mat3 about{c, -s, 0, s, c, 0, 0, 0, 1};
    const Mat3 rotation =
        frame_of(onto, back ? -1.0 : 1.0, p.dimension) * about * transpose(frame_of(from, 1.0, p.dimension));
    const Vec3 a{double{from.point[0]}, double{from.point[1]}, double{from.point[2]}};
    const Vec3 b{double{onto.point[0]}, double{onto.point[1]}, double{onto.point[2]}};
    return {rotation, b - rotation * a, 1.0};
  }

  using Context = FloatPose;
  DOVETAIL_HD static Context context_of(const Data& data, const Params& p, const State& s, std::uint32_t hypothesis) {
    return FloatPose(
        pose_of(p, data.from[s.from], data.onto[s.onto], turn_of(p, s, hypothesis), back_of(p, s, hypothesis)));
  }
  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params&, const State&, std::uint32_t, const Context& pose,
                                   std::uint32_t item, const Search&, Sums& sums) {
    const CloudView& source = data.source;
    float at[3], turned[3];
    pose.apply(source.x[item], source.y[item], source.z[item], at);
    sums.asked += 1;
    const std::uint32_t* const cell = cell_at(data.cells, at);
    if (cell == nullptr) return;
    pose.rotate(source.normal.x[item], source.normal.y[item], source.normal.z[item], turned);
    const SurfaceCells::Answer answer = data.cells.ask(*cell, turned);
    sums.agreement += static_cast<double>(answer.agreement);
    sums.visible += static_cast<double>(answer.visible);
  }

  DOVETAIL_HD static double score_of(const Sums& sums) {
    return placement_score(sums.agreement, sums.visible, sums.asked);
  }

  DOVETAIL_HD static void advance(const Params& p, State& s, const Sums* sums, const std::uint32_t*) {
    std::uint32_t best = s.pass > 0 ? 1 : 0;
    for (std::uint32_t h = 0; h < hypotheses(p, s); ++h) {
      if (score_of(sums[h]) > score_of(sums[best])) best = h;
    }
    const float turn = turn_of(p, s, best);
    s.back = back_of(p, s, best);
    s.turn = turn;
    s.score = score_of(sums[best]);
    s.pass += s.pass == 0 && !(s.score > p.least_score) ? 2 : 1;
    s.items = p.points;
  }
};

}  // namespace dovetail::gpicp
