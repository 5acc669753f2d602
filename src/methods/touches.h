// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/transform.h"
#include "methods/method.h"
#include "methods/surface_pair.h"
#include "spatial/neighbours.h"

namespace dovetail {

/// A point of one surface, where a pose puts it, and the other surface near it. Lengths are those of the other's frame.
struct Touch {
  Vec3 place, normal;  ///< the normal is the other surface's, zero where unknown
  double distance;     ///< to the other's nearest point
  double off;          ///< along the normal
  double mutual;     ///< from that point back to the nearest of this surface: small where another sheet of it is there
  double cosine;     ///< between both normals but for their sign, 0 to 1; negative where one is unknown
  double spacing;    ///< of the points here: the wider of the two surfaces'
  double thickness;  ///< likewise
  double lopsided;   ///< how much the nearest point is at the border of its surface (Surroundings)
  double weight;     ///< of the point; 0 where nothing is near

  DOVETAIL_HD bool surface_known() const { return squared_norm(normal) > 0; }
  DOVETAIL_HD double off_surface() const { return surface_known() ? std::fabs(off) : distance; }
};

/// Some points of one surface, spread over all, and how they touch the other: a pass that writes a row for each.
struct Touches : OnePass {
  struct Data {
    SurfaceView from, onto;
    Touch* rows;
    std::uint32_t count;  ///< of them
  };
  struct Params {
    double reach = 0;         ///< local
    NormalSettings settings;  ///< of the surroundings, where nobody has written them
  };
  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Similarity3 onto_from_from = Similarity3::identity();
  };
  struct Sums {
    double found;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.count; }

  template <class Search>
  DOVETAIL_HD static Surroundings surroundings(const SurfaceView& surface, std::uint32_t slot, const Params& params,
                                               const Search& search) {
    if (surface.around != nullptr) return surface.around[slot];
    const TreePoint p = surface.tree.points[slot];
    KNearest<max_normal_neighbours> neighbours(params.settings.neighbours, INFINITY);
    search.offer(surface.tree, p, neighbours);
    return normal_from_neighbours(surface.tree, {p.x, p.y, p.z}, neighbours, params.settings).around;
  }

  template <class Search>
  DOVETAIL_HD static Touch touch(const Data& data, const Params& params, const Similarity3& pose, std::uint32_t from,
                                 const Search& search) {
    Touch touch{};
    const double weight = data.from.weight != nullptr ? double{data.from.weight[data.from.stored_at(from)]} : 1.0;
    const Vec3 y = pose * data.from.point(from);
    const float at[3] = {static_cast<float>(y[0]), static_cast<float>(y[1]), static_cast<float>(y[2])};
    const Neighbour near = search.nearest(data.onto.tree, at, static_cast<float>(params.reach * params.reach));
    if (!near.found() || !(weight > 0)) return touch;
    const Similarity3 back = pose.inverse();
    const Surroundings own = surroundings(data.from, from, params, search);
    const Surroundings other = surroundings(data.onto, near.slot, params, search);
    const Vec3 normal = data.from.normal(from);
    touch.place = y;
    touch.normal = data.onto.normal(near.slot);
    touch.distance = std::sqrt(static_cast<double>(near.squared_distance));
    touch.off = dot(touch.normal, y - data.onto.point(near.slot));
    const bool known = squared_norm(normal) > 0 && squared_norm(touch.normal) > 0;
    touch.cosine = known ? fmin(1.0, std::fabs(dot(pose.rotation * normal, touch.normal))) : -1.0;
    touch.spacing = fmax(pose.scale * double{own.spacing}, double{other.spacing});
    touch.thickness = fmax(pose.scale * double{own.thickness}, double{other.thickness});
    touch.lopsided = double{other.lopsided};
    touch.weight = weight;
    touch.mutual = touch.distance;
    if (touch.distance > 0.5 * touch.spacing) {
      const Vec3 q = back * data.onto.point(near.slot);
      const float there[3] = {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2])};
      const double farthest = 1.001 * touch.distance / pose.scale;
      const Neighbour nearer = search.nearest(data.from.tree, there, static_cast<float>(farthest * farthest));
      if (nearer.found()) touch.mutual = pose.scale * std::sqrt(static_cast<double>(nearer.squared_distance));
    }
    return touch;
  }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params& params, const State& state, std::uint32_t row,
                                   const Search& search, Sums& sums) {
    const std::uint64_t from = std::uint64_t{row} * data.from.tree.count / data.count;
    const Touch t = touch(data, params, state.onto_from_from, static_cast<std::uint32_t>(from), search);
    data.rows[row] = t;
    sums.found += t.weight > 0 ? 1 : 0;
  }
};

}  // namespace dovetail
