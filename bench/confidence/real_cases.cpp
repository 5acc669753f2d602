// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "confidence/makers.h"
#include "confidence/object_cases.h"
#include "dovetail/rotation.h"
#include "scenes/real_objects.h"
#include "scenes/spoil.h"

namespace dovetail::bench::confidence {
namespace {

constexpr Chance real_kinds[] = {{"near", 10},           {"far", 10},
                                 {"noise", 8},           {"outliers", 7},
                                 {"thinned", 8},         {"cut_out", 9},
                                 {"unequal_density", 5}, {"stranger", 14},
                                 {"halves", 10},         {"slice", 5},
                                 {"scan_line", 3},       {"normals", 3},
                                 {"units", 3},           {"far_coordinates", 3},
                                 {"planar", 8},          {"planar_stranger", 3}};

template <class Item>
const Item& any_of(const std::vector<Item>& items, RandomStream& random) {
  return items[random.below(static_cast<std::uint32_t>(items.size()))];
}

/// The source in a frame that nothing else is in.
void turn_source(Case& c, RandomStream& random) {
  const Vec3 center = centroid_of(c.source);
  const Mat3 turn = random.rotation();
  const Transform moved = Rigid3{turn, center - turn * center};
  c.source = moved * std::move(c.source);
  c.truth = c.truth * moved.inverse();
}

/// The points within a distance.
PointCloud around(const PointCloud& cloud, const Vec3& center, double distance) {
  PointCloud near;
  for (const Vec3& p : cloud.positions) {
    if (norm(p - center) < distance) near.positions.push_back(p);
  }
  return near;
}

void take_pair(Case& c, const RealPair& pair, RandomStream& random) {
  c.object = pair.object;
  c.truth = pair.target_from_source;
  c.source = thinned(pair.source, point_count(2500, 9000, random), random);
  const bool crop = pair.name == "milk in its scene" && chance(0.7, random);
  const PointCloud target =
      crop ? around(pair.target, c.truth * centroid_of(c.source), random.uniform(1.5, 4) * radius_of(c.source))
           : pair.target;
  c.target = thinned(target, point_count(2500, 9000, random), random);
  if (pair.name != "milk in its scene" && chance(0.5, random)) {
    std::swap(c.source, c.target);
    c.truth = c.truth.inverse();
  }
  turn_source(c, random);
}

/// Two samples of one cloud that share no point, each without another part of it.
void take_halves(Case& c, const RealCloud& one, RandomStream& random) {
  c.object = one.object;
  PointCloud first, second;
  first.dimension = second.dimension = one.cloud.dimension;
  for (const Vec3& p : one.cloud.positions) (chance(0.5, random) ? first : second).positions.push_back(p);
  c.source = thinned(first, point_count(2500, 9000, random), random);
  c.target = thinned(second, point_count(2500, 9000, random), random);
  for (PointCloud* cloud : {&c.source, &c.target}) {
    if (chance(0.75, random)) cut_half_space(*cloud, random.uniform(0.1, 0.55), random);
  }
  c.truth = Transform::identity(one.cloud.dimension == 2 ? Model::rigid2 : Model::rigid3);
}

/// Keeps what lies in a thin slab across the source, put into its middle plane: `part` of it along the slab as well.
void cut_to_slab(Case& c, std::size_t least, bool flatten, RandomStream& random) {
  const Vec3 normal = random.unit_vector(), center = centroid_of(c.source);
  const double at = random.uniform(-0.5, 0.5) * radius_of(c.source);
  std::vector<std::pair<double, Vec3>> by_distance;
  for (const Vec3& p : c.source.positions) by_distance.emplace_back(dot(p - center, normal) - at, p);
  std::sort(by_distance.begin(), by_distance.end(),
            [](const auto& a, const auto& b) { return std::abs(a.first) < std::abs(b.first); });
  by_distance.resize(std::min(by_distance.size(), least));
  c.source.positions.clear();
  for (const auto& [distance, p] : by_distance) c.source.positions.push_back(flatten ? p - distance * normal : p);
}

/// Every object as likely as any other, however many scans of it there are.
template <class Item>
const Item& of_any_object(const std::vector<Item>& items, RandomStream& random) {
  std::vector<std::string> objects;
  for (const Item& item : items) objects.push_back(item.object);
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  const std::string& object = any_of(objects, random);
  const Item* item = &any_of(items, random);
  while (item->object != object) item = &any_of(items, random);
  return *item;
}

void take_strangers(Case& c, RandomStream& random) {
  // Clouds of all scans that there are, of whatever folder.
  std::vector<RealCloud> all = real_clouds();
  for (const RealPair& pair : real_pairs()) all.push_back({pair.object, pair.name, pair.source});
  const RealCloud& first = of_any_object(all, random);
  const RealCloud* second = &of_any_object(all, random);
  while (second->object == first.object) second = &of_any_object(all, random);
  c.object = second->object;
  PointCloud source = thinned(first.cloud, point_count(2500, 9000, random), random);
  c.target = thinned(second->cloud, point_count(2500, 9000, random), random);
  make_strangers(c, std::move(source), first.object, random);
  turn_source(c, random);
}

}  // namespace

std::string real_kind(RandomStream& random) { return drawn(real_kinds, random); }

bool is_real_kind(const std::string& kind) {
  return std::any_of(std::begin(real_kinds), std::end(real_kinds), [&](const Chance& c) { return kind == c.name; });
}

void make_real(Case& c, RandomStream& random) {
  if (c.kind == "stranger") return take_strangers(c, random);
  if (c.kind == "planar") return take_halves(c, of_any_object(planar_clouds(), random), random);
  if (c.kind == "planar_stranger") {
    Case other;
    take_halves(other, of_any_object(planar_clouds(), random), random);
    do take_halves(c, of_any_object(planar_clouds(), random), random);
    while (c.object == other.object);
    return make_strangers(c, std::move(other.source), other.object, random);
  }
  if (c.kind == "halves") return take_halves(c, of_any_object(real_clouds(), random), random);
  take_pair(c, of_any_object(real_pairs(), random), random);
  if (c.kind == "slice") cut_to_slab(c, point_count(150, 600, random), true, random);
  if (c.kind == "scan_line") cut_to_slab(c, point_count(100, 300, random), false, random);
}

}  // namespace dovetail::bench::confidence
