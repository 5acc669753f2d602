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
  plan_.normals.source = settings.metric == Metric::plane_to_plane;
  icp::LevelPlan& level = plan_.params.level[0];
  level = icp::LevelPlan{};
  level.first_scale = level.last_scale = prepared_.to_local(settings.max_distance) / level.reach;
  level.tolerance = settings.tolerance * prepared_.source_radius;
  level.max_iterations = settings.max_iterations;
  problem_ = build_problem(prepared_, plan_.voxels, plan_.normals, backend_);
  backend_.place({&problem_, 1});
  prepare_ms_ = watch.milliseconds();
}

double PlainIcp::touched_bytes() const {
  const Level& level = problem_.levels.front();
  const double path = static_cast<double>(level.target.view().depth) * sizeof(KdNode);
  const double bucket = static_cast<double>(KdTree::bucket_size * sizeof(TreePoint));
  return (source_bytes() + path + bucket + target_normal_bytes()) * static_cast<double>(level.source.size());
}

double PlainIcp::memory_bytes() const {
  const Level& level = problem_.levels.front();
  const double tree = static_cast<double>(level.target.nodes().size_bytes() + level.target.points().size_bytes());
  return source_bytes() * static_cast<double>(level.source.size()) + tree +
         target_normal_bytes() * static_cast<double>(level.target.size());
}

double PlainIcp::source_bytes() const { return settings_.metric == Metric::plane_to_plane ? 24 : 12; }
double PlainIcp::target_normal_bytes() const { return settings_.metric == Metric::point_to_point ? 0 : 12; }

void PlainIcp::run() {
  const Vec3 center = prepared_.to_local(Transform::identity(Model::rigid3)) * prepared_.source_centroid;
  const IcpStart start{prepared_.to_local(Transform::identity(Model::rigid3)), 0};
  IcpJourney journey;
  journey.states = {start_state(plan_, prepared_, start, center)};
  const Stopwatch watch;
  run_levels(journey, plan_, 1, backend_, {});
  loop_ms_ = watch.milliseconds();
  end_ = journey.states.front();
}

}  // namespace dovetail::bench
