// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "gpicp/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "find/score.h"
#include "search/starts.h"
#include "spatial/kd_search.h"
#include "spatial/morton.h"
#include "spatial/parallel.h"
#include "stopwatch.h"

namespace dovetail::bench::gpicp_studies {
namespace {

constexpr int most_starts = 16;
constexpr double most_cells = 48e6;  // as GPICP's own fields

LocalCloud cloud_of(const std::vector<Vec3>& points, const Vec3& origin) {
  LocalCloud cloud;
  for (const Vec3& p : points) {
    cloud.x.push_back(static_cast<float>(p[0] - origin[0]));
    cloud.y.push_back(static_cast<float>(p[1] - origin[1]));
    cloud.z.push_back(static_cast<float>(p[2] - origin[2]));
    cloud.index.push_back(static_cast<std::uint32_t>(cloud.index.size()));
  }
  return cloud;
}

Vec3 mean_of(const std::vector<Vec3>& points) {
  Vec3 sum{};
  for (const Vec3& p : points) sum += p;
  return (1 / static_cast<double>(points.size())) * sum;
}

FieldGrid grid_about(const LocalCloud& cloud, float cell, double margin) {
  FieldGrid grid;
  grid.cell = cell, grid.per_unit = 1 / cell;
  const std::vector<float>* axes[3] = {&cloud.x, &cloud.y, &cloud.z};
  for (int a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax_element(axes[a]->begin(), axes[a]->end());
    const double from = std::floor((double{*low} - margin) / double{cell}) * double{cell};
    grid.origin[a] = static_cast<float>(from);
    grid.cells[a] = static_cast<std::uint32_t>(std::ceil((double{*high} + margin - from) / double{cell})) + 1;
  }
  return grid;
}

/// A sixteenth of a radius, doubled until the grid is of bearable size.
void build_field(Scene& scene, double radius, Backend& backend) {
  auto cell = static_cast<float>(std::exp2(std::floor(std::log2(radius / 16))));
  const double margin = Scene::widest_reach(radius);
  FieldGrid grid = grid_about(scene.cloud, cell, margin);
  while (static_cast<double>(grid.size()) > most_cells) grid = grid_about(scene.cloud, cell *= 2, margin);
  scene.field_level.grid = grid;
  Seeds seeds = make_seeds(grid, scene.cloud);
  scene.field_level.sites = std::move(seeds.sites);
  FieldBuild build{scene.field_level, seeds.keys, true};
  backend.run(build);
  scene.field = std::move(build.placed);
}

template <class Work>
double milliseconds_of(const Work& work) {
  const Stopwatch watch;
  work();
  return watch.milliseconds();
}

}  // namespace

CloudView StudiedObject::view() const { return {cloud.x.data(), cloud.y.data(), cloud.z.data(), {}, nullptr, size()}; }

std::vector<const Instance*> Scene::of(std::size_t object, std::size_t most) const {
  std::vector<const Instance*> some;
  for (const Instance& i : instances) {
    if (i.object == object && some.size() < most) some.push_back(&i);
  }
  return some;
}

Transform Scene::scene_from_object(const Similarity3& local) const {
  return Rigid3{local.rotation, local.translation + middle};
}

std::unique_ptr<Scene> laid_scene(std::uint64_t index, Backend& backend) {
  auto scene = std::make_unique<Scene>();
  scene->laid = find::make_case("thesis", index, 1);
  scene->middle = mean_of(scene->laid.scene.positions);
  const LocalCloud scattered = cloud_of(scene->laid.scene.positions, scene->middle);
  scene->cloud = gather(scattered, morton_order(scattered.x, scattered.y, scattered.z));
  const LocalCloud& cloud = scene->cloud;
  scene->tree_ms = milliseconds_of([&] { scene->tree = KdTree(cloud.x, cloud.y, cloud.z); });
  scene->left_balanced_ms = milliseconds_of([&] { scene->left_balanced = LeftBalancedTree(scene->tree); });
  double radius = 0;
  for (const find::SoughtObject& o : scene->laid.objects) radius = std::max(radius, studied(o, 1000).radius);
  scene->field_ms = milliseconds_of([&] { build_field(*scene, radius, backend); });
  RandomStream random(20, index);
  for (std::size_t kind = 0; kind < scene->laid.objects.size(); ++kind) {
    for (const find::Placed& placed : scene->laid.placed) {
      if (placed.object != kind) continue;
      Instance instance;
      instance.object = kind;
      instance.visible = placed.asked;
      const Mat4& m = placed.scene_from_object.matrix;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) instance.truth.rotation(i, j) = m(i, j);
        instance.truth.translation[i] = m(i, 3) - scene->middle[i];
      }
      instance.turn = random.rotation();
      instance.aside = random.unit_vector();
      scene->instances.push_back(instance);
    }
  }
  return scene;
}

StudiedObject studied(const find::SoughtObject& sought, std::size_t count) {
  std::vector<Vec3> points = sought.cloud.positions;
  if (count > 0 && count < points.size()) {
    RandomStream random(21, 0);
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(points[i], points[i + random.below(static_cast<std::uint32_t>(points.size() - i))]);
    }
    points.resize(count);
  }
  StudiedObject object;
  object.sought = &sought;
  object.centroid = mean_of(points);
  for (const Vec3& p : points) object.radius += squared_norm(p - object.centroid);
  object.radius = std::sqrt(object.radius / static_cast<double>(points.size()));
  const LocalCloud scattered = cloud_of(points, {});
  object.cloud = gather(scattered, morton_order(scattered.x, scattered.y, scattered.z));
  return object;
}

std::vector<Similarity3> starts_of(const Instance& instance, const StudiedObject& object, int count, double shift) {
  std::vector<Mat3> turns = spread_rotations(0b111, most_starts);
  RandomStream random(22, 0);
  for (std::size_t i = turns.size() - 1; i > 1; --i) {  // the first is none
    std::swap(turns[i], turns[1 + random.below(static_cast<std::uint32_t>(i))]);
  }
  const Vec3 center = instance.truth * object.centroid + (shift * object.radius) * instance.aside;
  std::vector<Similarity3> starts;
  for (int k = 0; k < count; ++k) {
    Similarity3 pose = instance.truth;
    pose.rotation = turns[static_cast<std::size_t>(k)] * instance.turn * instance.truth.rotation;
    pose.translation = center - pose.rotation * object.centroid;
    starts.push_back(pose);
  }
  return starts;
}

double exact_error(const Scene& scene, const StudiedObject& object, const Similarity3& pose) {
  const double limit = Scene::widest_reach(object.radius);
  const auto within = static_cast<float>(limit * limit);
  std::vector<double> distance(object.size());
  parallel_for(object.size(), 1024, [&](std::size_t i) {
    const Vec3 p = pose * Vec3{double{object.cloud.x[i]}, double{object.cloud.y[i]}, double{object.cloud.z[i]}};
    const Neighbour near = nearest(scene.tree.view(), static_cast<float>(p[0]), static_cast<float>(p[1]),
                                   static_cast<float>(p[2]), within);
    distance[i] = near.found() ? std::sqrt(double{near.squared_distance}) : limit;
  });
  return std::accumulate(distance.begin(), distance.end(), 0.0) / static_cast<double>(distance.size());
}

bool is_right(const Scene& scene, const Instance& instance, const Similarity3& pose) {
  const find::PoseError error = find::error_of(scene.laid.objects[instance.object], scene.scene_from_object(pose),
                                               scene.scene_from_object(instance.truth));
  return find::within(scene.laid.limits, error);
}

}  // namespace dovetail::bench::gpicp_studies
