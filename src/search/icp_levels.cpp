// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/icp_levels.h"

#include <algorithm>

namespace dovetail {

namespace {

/// Runs the states that are before level `end`; the others wait for a later segment.
template <class M>
void run_segment(IcpJourney& journey, const IcpPlan& plan, int end, Backend& backend, const Control& control) {
  Batch<M> batch;
  batch.params = plan.params;
  batch.params.levels = end;
  batch.data.assign(journey.data.begin(), journey.data.begin() + end);
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < journey.states.size(); ++i) {
    if (static_cast<int>(journey.states[i].level) >= end) continue;
    if (static_cast<int>(i) == journey.traced) batch.traced = static_cast<int>(index.size());
    index.push_back(i);
    batch.states.push_back(journey.states[i]);
  }
  if (index.empty()) return;
  batch.max_iterations = plan.max_iterations();
  batch.observer = journey.observer;
  batch.onlooker = journey.onlooker;
  batch.control = control;
  backend.run(batch);
  journey.trace.insert(journey.trace.end(), batch.trace.begin(), batch.trace.end());
  journey.stopped = batch.stopped;
  for (std::size_t i = 0; i < index.size(); ++i) journey.states[index[i]] = batch.states[i];
}

}  // namespace

icp::State start_state(const IcpPlan& plan, const Prepared& prepared, const IcpStart& start, const Vec3& center) {
  icp::State state;
  state.target_from_source = start.pose;
  state.center = center;
  state.radius = prepared.source->radius;
  state.widest_scale = start.widest_scale;
  state.level = static_cast<std::uint32_t>(start.first_level);
  return icp::first_state(plan.params, state);
}

void run_levels(IcpJourney& journey, const IcpPlan& plan, int end, Backend& backend, const Control& control) {
  for (const IcpSegment& segment : plan.segments) {
    const int last = std::min(segment.end, end);
    if (segment.first >= last) continue;
    for (icp::State& state : journey.states) {
      const bool lost = state.status == Status::no_correspondences || state.status == Status::degenerate;
      if (lost || static_cast<int>(state.level) >= segment.first) continue;
      state.level = static_cast<std::uint32_t>(segment.first);
      state = icp::first_state(plan.params, state);
    }
    switch (segment.metric) {
      case Metric::point_to_point:
        run_segment<icp::PointToPoint>(journey, plan, last, backend, control);
        break;
      case Metric::point_to_plane:
        run_segment<icp::PointToPlane>(journey, plan, last, backend, control);
        break;
      case Metric::plane_to_plane:
        run_segment<icp::PlaneToPlane>(journey, plan, last, backend, control);
        break;
    }
    if (journey.stopped != StopRequest::none) return;
  }
}

NormalEquations<6> plane_equations(const IcpPlan& plan, int level, const icp::State& state, const SurfacePair& pair,
                                   Backend& backend) {
  Batch<icp::PointToPlane> batch;
  batch.params = plan.params;
  batch.params.level[0] = plan.params.level[level];
  batch.params.level[0].max_iterations = 1;
  batch.params.level[0].tolerance = 0;
  batch.params.levels = 1;
  batch.data = {pair};
  batch.states = {state};
  batch.states[0].coarsest = batch.states[0].level = 0;
  batch.states[0].status = Status::running;
  backend.run(batch);
  return batch.sums[0].equations;
}

}  // namespace dovetail
