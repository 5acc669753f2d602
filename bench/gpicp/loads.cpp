// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "gpicp/studies.h"
#include "gpicp/whole_runs.h"

namespace dovetail::bench::gpicp_studies {
namespace {

Setting with_field() {
  Setting setting;
  setting.lookup = Lookup::field, setting.tree = SearchTree::buckets;
  return setting;
}

/// Everybody on one object.
class Load {
 public:
  Load(const Bench& bench, std::size_t object, std::size_t points)
      : bench_(bench), object_(studied(bench.scene.laid.objects[object], points)), cloud_(points_of(object_)) {}

  const StudiedObject& object() const { return object_; }

  Outcome thesis(const Instance& i) const { return loop({}, i); }
  Outcome field(const Instance& i) const { return loop(with_field(), i); }
  /// The library as it is called, from the thesis's 16 starts.
  Outcome whole(const Instance& i) const {
    const WholeRun run =
        run_default(bench_.scene, cloud_, starts_of(i, object_, 16, Setting{}.shift), bench_.workspace);
    return {run.pose, run.milliseconds, run.processor_ms, 0};
  }
  Outcome pcl(const Instance& i, int starts) const {
    const WholeRun run =
        run_peer(*bench_.pcl, bench_.scene, object_, starts_of(i, object_, starts, Setting{}.shift), bench_.threads);
    return {run.pose, run.milliseconds, run.processor_ms, 0};
  }

  /// Prints a line of each for some instances; PCL from as many starts as told.
  void print(const std::string& study, const std::string& varied, double at,
             const std::vector<const Instance*>& instances, int pcl_starts) const {
    const auto row = [&](const std::string& method) { return Row{study, method, varied, at}; };
    print_row(bench_, row("thesis"), object_, instances, [&](const Instance& i) { return thesis(i); });
    print_row(bench_, row("field"), object_, instances, [&](const Instance& i) { return field(i); });
    print_row(bench_, row("default"), object_, instances, [&](const Instance& i) { return whole(i); });
    if (bench_.pcl == nullptr) return;
    const std::string name = "ICP from " + std::to_string(pcl_starts) + (pcl_starts == 1 ? " start" : " starts");
    print_row(
        bench_, row(name), object_, instances, [&](const Instance& i) { return pcl(i, pcl_starts); },
        bench_.pcl->name());
  }

 private:
  Outcome loop(const Setting& setting, const Instance& i) const {
    return run_library(setting, bench_.scene, object_, i, bench_.workspace.backend());
  }

  const Bench& bench_;
  StudiedObject object_;
  PointCloud cloud_;
};

}  // namespace

void run_loads(const Bench& bench) {
  const bool quick = bench.arguments.quick;
  const std::size_t kinds = quick ? 1 : bench.scene.laid.objects.size();
  // One instance a line, in the order of the thesis: the time of the first n is their sum.
  double number = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Load load(bench, kind, quick ? 2000 : 20000);
    for (const Instance* instance : bench.scene.of(kind, quick ? 2 : 1000)) {
      load.print("instances", "instance", ++number, {instance}, 1);
    }
  }
  std::vector<std::size_t> sizes = {10000, 25000, 50000, 100000};
  if (quick) sizes = {1000, 2000};
  for (const std::size_t points : sizes) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const Load load(bench, kind, points);
      load.print("points", "points_an_instance", static_cast<double>(points), visible_ones(bench.scene, kind, 1), 1);
    }
  }
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Load load(bench, kind, quick ? 2000 : 20000);
    load.print("equal starts", "starts", 16, visible_ones(bench.scene, kind, quick ? 1 : 3), 16);
  }
  if (quick) return;
  const Load whole(bench, 0, 0);
  whole.print("equal starts", "starts", 16, visible_ones(bench.scene, 0, 1), 16);
}

}  // namespace dovetail::bench::gpicp_studies
