// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "gpicp/loops.h"
#include "methods/gpicp.h"
#include "stopwatch.h"

namespace dovetail::bench::gpicp_studies {

double first_reach(const StudiedObject& object) { return Scene::widest_reach(object.radius); }
double last_reach(const StudiedObject& object) { return object.radius / 12; }

Outcome run_library(const Setting& setting, const Scene& scene, const StudiedObject& object, const Instance& instance,
                    Backend& backend) {
  gpicp::Data data;
  data.source = object.view();
  data.target = scene.tree.view();
  data.field = scene.field.view;
  if (setting.tree == SearchTree::left_balanced) data.left_balanced = scene.left_balanced.view();

  Batch<gpicp::PointToPoint> batch;
  gpicp::Params& params = batch.params;
  params.sets = setting.sets, params.set_points = setting.set_points, params.iterations = setting.iterations;
  params.scored_points = std::max(1, static_cast<int>(setting.share * object.size()));
  params.keeps_pose = params.scores_evenly = false;
  params.lookup = setting.lookup;
  params.bound_factor = static_cast<float>((1 + setting.epsilon) * (1 + setting.epsilon));
  params.first_reach = first_reach(object), params.last_reach = last_reach(object);
  batch.data = {data};
  batch.max_iterations = 2 * setting.iterations;
  for (const Similarity3& start : starts_of(instance, object, setting.starts, setting.shift)) {
    gpicp::State s;
    s.start = static_cast<std::uint32_t>(batch.states.size());
    s.target_from_source = start;
    s.center = start * object.centroid;
    s.radius = object.radius;
    batch.states.push_back(gpicp::first_state(params, data, s));
  }
  const double before = processor_ms();
  const Stopwatch watch;
  backend.run(batch);
  const double milliseconds = watch.milliseconds(), processor = processor_ms() - before;
  const auto best = std::max_element(batch.states.begin(), batch.states.end(),
                                     [](const gpicp::State& a, const gpicp::State& b) { return a.score < b.score; });
  return {best->target_from_source, milliseconds, processor, best->error};
}

}  // namespace dovetail::bench::gpicp_studies
