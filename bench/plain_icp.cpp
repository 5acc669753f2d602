// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "plain_icp.h"

#include "backend/backend.h"
#include "stopwatch.h"

namespace dovetail::bench {

PlainIcp::PlainIcp(const ScanPair& pair, const Settings& settings, Workspace& workspace)
    : settings_(settings), backend_(workspace.backend()) {
  const Stopwatch watch;
  prepared_ = prepare_clouds(pair.source, pair.target, {});
  Icp options;
  options.metric = settings.metric;
  options.levels = 1;
  options.normal_neighbours = settings.neighbours;
  plan_ = make_icp_plan(options, prepared_);
  plan_.needs.source_normals = settings.metric == Metric::plane_to_plane;
  icp::LevelPlan& level = plan_.params.level[0];
  level = icp::LevelPlan{};
  level.first_scale = level.last_scale = prepared_.to_local(settings.max_distance) / level.reach;
  level.tolerance = settings.tolerance * prepared_.source->radius;
  level.max_iterations = settings.max_iterations;
  level_ = make_levels(prepared_, plan_.voxels, plan_.needs, backend_).front();
  prepare_ms_ = watch.milliseconds();
}

double PlainIcp::touched_bytes() const {
  const double path = static_cast<double>(level_.target->tree->view().depth) * sizeof(KdNode);
  const double bucket = static_cast<double>(KdTree::bucket_size * sizeof(TreePoint));
  return (source_bytes() + path + bucket + target_normal_bytes()) * static_cast<double>(level_.source->points.count);
}

double PlainIcp::memory_bytes() const {
  const double tree =
      static_cast<double>(level_.target->tree->nodes().size_bytes() + level_.target->tree->points().size_bytes());
  return source_bytes() * static_cast<double>(level_.source->points.count) + tree +
         target_normal_bytes() * static_cast<double>(level_.target->tree->size());
}

double PlainIcp::source_bytes() const { return settings_.metric == Metric::plane_to_plane ? 24 : 12; }
double PlainIcp::target_normal_bytes() const { return settings_.metric == Metric::point_to_point ? 0 : 12; }

void PlainIcp::run() {
  const Vec3 center = prepared_.to_local(Transform::identity(Model::rigid3)) * prepared_.source->centroid;
  const IcpStart start{prepared_.to_local(Transform::identity(Model::rigid3)), 0};
  IcpJourney journey;
  journey.data = {level_.surfaces()};
  journey.states = {start_state(plan_, prepared_, start, center)};
  const Stopwatch watch;
  run_levels(journey, plan_, 1, backend_, {});
  loop_ms_ = watch.milliseconds();
  end_ = journey.states.front();
}

}  // namespace dovetail::bench
