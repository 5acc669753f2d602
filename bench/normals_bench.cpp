// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <numbers>

#include "dovetail/prepare.h"
#include "dovetail/workspace.h"
#include "harness.h"
#include "peers/peer.h"
#include "prepare/levels.h"
#include "scans.h"
#include "spatial/kd_tree.h"

// Normals from 16 neighbours, with their mean angle from the true ones. "normals" is from points to normals, the tree
// included; "from tree" is what follows the tree (on a GPU with the transfers both ways).

namespace dovetail::bench {
namespace {

const char* const name = "normals";
constexpr int neighbours = 16;

struct Arrays {
  std::vector<float> x, y, z;
  explicit Arrays(std::size_t count) : x(count), y(count), z(count) {}
};

template <class Normal>
double mean_error_degrees(const PointCloud& cloud, const Normal& normal) {
  double sum = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const double cosine = std::abs(dot(bumpy_sphere_normal(cloud.positions[i]), normal(i)));
    sum += std::acos(std::min(1.0, cosine));
  }
  return sum / static_cast<double>(cloud.size()) * 180 / std::numbers::pi;
}

void run_backend(const Arguments& arguments, const PointCloud& cloud, const Arrays& points, Machine machine,
                 int threads) {
  Workspace workspace(machine, 0, threads);
  const ThreadLimit limit(threads > 0 ? threads : all_threads());
  Arrays out(cloud.size());
  const NormalSettings settings{.neighbours = neighbours};
  const auto estimate = [&](const KdTree& tree) {
    Memory& memory = workspace.backend().memory();
    Keeper keeper;
    const Placed<KdTreeView> placed = put(memory, tree);
    const NormalsView n = estimate_normals(tree, placed.view, true, settings, workspace.backend(), keeper);
    memory.get(n.x, std::span(out.x));
    memory.get(n.y, std::span(out.y));
    memory.get(n.z, std::span(out.z));
  };
  const KdTree tree(points.x, points.y, points.z);
  const Timing from_tree = measure(arguments, [&] { estimate(tree); });
  const Timing whole = measure(arguments, [&] { estimate(KdTree(points.x, points.y, points.z)); });
  const double error = mean_error_degrees(cloud, [&](std::size_t i) {
    return Vec3{double{out.x[i]}, double{out.y[i]}, double{out.z[i]}};
  });
  const std::string where = workspace.machine_name();
  Line(name, "from tree").points(cloud.size()).machine(where, threads).number("error_degrees", error).value(from_tree);
  Line(name, "normals").points(cloud.size()).machine(where, threads).number("error_degrees", error).value(whole);
}

void run_peer(const Arguments& arguments, const PointCloud& cloud, Peer& peer, int threads) {
  const std::vector<float> xyz = interleaved(cloud);
  std::vector<float> out(xyz.size());
  PeerSettings settings;
  settings.threads = threads;
  settings.neighbours = neighbours;
  bool able = true;
  const Timing timing = measure_own(arguments, [&] {
    const double milliseconds = peer.estimate_normals({xyz.data(), cloud.size()}, settings, out.data());
    able = milliseconds >= 0;
    return milliseconds;
  });
  if (!able) return;
  const double error = mean_error_degrees(cloud, [&](std::size_t i) {
    return Vec3{double{out[3 * i]}, double{out[3 * i + 1]}, double{out[3 * i + 2]}};
  });
  Line(name, "normals")
      .points(cloud.size())
      .machine("cpu", threads)
      .peer(peer.name())
      .number("error_degrees", error)
      .value(timing);
}

void run(const Arguments& arguments, std::size_t count, const std::vector<std::unique_ptr<Peer>>& peers) {
  const PointCloud cloud = bumpy_sphere(count, 1);
  Arrays points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f p = cloud.positions[i].cast<float>();
    points.x[i] = p[0], points.y[i] = p[1], points.z[i] = p[2];
  }
  if (!cuda_machines().empty()) run_backend(arguments, cloud, points, Machine::cuda, 0);
  if (arguments.gpu_only) return;
  for (const int threads : thread_counts()) {
    run_backend(arguments, cloud, points, Machine::cpu, threads);
    for (const auto& peer : peers) run_peer(arguments, cloud, *peer, threads);
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("normals");
  const auto peers = load_peers(arguments);
  run(arguments, 40'000, peers);
  if (!arguments.quick) run(arguments, 1'000'000, peers);
}
