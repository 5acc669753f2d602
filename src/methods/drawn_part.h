// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/raster.h"
#include "dovetail/models.h"
#include "methods/method.h"
#include "spatial/scene_view.h"
#include "spatial/triangle_mesh.h"

// Parts drawn at poses, held against the image pixel by pixel. A state is one pose of one part; an item is a pixel of
// the region it is drawn in. One pass asks what the image says of each pixel; another, of poses that are worth it,
// counts what speaks for and against the part being there. Equation numbers: docs/methods/fine_pose.md.

namespace dovetail::drawn {

struct Data {
  SceneView scene;
  TriangleMeshView mesh;           ///< of the part
  const Vec3f* surface = nullptr;  ///< points all over it, in the mesh's frame
  std::uint32_t surface_count = 0;
  const raster::Pixel* pixels = nullptr;  ///< as drawn, labels the numbers of triangles
  std::uint8_t* agrees = nullptr;         ///< of each of these pixels: 1 where it is explained
  std::uint32_t most_items = 0;           ///< of any region, and the surface's points
};

/// Pixels that the part would have in the image, of them those of which the image says so; and the squares of how far
/// the explained ones are off.
struct Seen {
  double pixels, explained, hidden, impossible, unknown, squares;
};

/// What is counted for the evidence; docs/pose_find.md tells what becomes of it.
struct Told {
  double outline, continued;  ///< of the part's outline, where it is explained
  double steps, met;          ///< where it is so much nearer than what is beyond that the image shows it
  double unmeasured;          ///< of the outline
  double border, seamless;    ///< of what is explained
  double inner, crossed, told, askew, beneath, cosines;
  double sunk;  ///< points of the surface beyond floor or wall
};

struct Sums {
  Seen seen;
  Told told;
};

/// What a state's pass is about; `told` reads what `seen` has written.
enum class Phase : std::int32_t { seen, told, done };

struct State {
  std::uint32_t data = 0;
  Phase phase = Phase::seen;
  raster::Region region;
  Rigid3 camera_from_mesh = Rigid3::identity();
  double tolerance = 0;  ///< what may be noise, along the surface's normal
  Seen seen{};
  Told told{};
};

/// The part's plane at a pixel.
struct Plane {
  Vec3f normal;  ///< towards the camera; zero where the triangle has no area
  float cosine;  ///< of the angle to the line of sight, 0 to 1
};
DOVETAIL_HD inline Plane plane_at(const TriangleMeshView& mesh, const Rigid3& camera_from_mesh, raster::Pixel pixel,
                                  const Vec3& direction) {
  const auto* const corner = reinterpret_cast<const std::uint32_t*>(mesh.triangles + raster::label_of(pixel));
  const Vec3 a = mesh.points[corner[0]].cast<double>(), b = mesh.points[corner[1]].cast<double>(),
             c = mesh.points[corner[2]].cast<double>();
  const Vec3 normal = camera_from_mesh.rotation * cross(b - a, c - a);
  const double size = norm(normal);
  if (!(size > 0)) return {};
  const double slope = dot(normal, direction);
  return {((slope > 0 ? -1 : 1) / size * normal).cast<float>(),
          static_cast<float>(fabs(slope) / (size * norm(direction)))};
}

struct DrawnPart : MethodDefaults {
  using Data = drawn::Data;
  struct Params {};
  using State = drawn::State;
  using Sums = drawn::Sums;

  DOVETAIL_HD static bool finished(const State& s) { return s.phase == Phase::done; }
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t pixels_of(const State& s) {
    return s.region.width > 0 && s.region.height > 0 ? static_cast<std::uint32_t>(s.region.width * s.region.height) : 0;
  }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State& s) {
    return pixels_of(s) + (s.phase == Phase::told ? data.surface_count : 0);
  }
  static std::uint32_t most_items(const Params&, const Data& data) { return data.most_items; }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params&, const State& s, std::uint32_t item, const Search&,
                                   Sums& sums) {
    const std::uint32_t pixels = pixels_of(s);
    if (item >= pixels) return add_surface(data, s, item - pixels, sums.told);
    if (data.pixels[s.region.begin + item] == raster::nothing) {
      if (s.phase == Phase::seen) data.agrees[s.region.begin + item] = 0;
      return;
    }
    const auto width = static_cast<std::uint32_t>(s.region.width);
    const Pixel p{s.region.left + static_cast<int>(item % width), s.region.top + static_cast<int>(item / width),
                  s.region.begin + item};
    if (s.phase == Phase::seen) {
      data.agrees[p.at] = add_seen(data, s, p, sums.seen) ? 1 : 0;
    } else {
      add_told(data, s, p, sums.told);
    }
  }

  DOVETAIL_HD static void advance(const Params&, State& s, const Sums* sums, const std::uint32_t*) {
    s.phase == Phase::told ? void(s.told = sums->told) : void(s.seen = sums->seen);
    s.phase = Phase::done;
  }

 private:
  struct Pixel {
    int x, y;
    std::uint64_t at;  ///< in the arrays of drawn pixels
  };
  struct Beside {
    int x, y;
  };
  DOVETAIL_HD static Beside beside(int k) { return {k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0}; }

  DOVETAIL_HD static bool in_region(const State& s, int x, int y) {
    const raster::Region& r = s.region;
    return x >= r.left && y >= r.top && x < r.left + r.width && y < r.top + r.height;
  }
  /// 0 where the part is not seen.
  DOVETAIL_HD static float drawn_depth(const Data& data, const State& s, int x, int y) {
    return in_region(s, x, y) ? raster::depth_of(data.pixels[s.region.at(x, y)]) : 0.0f;
  }
  DOVETAIL_HD static float measured(const Data& data, int x, int y) {
    return data.scene.pixels[data.scene.at(x, y)].depth;
  }

  /// Whether the part ends at a pixel, or is nearer there than beside it by more than `step`. What lies outside of the
  /// region says nothing.
  DOVETAIL_HD static bool is_edge(const Data& data, const State& s, const Pixel& p, double step) {
    const float here = raster::depth_of(data.pixels[p.at]);
    if (here == 0) return false;
    for (int k = 0; k < 4; ++k) {
      const int x = p.x + beside(k).x, y = p.y + beside(k).y;
      if (!in_region(s, x, y)) continue;
      const float there = raster::depth_of(data.pixels[s.region.at(x, y)]);
      if (there == 0 || static_cast<double>(there - here) > step) return true;
    }
    return false;
  }

  /// (6): whether the pixel is explained.
  DOVETAIL_HD static bool add_seen(const Data& data, const State& s, const Pixel& p, Seen& seen) {
    const raster::Pixel pixel = data.pixels[p.at];
    seen.pixels += 1;
    const double there = static_cast<double>(measured(data, p.x, p.y));
    if (there == 0) {
      seen.unknown += 1;
      return false;
    }
    const double behind = there - static_cast<double>(raster::depth_of(pixel));
    // Where the surface is slanted, a shift of a pixel changes the depth by much.
    if (fabs(behind) <= 4 * s.tolerance) {
      const Plane plane = plane_at(data.mesh, s.camera_from_mesh, pixel, data.scene.direction(p.x, p.y));
      const double off = fabs(behind) * static_cast<double>(plane.cosine);
      if (off <= s.tolerance) {
        seen.explained += 1;
        seen.squares += off * off;
        return true;
      }
    }
    if (behind < 0) {
      seen.hidden += 1;
    } else if (is_edge(data, s, p, 2 * s.tolerance)) {
      seen.unknown += 1;  // the outermost pixel may as well be what is behind
    } else {
      seen.impossible += 1;
    }
    return false;
  }

  DOVETAIL_HD static void add_told(const Data& data, const State& s, const Pixel& p, Told& told) {
    const bool edge = is_edge(data, s, p, 2 * s.tolerance);
    if (!data.agrees[p.at]) {
      told.unmeasured += edge && measured(data, p.x, p.y) == 0 ? 1 : 0;
      return;
    }
    const Plane plane = plane_at(data.mesh, s.camera_from_mesh, data.pixels[p.at], data.scene.direction(p.x, p.y));
    add_border(data, s, p, plane, told);
    edge ? add_outline(data, s, p, told) : add_inner(data, p, plane, told);
    constexpr double surely = 1.25;  // of what is an edge in the image: noise does not hide it
    if (!is_edge(data, s, p, surely * data.scene.edge_step)) return;
    told.steps += 1;
    told.met += fabsf(data.scene.edge_distance[data.scene.at(p.x, p.y)]) <= 2 ? 1 : 0;
  }

  /// Where what is explained ends at what is said to be hidden.
  DOVETAIL_HD static void add_border(const Data& data, const State& s, const Pixel& p, const Plane& plane, Told& told) {
    const float tolerance = static_cast<float>(s.tolerance);
    const float own = raster::depth_of(data.pixels[p.at]), here = measured(data, p.x, p.y);
    for (int k = 0; k < 4; ++k) {
      const int u = p.x + beside(k).x, v = p.y + beside(k).y;
      if (in_region(s, u, v) && data.agrees[s.region.at(u, v)]) continue;
      if (!data.scene.contains(u, v)) continue;
      told.border += 1;
      const float rendered = drawn_depth(data, s, u, v), there = measured(data, u, v);
      if (rendered == 0 || there == 0 || there > rendered) continue;
      // Where the part itself steps back, into a bore say, what goes on at the same level is not before it.
      const float step = rendered - own, level = slope_to(data, p, u, v, plane, own) + tolerance;
      const float slope = level < step ? level : step;
      told.seamless += here + slope - there < 1.5f * tolerance ? 1 : 0;
    }
  }

  /// How much farther away the part's plane at a pixel is at the one beside it.
  DOVETAIL_HD static float slope_to(const Data& data, const Pixel& p, int u, int v, const Plane& plane, float depth) {
    const Vec3 normal = plane.normal.cast<double>();
    const double here = dot(normal, data.scene.direction(p.x, p.y)), there = dot(normal, data.scene.direction(u, v));
    // Along the line of sight a plane says nothing.
    return here * there > 0 ? static_cast<float>(static_cast<double>(depth) * (here / there - 1)) : 3e38f;
  }

  DOVETAIL_HD static void add_outline(const Data& data, const State& s, const Pixel& p, Told& told) {
    told.outline += 1;
    const float tolerance = static_cast<float>(s.tolerance);
    const float here = measured(data, p.x, p.y), rendered = raster::depth_of(data.pixels[p.at]);
    bool goes_on = false;
    constexpr int reach = 3;  // pixels: an outline may be off by one, and the median smears it by another
    for (int k = 0; k < 4; ++k) {
      const int u = p.x + reach * beside(k).x, v = p.y + reach * beside(k).y;
      const float beyond = drawn_depth(data, s, u, v);
      if (!data.scene.contains(u, v) || (beyond != 0 && beyond - rendered <= 4 * tolerance)) continue;
      const float there = measured(data, u, v);
      goes_on = goes_on || (there != 0 && fabsf(there - here) <= 2 * tolerance);
    }
    told.continued += goes_on ? 1 : 0;
  }

  DOVETAIL_HD static void add_inner(const Data& data, const Pixel& p, const Plane& plane, Told& told) {
    const std::size_t at = data.scene.at(p.x, p.y);
    told.inner += 1;
    told.beneath += data.scene.background[at];
    told.crossed += data.scene.edge_distance[at] == 0 ? 1 : 0;
    const float* const n = data.scene.pixels[at].normal;
    if (n[2] == 0) return;
    const auto cosine = static_cast<double>(n[0] * plane.normal[0] + n[1] * plane.normal[1] + n[2] * plane.normal[2]);
    told.told += 1;
    told.cosines += cosine > 0 ? cosine : 0;
    constexpr double within = 0.866;  // 30 degrees
    told.askew += cosine < within ? 1 : 0;
  }

  /// Whether a point of the part's surface is beyond floor or wall.
  DOVETAIL_HD static void add_surface(const Data& data, const State& s, std::uint32_t point, Told& told) {
    const Vec3 p = s.camera_from_mesh * data.surface[point].cast<double>();
    if (!(p[2] > 0)) return;
    const SceneView& scene = data.scene;
    const double x = floor(scene.fx * p[0] / p[2] + scene.cx + 0.5), y = floor(scene.fy * p[1] / p[2] + scene.cy + 0.5);
    if (!(x >= 0 && y >= 0 && x < scene.width && y < scene.height)) return;
    const std::uint8_t number = scene.limit[scene.at(static_cast<int>(x), static_cast<int>(y))];
    if (number == 0) return;
    const ScenePlane& plane = scene.planes[number - 1];
    told.sunk += dot(plane.normal, p) - plane.height < -2 * s.tolerance ? 1 : 0;
  }
};

}  // namespace dovetail::drawn
