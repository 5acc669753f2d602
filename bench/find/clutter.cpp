// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "dovetail/error.h"
#include "find/sets.h"
#include "find/table_scene.h"
#include "scenes/draw.h"
#include "scenes/resting.h"

// Three to six parts that stand close together on a table, each at most once, seen by one camera.

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi, table_side = 900;
constexpr double least_share = 0.3, most_share = 0.7;
constexpr std::size_t least_points = 300;

/// Lies as it comes to rest or, one time in four, any way round.
Rigid3 on_table(const Part& part, RandomStream& random) {
  return chance(0.75, random) ? resting_on_table(part.outermost_points, random)
                              : touching_table(part.outermost_points, random);
}

Standing moved(Standing standing, const Vec3& shift) {
  standing.table_from_part.translation += shift;
  return standing;
}

/// Pushed over the table towards one of those that stand there until it touches something, and back a little, or not.
Standing pushed_up_to(const std::vector<Standing>& others, Standing part, RandomStream& random) {
  const Vec3 goal = others[random.below(static_cast<std::uint32_t>(others.size()))].table_from_part.translation;
  const double angle = random.uniform(-pi, pi);
  const Vec3 away = {std::cos(angle), std::sin(angle), 0};
  part.table_from_part.translation[0] = goal[0], part.table_from_part.translation[1] = goal[1];
  double free = 350, hit = 0;
  while (free > 3 && !hits_any(moved(part, (free - 3) * away), others)) free -= 3;
  hit = free - 3;
  while (free - hit > 0.02) {
    const double middle = 0.5 * (free + hit);
    (hits_any(moved(part, middle * away), others) ? hit : free) = middle;
  }
  const double gap = chance(0.5, random) ? 0 : random.uniform(0, 25);
  const Standing apart = moved(part, (free + gap) * away);
  return hits_any(apart, others) ? moved(part, free * away) : apart;
}

/// The numbers of three to six different parts, `first` among them.
std::vector<std::size_t> some_parts(std::size_t all, std::size_t first, RandomStream& random) {
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::swap(order[0], order[first]);
  for (std::size_t i = 1; i < all; ++i) {
    std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(all - i))]);
  }
  order.resize(3 + random.below(4));
  return order;
}

/// Looks down at the parts, most often at the first over one of the others.
Camera any_camera(const std::vector<Standing>& standing, RandomStream& random) {
  Camera camera;
  for (const Standing& s : standing)
    camera.at += (1.0 / static_cast<double>(standing.size())) * s.table_from_part.translation;
  camera.field_of_view = 30;  // a pixel is about as wide as a hundredth of a part
  camera.elevation = random.uniform(30, 60), camera.azimuth = random.uniform(-pi, pi);
  const std::size_t over = 1 + random.below(static_cast<std::uint32_t>(standing.size()) - 1);
  const Vec3& there = standing[over].table_from_part.translation;
  if (chance(0.8, random)) camera.azimuth = std::atan2(there[1], there[0]) + random.uniform(-0.6, 0.6);
  camera.noise = 0.002 * part_diameter;
  camera.seed = random.next();
  return camera;
}

/// Between three and seven tenths of what the part would show alone.
bool half_hidden(const Placed& placed, double slack = 0) {
  return placed.visible_share >= least_share - slack && placed.visible_share <= most_share + slack;
}

/// A scene in which parts[asked], the first placed, is half hidden.
Case scene_with(const std::vector<const Part*>& parts, std::size_t asked, RandomStream& random) {
  constexpr int arrangements = 200, cameras = 6;
  for (int attempt = 0; attempt < arrangements; ++attempt) {
    std::vector<Standing> standing;
    for (const std::size_t i : some_parts(parts.size(), asked, random)) {
      const Standing next = {parts[i], on_table(*parts[i], random)};
      standing.push_back(standing.empty() ? next : pushed_up_to(standing, next, random));
    }
    for (int k = 0; k < cameras; ++k) {
      const Camera camera = any_camera(standing, random);
      Camera coarse = camera;
      coarse.width = 80, coarse.height = 60;
      if (!half_hidden(seen_by(coarse, standing, table_side).placed[0], 0.1)) continue;
      Case c = seen_by(camera, standing, table_side);
      if (half_hidden(c.placed[0]) && c.placed[0].points >= least_points) return c;
    }
  }
  throw InvalidArgument("clutter: no scene hides enough of " + parts[asked]->sought.name);
}

/// Within a twentieth of the diameter at every point, up to symmetry.
constexpr Limits right_pose = {0, 0, 0.05};

std::vector<const Part*> pointers(const std::vector<Part>& parts) {
  std::vector<const Part*> result;
  for (const Part& part : parts) result.push_back(&part);
  return result;
}

Case present(const std::vector<Part>& parts, std::uint64_t stream, std::uint64_t index, std::uint64_t seed) {
  RandomStream random(seed * 8 + stream, index);
  const auto asked = static_cast<std::size_t>(index % parts.size());  // each as often as every other
  Case c = scene_with(pointers(parts), asked, random);
  c.objects = {parts[asked].sought};
  c.placed[0].object = 0, c.placed[0].asked = true;
  c.limits = right_pose;
  return c;
}

/// The mirror image of a part that is there. No part of the CAD set differs from its own by more than its thread does,
/// so the part it mirrors is always a built-in one.
Case mirrored_is_absent(const std::vector<Part>& parts, std::uint64_t turn, RandomStream& random) {
  std::vector<const Part*> chiral;
  for (const Part& part : parts_built_in()) {
    if (part.chiral) chiral.push_back(&part);
  }
  const Part& original = *chiral[static_cast<std::size_t>(turn % chiral.size())];
  std::vector<const Part*> all = {&original};
  for (const Part& part : parts) {
    if (&part != &original) all.push_back(&part);
  }
  Case c = scene_with(all, 0, random);
  c.objects = {mirrored(original.sought)};
  return c;
}

/// A part that is not there.
Case other_is_absent(const std::vector<Part>& parts, std::uint64_t turn, RandomStream& random) {
  Case c = scene_with(pointers(parts), static_cast<std::size_t>(turn % parts.size()), random);
  std::vector<const Part*> others;
  for (const Part& part : parts) {
    const bool there =
        std::any_of(c.placed.begin(), c.placed.end(), [&](const Placed& p) { return p.name == part.sought.name; });
    if (!there) others.push_back(&part);
  }
  c.objects = {others[random.below(static_cast<std::uint32_t>(others.size()))]->sought};
  return c;
}

/// One and the other by turns.
Case absent(const std::vector<Part>& parts, std::uint64_t stream, std::uint64_t index, std::uint64_t seed) {
  RandomStream random(seed * 8 + stream, index);
  const bool mirror = index % 2 == 0;
  Case c = mirror ? mirrored_is_absent(parts, index / 2, random) : other_is_absent(parts, index / 2, random);
  c.limits = right_pose;
  c.details["mirrored"] = mirror;
  return c;
}

}  // namespace

Case clutter(std::uint64_t index, std::uint64_t seed) { return present(cad_parts(), 0, index, seed); }
Case clutter_absent(std::uint64_t index, std::uint64_t seed) { return absent(cad_parts(), 1, index, seed); }
Case clutter_built_in(std::uint64_t index, std::uint64_t seed) { return present(parts_built_in(), 2, index, seed); }
Case clutter_built_in_absent(std::uint64_t index, std::uint64_t seed) {
  return absent(parts_built_in(), 3, index, seed);
}

}  // namespace dovetail::bench::find
