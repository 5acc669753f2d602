// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>

#include "core/random.h"
#include "dovetail/rotation.h"
#include "gpicp/studies.h"
#include "spatial/kd_search.h"
#include "spatial/left_balanced_search.h"

namespace dovetail::bench::gpicp_studies {
namespace {

/// What scoring asks near the end: all points of an object a little off its place.
struct Queries {
  std::vector<Vec3f> points;
  float reach_squared = 0;
  std::string order;
};

Queries queries_about(const StudiedObject& object, const Instance& instance, bool scattered) {
  Similarity3 pose = instance.truth;
  pose.rotation = exp_so3(Vec3{0.03, -0.02, 0.04}) * pose.rotation;
  pose.translation = instance.truth * object.centroid + Vec3{2, -1, 1.5} - pose.rotation * object.centroid;
  Queries queries;
  queries.order = scattered ? "scattered" : "along a curve";
  for (std::uint32_t i = 0; i < object.size(); ++i) {
    const LocalCloud& c = object.cloud;
    queries.points.push_back((pose * Vec3{double{c.x[i]}, double{c.y[i]}, double{c.z[i]}}).cast<float>());
  }
  RandomStream random(24, 0);
  for (std::size_t i = queries.points.size() - 1; scattered && i > 0; --i) {
    std::swap(queries.points[i], queries.points[random.below(static_cast<std::uint32_t>(i + 1))]);
  }
  queries.reach_squared = static_cast<float>(std::pow(Scene::widest_reach(object.radius), 2));
  return queries;
}

/// Squared distances, the reach's where there is nothing.
using Distances = std::vector<float>;

template <class Search>
Distances ask_all(const Queries& queries, const Search& search) {
  Distances found(queries.points.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Neighbour near = search(queries.points[i]);
    found[i] = near.found() ? near.squared_distance : queries.reach_squared;
  }
  return found;
}

class SearchStudy {
 public:
  SearchStudy(const Bench& bench, const Queries& queries)
      : bench_(bench), queries_(queries), exact_(ask_all(queries, [&](const Vec3f& q) {
          return nearest(bench.scene.tree.view(), q[0], q[1], q[2], queries.reach_squared);
        })) {}

  template <class Search>
  void print(const std::string& method, double epsilon, double bytes, const Search& search) const {
    Distances found;
    const Timing timing = measure(bench_.arguments, [&] { found = ask_all(queries_, search); });
    double mean = 0, mean_exact = 0, same = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      mean += std::sqrt(double{found[i]}), mean_exact += std::sqrt(double{exact_[i]});
      same += found[i] == exact_[i] ? 1 : 0;
    }
    const auto count = static_cast<double>(found.size());
    Line line("gpicp_studies", "search");
    line.text("method", method).points(bench_.scene.cloud.size()).text("order", queries_.order).machine("cpu", 1);
    line.number("epsilon", epsilon).number("bytes_a_point", bytes / static_cast<double>(bench_.scene.cloud.size()));
    line.number("exact_share", same / count).number("too_far", mean / mean_exact - 1);
    line.number("fastest", 1e6 * timing.fastest_ms / count).number("slowest", 1e6 * timing.slowest_ms / count);
    line.number("runs", timing.runs);
    line.value(1e6 * timing.median_ms / count, "ns a query");
  }

 private:
  const Bench& bench_;
  const Queries& queries_;
  Distances exact_;
};

}  // namespace

void run_searches(const Bench& bench) {
  const Scene& scene = bench.scene;
  const auto built = [&](const std::string& method, double milliseconds) {
    Line("gpicp_studies", "build")
        .text("method", method)
        .points(scene.cloud.size())
        .machine("cpu", bench.threads)
        .value(milliseconds, "ms");
  };
  built("buckets", scene.tree_ms), built("left-balanced", scene.left_balanced_ms), built("field", scene.field_ms);

  const StudiedObject object = studied(scene.laid.objects[0], bench.arguments.quick ? 5000 : 0);
  const KdTreeView buckets = scene.tree.view();
  const LeftBalancedView left = scene.left_balanced.view();
  const FieldView& field = scene.field.view;
  const auto bucket_bytes = static_cast<double>(scene.tree.points().size_bytes() + scene.tree.nodes().size_bytes());
  const auto left_bytes =
      static_cast<double>(scene.left_balanced.points().size_bytes() + scene.left_balanced.axes().size_bytes());
  const auto field_bytes =
      4.0 * static_cast<double>(field.grid.size()) + static_cast<double>(sizeof(Site)) * field.site_count;
  for (const bool scattered : {false, true}) {
    const Queries queries = queries_about(object, *visible_ones(scene, 0, 1).front(), scattered);
    const float reach = queries.reach_squared;
    const SearchStudy study(bench, queries);
    for (const double epsilon : {0.0, 0.5, 1.0, 2.0, 4.0}) {
      const auto factor = static_cast<float>((1 + epsilon) * (1 + epsilon));
      study.print("buckets", epsilon, bucket_bytes,
                  [&](const Vec3f& q) { return nearest(buckets, q[0], q[1], q[2], reach, factor); });
      study.print("left-balanced, stack", epsilon, left_bytes,
                  [&](const Vec3f& q) { return nearest_with_stack(left, q[0], q[1], q[2], reach, factor); });
      study.print("left-balanced, stackless", epsilon, left_bytes,
                  [&](const Vec3f& q) { return nearest_stackless(left, q[0], q[1], q[2], reach, factor); });
    }
    study.print("buckets, depth-first", 1e9, bucket_bytes,
                [&](const Vec3f& q) { return nearest_in_bucket(buckets, q[0], q[1], q[2], reach); });
    study.print("left-balanced, depth-first", 1e9, left_bytes,
                [&](const Vec3f& q) { return nearest_on_way_down(left, q[0], q[1], q[2], reach); });
    study.print("field", 1e9, field_bytes, [&](const Vec3f& q) {
      const std::uint32_t k = field.site_at<3>(q.data);
      if (k == no_site) return Neighbour{};
      const Site& site = field.sites[k];
      const float squared = squared_distance(q[0] - site.x, q[1] - site.y, q[2] - site.z);
      return squared <= reach ? Neighbour{k, k, squared} : Neighbour{};
    });
  }
}

}  // namespace dovetail::bench::gpicp_studies
