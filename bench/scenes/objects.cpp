// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/objects.h"

#include <cmath>
#include <numbers>

#include "dovetail/rotation.h"
#include "scenes/solids.h"

namespace dovetail::bench::scenes {
namespace {

constexpr double pi = std::numbers::pi;

Mat3 turn_about_z(double angle) { return exp_so3(Vec3{0, 0, angle}); }

/// How the solids of a part are shaped and where they may stand.
struct Style {
  Vec3 base;           // size of the first solid
  double least, most;  // sizes of the others
  double round;        // share of domes and cylinders
};

Style style_of(RandomStream& random) {
  switch (random.below(4)) {
    case 0:  // like a bracket
      return {{random.uniform(70, 120), random.uniform(50, 80), random.uniform(8, 25)}, 12, 60, 0.4};
    case 1:  // blobby
      return {{random.uniform(50, 80), random.uniform(50, 80), random.uniform(50, 80)}, 25, 65, 0.95};
    case 2:  // flat
      return {{random.uniform(80, 130), random.uniform(60, 120), random.uniform(4, 12)}, 8, 35, 0.5};
    default:  // tall
      return {{random.uniform(25, 45), random.uniform(25, 45), random.uniform(90, 140)}, 15, 50, 0.5};
  }
}

void add_solid(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, double round, RandomStream& random) {
  const bool is_round = random.uniform() < round, first = random.uniform() < 0.5;
  if (is_round) {
    first ? add_dome(mesh, frame, size) : add_cylinder(mesh, frame, size);
  } else {
    first ? add_box(mesh, frame, size) : add_prism(mesh, frame, size, random);
  }
}

/// One of the 24 right-angled orientations or, now and then, any.
Mat3 orientation(RandomStream& random) {
  if (random.uniform() < 0.3) return random.rotation();
  const Vec3 axes[] = {{0, 0, 0}, {pi / 2, 0, 0}, {0, pi / 2, 0}};
  return turn_about_z(pi / 2 * random.below(4)) * exp_so3(axes[random.below(3)]);
}

using Furniture = void (*)(MeshBuilder&, RandomStream&);

void table(MeshBuilder& mesh, RandomStream& random) {
  const double x = random.uniform(0.4, 0.9), y = random.uniform(0.3, 0.5), z = random.uniform(0.4, 0.8);
  add_box_between(mesh, {-x, -y, z - 0.04}, {x, y, z});
  for (const double i : {-1.0, 1.0}) {
    for (const double j : {-1.0, 1.0}) {
      add_box(mesh, {Mat3::identity(), {i * (x - 0.05), j * (y - 0.05), 0.5 * z - 0.02}}, {0.06, 0.06, z});
    }
  }
}

void cupboard(MeshBuilder& mesh, RandomStream& random) {
  const double x = random.uniform(0.3, 0.8), y = random.uniform(0.2, 0.35), z = random.uniform(0.7, 2.1);
  add_box_between(mesh, {-x, -y, 0}, {x, y, z});
  add_box_between(mesh, {-x - 0.03, -y - 0.03, z - 0.03}, {x + 0.03, y + 0.03, z + 0.02});
}

void shelf(MeshBuilder& mesh, RandomStream& random) {
  const double x = random.uniform(0.3, 0.6), y = 0.15, z = random.uniform(1.0, 2.0);
  const auto boards = static_cast<int>(3 + random.below(3));
  for (int i = 0; i <= boards; ++i) add_box_between(mesh, {-x, -y, z * i / boards}, {x, y, z * i / boards + 0.03});
  add_box_between(mesh, {-x, -y, 0}, {-x + 0.03, y, z});
  add_box_between(mesh, {x - 0.03, -y, 0}, {x, y, z});
}

void sofa(MeshBuilder& mesh, RandomStream& random) {
  const double x = random.uniform(0.5, 1.1), y = 0.4;
  add_box_between(mesh, {-x, -y, 0}, {x, y, 0.42});
  add_box_between(mesh, {-x, y - 0.2, 0.4}, {x, y, random.uniform(0.7, 0.95)});
  add_box_between(mesh, {-x - 0.15, -y, 0}, {-x, y, 0.6});
  if (random.uniform() < 0.7) add_box_between(mesh, {x, -y, 0}, {x + 0.15, y, 0.6});
}

void chair(MeshBuilder& mesh, RandomStream& random) {
  const double half = random.uniform(0.2, 0.28);
  add_box_between(mesh, {-half, -half, 0.42}, {half, half, 0.47});
  add_box_between(mesh, {-half, half - 0.04, 0.4}, {half, half, random.uniform(0.8, 1.1)});
  for (const double i : {-1.0, 1.0}) {
    for (const double j : {-1.0, 1.0}) {
      add_cylinder(mesh, {Mat3::identity(), {i * (half - 0.03), j * (half - 0.03), 0.22}}, {0.04, 0.04, 0.44}, 12);
    }
  }
}

void lamp(MeshBuilder& mesh, RandomStream& random) {
  const double z = random.uniform(1.2, 1.8), wide = random.uniform(0.3, 0.5);
  add_cylinder(mesh, {Mat3::identity(), {0, 0, 0.02}}, {0.35, 0.35, 0.04}, 32);
  add_cylinder(mesh, {Mat3::identity(), {0, 0, 0.5 * z}}, {0.04, 0.04, z}, 12);
  add_cylinder(mesh, {Mat3::identity(), {0, 0, z}}, {wide, wide, 0.3}, 32);
}

void barrel(MeshBuilder& mesh, RandomStream& random) {
  const double wide = random.uniform(0.3, 0.8), z = random.uniform(0.4, 1.1);
  add_cylinder(mesh, {Mat3::identity(), {0, 0, 0.5 * z}}, {wide, wide * random.uniform(0.8, 1.0), z});
  if (random.uniform() < 0.5) add_dome(mesh, {Mat3::identity(), {0, 0, z}}, {0.6 * wide, 0.6 * wide, 0.3});
}

PointCloud walls(RandomStream& random, const Vec3& size) {
  MeshBuilder mesh;
  const double x = size[0], y = size[1], z = size[2], t = 0.1;
  add_box_between(mesh, {-t, -t, -t}, {x + t, y + t, 0});
  add_box_between(mesh, {-t, -t, 0}, {0, y + t, z});
  add_box_between(mesh, {x, -t, 0}, {x + t, y + t, z});
  add_box_between(mesh, {0, -t, 0}, {x, 0, z});
  // A door is left open in the fourth wall, and sometimes there is a ceiling or a pillar in a corner.
  const double door = random.uniform(0.2, x - 1.3);
  add_box_between(mesh, {0, y, 0}, {door, y + t, z});
  add_box_between(mesh, {door + 0.95, y, 0}, {x, y + t, z});
  add_box_between(mesh, {door, y, 2.05}, {door + 0.95, y + t, z});
  if (random.uniform() < 0.5) add_box_between(mesh, {-t, -t, z}, {x + t, y + t, z + t});
  if (random.uniform() < 0.5) add_box_between(mesh, {0, 0, 0}, {random.uniform(0.3, 0.9), random.uniform(0.3, 0.9), z});
  return mesh.take();
}

}  // namespace

PointCloud random_part(std::uint64_t seed) {
  RandomStream random(seed, 1);
  MeshBuilder mesh;
  const Style style = style_of(random);
  add_solid(mesh, Rigid3::identity(), style.base, style.round > 0.9 ? 1 : 0.25, random);
  const std::uint32_t more = 2 + random.below(5);
  for (std::uint32_t i = 0; i < more; ++i) {
    Vec3 size{}, at{};
    for (int k = 0; k < 3; ++k) {
      size[k] = std::exp(random.uniform(std::log(style.least), std::log(style.most)));
      at[k] = style.base[k] * random.uniform(-0.45, 0.45);
    }
    // On one of the base's sides, so that it shows.
    const auto side = static_cast<int>(random.below(3));
    at[side] = (random.uniform() < 0.5 ? -0.45 : 0.45) * (style.base[side] + 0.5 * size[side]);
    add_solid(mesh, {orientation(random), at}, size, style.round, random);
  }
  return mesh.take();
}

std::vector<PointCloud> furnished_room(std::uint64_t seed, const RoomSizes& sizes) {
  RandomStream random(seed, 2);
  Vec3 size{};
  for (int k = 0; k < 3; ++k) size[k] = random.uniform(sizes.least[k], sizes.most[k]);
  std::vector<PointCloud> meshes = {walls(random, size)};
  constexpr Furniture all[] = {table, cupboard, shelf, sofa, chair, lamp, barrel};
  const std::uint32_t pieces = 5 + random.below(6);
  for (std::uint32_t i = 0; i < pieces; ++i) {
    MeshBuilder mesh;
    all[random.below(std::size(all))](mesh, random);
    const double turn = pi / 2 * random.below(4) + (random.uniform() < 0.4 ? random.uniform(-0.6, 0.6) : 0.0);
    const Vec3 at = {random.uniform(0.5, size[0] - 0.5), random.uniform(0.5, size[1] - 0.5), 0};
    meshes.push_back(Transform(Rigid3{turn_about_z(turn), at}) * mesh.take());
  }
  return meshes;
}

PointCloud colonnade(std::uint64_t seed, double& period) {
  RandomStream random(seed, 3);
  MeshBuilder mesh;
  const auto count = static_cast<int>(6 + random.below(7));
  period = random.uniform(1.5, 3.5);
  const double wide = random.uniform(0.25, 0.6), high = random.uniform(2.5, 4.5), behind = random.uniform(1.5, 3);
  const double end = period * count, sill = random.uniform(0.6, 1.2);
  const bool square = random.uniform() < 0.3;
  add_box_between(mesh, {-1, -1.5, -0.1}, {end, behind, 0});
  add_box_between(mesh, {-1, behind, -0.1}, {end, behind + 0.3, high});
  for (int i = 0; i < count; ++i) {
    const Rigid3 at = {Mat3::identity(), {period * i, 0, 0.5 * high}};
    square ? add_box(mesh, at, {wide, wide, high}) : add_cylinder(mesh, at, {wide, wide, high});
    add_box(mesh, {Mat3::identity(), {period * i, 0, 0.1}}, {1.5 * wide, 1.5 * wide, 0.2});
    // A window stands out of the wall as its frame does.
    const double x = period * (i + 0.25), half = 0.25 * period;
    add_box_between(mesh, {x - half, behind - 0.12, sill}, {x - half + 0.12, behind + 0.1, high - 0.5});
    add_box_between(mesh, {x + half - 0.12, behind - 0.12, sill}, {x + half, behind + 0.1, high - 0.5});
    add_box_between(mesh, {x - half, behind - 0.2, sill - 0.1}, {x + half, behind + 0.1, sill});
  }
  return mesh.take();
}

PointCloud merged(const std::vector<PointCloud>& meshes) {
  PointCloud all;
  for (const PointCloud& mesh : meshes) {
    const auto first = static_cast<std::uint32_t>(all.size());
    all.positions.insert(all.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const std::uint32_t corner : mesh.faces.index) all.faces.index.push_back(first + corner);
    const std::uint32_t before = all.faces.start.back();
    for (std::size_t i = 1; i < mesh.faces.start.size(); ++i) all.faces.start.push_back(before + mesh.faces.start[i]);
  }
  return all;
}

Vec3 middle_of(const PointCloud& mesh) {
  Vec3 sum{};
  double area = 0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::uint32_t first = mesh.faces.start[f];
    for (std::uint32_t k = first + 2; k < mesh.faces.start[f + 1]; ++k) {
      const Vec3 &a = mesh.positions[mesh.faces.index[first]], &b = mesh.positions[mesh.faces.index[k - 1]],
                 &c = mesh.positions[mesh.faces.index[k]];
      const double weight = norm(cross(b - a, c - a));
      sum += weight / 3 * (a + b + c), area += weight;
    }
  }
  return (1 / area) * sum;
}

Object part_object(std::uint64_t seed) { return {"part_" + std::to_string(seed), random_part(seed), {}, 0}; }

Object room_object(std::uint64_t seed, const RoomSizes& sizes) {
  return {"room_" + std::to_string(seed), merged(furnished_room(seed, sizes)), {}, 0};
}

Object colonnade_object(std::uint64_t seed) {
  Object object{"colonnade_" + std::to_string(seed), {}, {}, 0};
  object.mesh = colonnade(seed, object.period);
  return object;
}

Object symmetric_object(BuiltInPart part) {
  Object object{std::string(to_string(part)), built_in_part(part), rotations_onto_itself(part), 0};
  if (!turns_freely_about_z(part)) return object;
  object.free_axis = {0, 0, 1};
  std::vector<Mat3> turned;
  for (const Mat3& flip : object.symmetries) {
    for (int i = 0; i < 144; ++i) turned.push_back(turn_about_z(pi * i / 72) * flip);
  }
  object.symmetries = std::move(turned);
  return object;
}

}  // namespace dovetail::bench::scenes
