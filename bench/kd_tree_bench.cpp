// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/kd_tree.h"

#include <cmath>
#include <limits>
#include <optional>

#include "harness.h"
#include "scans.h"
#include "spatial/kd_search.h"
#include "spatial/morton.h"
#ifdef DOVETAIL_HAS_NANOFLANN
#include <nanoflann.hpp>
#endif

// Building a tree, and asking it for the nearest point and the 16 nearest, beside nanoflann. Queries come in two
// orders: scattered, and along a curve, as a registration asks them.

namespace dovetail::bench {
namespace {

constexpr int neighbours = 16;

struct Queries {
  std::string order;
  std::vector<Vec3f> points;
};

std::vector<Vec3f> to_float(const PointCloud& cloud) {
  std::vector<Vec3f> points;
  for (const Vec3& p : cloud.positions) points.push_back(p.cast<float>());
  return points;
}

Queries along_curve(const std::vector<Vec3f>& points) {
  std::vector<float> x, y, z;
  for (const Vec3f& p : points) x.push_back(p[0]), y.push_back(p[1]), z.push_back(p[2]);
  Queries queries{"along a curve", {}};
  for (const std::uint32_t i : morton_order(x, y, z)) queries.points.push_back(points[i]);
  return queries;
}

/// The squared distances found, to see that both found the same.
using Distances = std::vector<float>;

Distances our_nearest(const KdTree& tree, const std::vector<Vec3f>& queries) {
  Distances found;
  found.reserve(queries.size());
  const float anywhere = std::numeric_limits<float>::infinity();
  for (const Vec3f& q : queries) found.push_back(nearest(tree.view(), q[0], q[1], q[2], anywhere).squared_distance);
  return found;
}

Distances our_knn(const KdTree& tree, const std::vector<Vec3f>& queries) {
  Distances found;
  found.reserve(queries.size());
  for (const Vec3f& q : queries) {
    KNearest<neighbours> result(neighbours, std::numeric_limits<float>::infinity());
    search(tree.view(), q[0], q[1], q[2], result);
    found.push_back(result[neighbours - 1].squared_distance);
  }
  return found;
}

#ifdef DOVETAIL_HAS_NANOFLANN
struct Adaptor {
  const std::vector<Vec3f>& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i].data[axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Nanoflann = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Adaptor>, Adaptor, 3>;

Distances nanoflann_knn(const Nanoflann& tree, const std::vector<Vec3f>& queries, std::size_t k) {
  Distances found;
  found.reserve(queries.size());
  std::uint32_t index[neighbours];
  float squared[neighbours];
  for (const Vec3f& q : queries) {
    tree.knnSearch(q.data, k, index, squared);
    found.push_back(squared[k - 1]);
  }
  return found;
}

/// Answers that differ by more than rounding.
double wrong(const Distances& a, const Distances& b) {
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += std::abs(a[i] - b[i]) > 1e-5f * (a[i] + b[i]) + 1e-12f ? 1 : 0;
  return count;
}
#endif

void run(const Arguments& arguments, std::size_t count) {
  const std::string name = "kd_tree";
  const std::vector<Vec3f> points = to_float(bumpy_sphere(count, 1));
  const Queries scattered{"scattered", to_float(bumpy_sphere(std::min<std::size_t>(count, 200'000), 2, 0.005))};
  const Queries curve = along_curve(scattered.points);

  for (const int threads : thread_counts()) {
    const ThreadLimit limit(threads);
    const Timing built = measure(arguments, [&] { KdTree tree{std::span(points)}; });
    Line(name, "build").points(count).machine("cpu", threads).value(built);
  }
  const KdTree tree{std::span(points)};
#ifdef DOVETAIL_HAS_NANOFLANN
  const Adaptor adaptor{points};
  const std::string peer = "nanoflann";
  std::optional<Nanoflann> theirs;
  if (arguments.peers) {
    const nanoflann::KDTreeSingleIndexAdaptorParams leaves(10);
    const Timing built = measure(arguments, [&] { Nanoflann tree_of_theirs(3, adaptor, leaves); });
    Line(name, "build").points(count).machine("cpu", 1).peer(peer).value(built);
    theirs.emplace(3, adaptor, leaves);
  }
#endif
  const auto microseconds = [](const Timing& timing, std::size_t queries) {
    return 1000 * timing.median_ms / static_cast<double>(queries);
  };
  for (const Queries* queries : {&scattered, &curve}) {
    for (const int k : {1, neighbours}) {
      const std::string what = k == 1 ? "nearest" : "16 nearest";
      Distances ours;
      const std::size_t asked = queries->points.size();
      const Timing timing = measure(
          arguments, [&] { ours = k == 1 ? our_nearest(tree, queries->points) : our_knn(tree, queries->points); });
      Line(name, what)
          .points(count)
          .text("order", queries->order)
          .machine("cpu", 1)
          .value(microseconds(timing, asked), "us per query");
#ifdef DOVETAIL_HAS_NANOFLANN
      if (!theirs) continue;
      Distances other;
      const Timing peers =
          measure(arguments, [&] { other = nanoflann_knn(*theirs, queries->points, static_cast<std::size_t>(k)); });
      Line(name, what)
          .points(count)
          .text("order", queries->order)
          .machine("cpu", 1)
          .peer(peer)
          .number("answers_that_differ", wrong(ours, other))
          .value(microseconds(peers, asked), "us per query");
#endif
    }
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (arguments.gpu_only) return 0;
  describe_machine("kd_tree");
  run(arguments, 40'000);
  if (!arguments.quick) run(arguments, 1'000'000);
}
