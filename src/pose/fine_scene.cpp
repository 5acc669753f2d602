// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/fine_scene.h"

#include <algorithm>

#include "spatial/parallel.h"

namespace dovetail::pose {

FineScene::FineScene(Backend& backend, const RangeScene& scene, const Background& background, Shapes shapes)
    : backend_(backend), scene_(scene), pixels_(scene.depth.size()), shapes_(std::move(shapes)) {
  parallel_for(pixels_.size(), 65536, [&](std::size_t i) {
    const Vec3f& n = scene.normal[i];
    pixels_[i] = {scene.depth[i], {n[0], n[1], n[2]}};
  });
  for (const Background::Plane& plane : background.planes) planes_.push_back({plane.normal, plane.height});
  const DepthCamera& camera = scene.camera;
  Memory& memory = backend.memory();
  view_.pixels = memory.put(pixels_, keeper_);
  view_.edge_distance = memory.put(scene.distance, keeper_);
  view_.background = memory.put(background.seen, keeper_);
  view_.limit = memory.put(background.limit, keeper_);
  view_.planes = memory.put(planes_, keeper_);
  view_.width = camera.width, view_.height = camera.height;
  view_.fx = camera.fx, view_.fy = camera.fy;
  view_.cx = camera.cx - camera.pixel_center, view_.cy = camera.cy - camera.pixel_center;
  view_.edge_step = scene.edge_step;
  camera_ = {view_.fx, view_.fy, view_.cx + 0.5, view_.cy + 0.5};
  for (const PlacedShape& part : *shapes_) most_triangles_ = std::max(most_triangles_, part.mesh.count);
}

namespace {

fine::State state_of(const Rigid3& pose, const FineSettings& s, std::uint32_t data, const PointSets::Set& set) {
  fine::State state = fine::first_state(pose, s.first, s.last, s.iterations, s.tolerance);
  state.data = data;
  state.first = set.first, state.count = set.count;
  state.middle = set.middle, state.radius = set.radius;
  return state;
}

std::vector<FinePose> run(const FineScene& scene, Batch<fine::FinePose>& batch, const Control& control) {
  batch.control = control;
  batch.keeps_sums = false;
  for (const fine::State& s : batch.states) batch.max_iterations = std::max(batch.max_iterations, s.iterations + 1);
  std::vector<FinePose> refined;
  if (batch.states.empty()) return refined;
  scene.backend().run(batch);
  if (batch.stopped != StopRequest::none) return refined;
  for (const fine::State& s : batch.states) refined.push_back({s.camera_from_part, s.verdict});
  return refined;
}

}  // namespace

std::vector<FinePose> refine_references(const FineScene& scene, std::span<const ReferencePose> poses,
                                        const Control& control) {
  Batch<fine::FinePose> batch;
  std::vector<std::uint32_t> data_of(scene.part_count(), 0);  // from 1
  for (const ReferencePose& p : poses) {
    std::uint32_t& data = data_of[p.wanted->index];
    if (data == 0) {
      batch.data.push_back({scene.view(), scene.part(*p.wanted).points});
      data = static_cast<std::uint32_t>(batch.data.size());
    }
    batch.states.push_back(state_of(p.pose, p.settings, data - 1, p.wanted->shape->points.sets[p.reference]));
  }
  return run(scene, batch, control);
}

std::vector<FinePose> refine_seen(const FineScene& scene, std::span<const SeenPose> poses, const Control& control) {
  PointSets sets;
  sets.reserve(poses.size(), [&](std::size_t i) { return poses[i].points.size(); });
  parallel_for(poses.size(), 1, [&](std::size_t i) { sets.fill(i, poses[i].points); });
  Memory& memory = scene.backend().memory();
  Keeper keeper;
  Batch<fine::FinePose> batch;
  batch.data.push_back(
      {scene.view(),
       {memory.put(sets.x, keeper), memory.put(sets.y, keeper), memory.put(sets.z, keeper), sets.largest}});
  for (std::size_t i = 0; i < poses.size(); ++i) {
    batch.states.push_back(state_of(poses[i].pose, poses[i].settings, 0, sets.sets[i]));
  }
  return run(scene, batch, control);
}

}  // namespace dovetail::pose
