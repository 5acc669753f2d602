// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "dovetail/error.h"
#include "dovetail/rotation.h"
#include "find/sets.h"
#include "find/table_scene.h"

// The load of the GPICP thesis: three objects of 100,000 points each, 7, 8 and 6 times in a scene of 60,000 points.

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi, table_side = 900, scene_points = 60000;
constexpr int instances[] = {7, 8, 6};  // mugs, liqueur glasses, glasses

/// Upright, turned any way.
Rigid3 standing_upright(const Part& part, double x, double y, RandomStream& random) {
  double lowest = 0;
  for (const Vec3& p : part.outermost_points) lowest = std::min(lowest, p[2]);
  return {exp_so3(Vec3{0, 0, random.uniform(-pi, pi)}), {x, y, -lowest}};
}

std::vector<Standing> laid(RandomStream& random) {
  const double reach = 0.5 * table_side - 110;
  std::vector<Standing> standing;
  for (std::size_t kind = 0; kind < std::size(instances); ++kind) {
    for (int i = 0; i < instances[kind]; ++i) {
      const Part& part = tableware()[kind];
      Standing next{&part, {}};
      int attempt = 0;
      do {
        if (++attempt > 10000) throw InvalidArgument("laid table: no place left");
        next.table_from_part =
            standing_upright(part, random.uniform(-reach, reach), random.uniform(-reach, reach), random);
      } while (hits_any(next, standing));
      standing.push_back(next);
    }
  }
  return standing;
}

}  // namespace

Case laid_table(std::uint64_t index, std::uint64_t seed) {
  RandomStream random(seed * 8 + 4, index);
  const std::vector<Standing> standing = laid(random);
  Camera camera;
  camera.at = {0, 0, 40};
  camera.distance = 1500, camera.field_of_view = 36;
  camera.elevation = random.uniform(35, 50), camera.azimuth = random.uniform(-pi, pi);
  camera.noise = 0.5;
  camera.seed = random.next();
  const double rays = scene_points / filled_share(camera, standing, table_side);
  camera.width = static_cast<int>(std::lround(std::sqrt(rays * 4 / 3)));
  camera.height = static_cast<int>(std::lround(std::sqrt(rays * 3 / 4)));
  Case c = seen_by(camera, standing, table_side);
  for (const Part& part : tableware()) c.objects.push_back(part.sought);
  for (Placed& placed : c.placed) {
    for (std::size_t k = 0; k < c.objects.size(); ++k) {
      if (c.objects[k].name == placed.name) placed.object = k;
    }
    placed.asked = placed.visible_share >= 0.3;
  }
  c.limits = {0, 0, 0.1};
  return c;
}

}  // namespace dovetail::bench::find
