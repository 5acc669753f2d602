// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <memory>

#include "dovetail/dovetail.h"
#include "harness.h"
#include "pose/laid_images.h"
#include "pose/rough_search.h"
#include "pose_images.h"
#include "pose_scenes.h"

// Rough poses: all references of some parts at some places of a heap at once, at the sizes of the tables of Park et al.
// 2009. `search` is from windows in host memory to ranked poses, `loop` the machine's part of it alone. The references
// lie in the machine's memory before the clock starts.

namespace dovetail::bench {
namespace {

struct Size {
  int references, image_size, parts, starts;
};

struct Place {
  Machine machine;
  int threads;
};

std::vector<Place> places(const Arguments& arguments) {
  std::vector<Place> list;
  if (!cuda_machines().empty()) list.push_back({Machine::cuda, 0});
  if (arguments.gpu_only) return list;
  for (const int threads : thread_counts()) list.push_back({Machine::cpu, threads});
  return list;
}

/// One batch of every part, as the search makes it; counts the pixels that it looked at.
struct Loop {
  LaidReferences laid;
  std::vector<LaidWindow> windows;
  rough::Params params;

  double looks(const std::vector<rough::State>& states) const {
    double count = 0;
    for (const rough::State& s : states) {
      const LaidReference& r = laid.references[s.reference];
      const double seeds = 4.0 * ((r.seeds + 3) / 4) * std::min(r.groups, params.seed_groups);
      count += group_pixels * (seeds + 4.0 * (1 + s.iterations) * std::min(r.groups, params.groups));
    }
    return count;
  }
};

void measure_size(const Arguments& arguments, const Size& size, RoughErrors errors) {
  std::vector<TeeReferences> tees;
  std::vector<PoseReferences> parts;
  for (int p = 0; p < size.parts; ++p) {
    tees.emplace_back(size.references, size.image_size, static_cast<std::uint64_t>(p));
    parts.push_back(tees.back().part());
  }
  std::vector<pose::SceneWindow> windows;
  for (int s = 0; s < size.starts; ++s) {
    windows.push_back(heap_window(parts.front(), static_cast<std::uint64_t>(s)));
  }
  std::vector<pose::RoughSearch::Job> jobs;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const pose::SceneWindow& window : windows) jobs.push_back({p, &window});
  }
  Loop loop;
  loop.laid = pose::laid_references(parts.front(), errors == RoughErrors::paper ? 0 : 48);
  loop.params = pose::rough_params(errors, parts.front());
  for (const pose::SceneWindow& window : windows) loop.windows.push_back(pose::laid_window(window));

  for (const Place& place : places(arguments)) {
    const ThreadLimit limit(place.threads > 0 ? place.threads : all_threads());
    Workspace workspace(place.machine, 0, place.threads);
    const auto line = [&](const char* what) {
      Line l("rough_pose", what);
      l.number("references", size.references)
          .number("image_size", size.image_size)
          .number("parts", size.parts)
          .number("starts", size.starts)
          .text("errors", errors == RoughErrors::paper ? "paper" : "robust")
          .machine(workspace.machine_name(), place.threads);
      return l;
    };
    const pose::RoughSearch search(workspace.backend(), parts, errors);
    std::vector<std::vector<pose::RoughPose>> found;
    const Timing whole = measure(arguments, [&] { found = search.run(jobs, {}); });
    line("search").number("best_error", found.front().front().error).value(whole);

    if (size.parts > 1) continue;
    Memory& memory = workspace.backend().memory();
    Keeper keeper;
    Batch<rough::RoughPose> batch;
    Placed<ReferencesView> part = put(memory, loop.laid);
    for (const LaidWindow& window : loop.windows) {
      Placed<WindowView> placed = put(memory, window);
      batch.data.push_back({placed.view, part.view});
      keeper.add(std::move(placed.keeper));
    }
    batch.params = loop.params;
    batch.max_iterations = 2 * loop.params.iterations + 50;
    batch.keeps_sums = false;
    const Timing alone = measure_own(arguments, [&] {
      batch.states.clear();
      for (std::uint32_t w = 0; w < loop.windows.size(); ++w) {
        for (std::uint32_t r = 0; r < loop.laid.references.size(); ++r) {
          batch.states.push_back(rough::RoughPose::first_state(loop.params, w, r, loop.laid.references[r]));
        }
      }
      const Stopwatch watch;
      workspace.backend().run(batch);
      return watch.milliseconds();
    });
    const double looks = loop.looks(batch.states);
    line("loop").number("pixel_looks", looks).number("looks_per_ns", 1e-6 * looks / alone.median_ms).value(alone);
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  using dovetail::RoughErrors;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("rough_pose");
  if (arguments.quick) {
    measure_size(arguments, {256, 32, 1, 1}, RoughErrors::robust);
    measure_images(arguments);
    return 0;
  }
  for (const int references : {1024, 2048}) {
    for (const int image_size : {32, 64}) {
      for (const int starts : {1, 3}) measure_size(arguments, {references, image_size, 1, starts}, RoughErrors::robust);
    }
  }
  for (const int parts : {2, 3, 4}) measure_size(arguments, {1024, 64, parts, 3}, RoughErrors::robust);
  measure_size(arguments, {1024, 64, 1, 16}, RoughErrors::robust);
  measure_size(arguments, {1024, 128, 1, 3}, RoughErrors::robust);
  measure_size(arguments, {1024, 64, 1, 3}, RoughErrors::paper);
  measure_images(arguments);
}
