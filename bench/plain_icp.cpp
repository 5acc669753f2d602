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

double PlainIcp::least_bytes() const {
  const Level& level = problem_.levels.front();
  const bool planes = settings_.metric != Metric::point_to_point;
  const bool source_normals = settings_.metric == Metric::plane_to_plane;
  const double path = static_cast<double>(level.target.view().depth) * sizeof(KdNode);
  const double bucket = static_cast<double>(KdTree::bucket_size * sizeof(TreePoint));
  const double point = 12 + path + bucket + (planes ? 12 : 0) + (source_normals ? 12 : 0);
  return point * static_cast<double>(level.source.size());
}

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
