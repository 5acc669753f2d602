// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/drawn_parts.h"

#include <algorithm>
#include <cmath>

#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

/// The pose of the mesh as it is drawn, about the part's centre.
Rigid3 camera_from_mesh(const PosedPart& part) {
  const Rigid3& pose = part.camera_from_part;
  return {pose.rotation, pose * part.wanted->part->center};
}

}  // namespace

PosedPart posed_part(const RangeScene& scene, const WantedPart& wanted, const Rigid3& camera_from_part) {
  return {&wanted, camera_from_part, seen_region(wanted.shape->mesh, camera_from_part, pinhole_of(scene.camera))};
}

DrawnParts::DrawnParts(const FineScene& scene, std::vector<PosedPart> parts)
    : scene_(scene), parts_(std::move(parts)), seen_(parts_.size()) {
  if (parts_.empty()) return;
  for (const PosedPart& part : parts_) {
    const PixelRegion& r = part.region;
    regions_.push_back({r.left, r.top, r.width, r.height, pixel_count_});
    pixel_count_ += r.pixels();
  }
  std::vector<RasterDraw> draws;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    draws.push_back({scene.part(*parts_[i].wanted).mesh, camera_from_mesh(parts_[i]), 0, i, true});
  }
  Memory& memory = scene.backend().memory();
  drawn_ = memory.room<raster::Pixel>(pixel_count_, keeper_);
  agree_ = memory.room<std::uint8_t>(pixel_count_, keeper_);
  Rasterise job;
  job.camera = scene.camera();
  job.regions = memory.put(regions_, keeper_);
  job.region_count = static_cast<std::uint32_t>(regions_.size());
  job.draws = memory.put(draws, keeper_);
  job.draw_count = static_cast<std::uint32_t>(draws.size());
  job.most_triangles = scene.most_triangles();
  job.pixels = drawn_, job.pixel_count = pixel_count_;
  scene.backend().run(job);

  Batch<drawn::DrawnPart> judged = batch();
  for (std::size_t i = 0; i < parts_.size(); ++i) judged.states.push_back(state(i, drawn::Phase::seen));
  scene.backend().run(judged);
  for (std::size_t i = 0; i < parts_.size(); ++i) seen_[i] = judged.states[i].seen;
  agrees_ = memory.get(static_cast<const std::uint8_t*>(agree_), pixel_count_);
  if (!memory.is_host()) copied_ = memory.get(static_cast<const raster::Pixel*>(drawn_), pixel_count_);
  pixels_ = memory.is_host() ? std::span<const raster::Pixel>(drawn_, pixel_count_) : std::span(copied_);
}

Batch<drawn::DrawnPart> DrawnParts::batch() const {
  std::uint32_t largest = 0;
  for (const PosedPart& part : parts_) largest = std::max(largest, static_cast<std::uint32_t>(part.region.pixels()));
  Batch<drawn::DrawnPart> batch;
  batch.keeps_sums = false;
  // An entry for each part of the database, by its number.
  batch.data.resize(scene_.part_count());
  for (const PosedPart& posed : parts_) {
    const PlacedShape& part = scene_.part(*posed.wanted);
    batch.data[posed.wanted->index] = {
        scene_.view(), part.mesh, part.surface, part.surface_count, drawn_, agree_, largest + part.surface_count};
  }
  return batch;
}

drawn::State DrawnParts::state(std::size_t i, drawn::Phase phase) const {
  drawn::State s;
  s.data = static_cast<std::uint32_t>(parts_[i].wanted->index);
  s.phase = phase;
  s.region = regions_[i];
  s.camera_from_mesh = camera_from_mesh(parts_[i]);
  s.tolerance = parts_[i].wanted->tolerance;
  return s;
}

std::vector<drawn::Told> DrawnParts::told(std::span<const std::size_t> which) const {
  if (which.empty()) return {};
  Batch<drawn::DrawnPart> counted = batch();
  for (const std::size_t i : which) counted.states.push_back(state(i, drawn::Phase::told));
  scene_.backend().run(counted);
  std::vector<drawn::Told> told;
  for (const drawn::State& s : counted.states) told.push_back(s.told);
  return told;
}

Verdict DrawnParts::verdict(std::size_t i) const {
  const drawn::Seen& seen = seen_[i];
  const auto count = [](double pixels) { return static_cast<long>(pixels); };
  Verdict verdict;
  const std::span<const raster::Pixel> pixels = pixels_of(i);
  verdict.rendered = {parts_[i].region, {pixels.begin(), pixels.end()}};
  const PoseReferences& part = *parts_[i].wanted->part;
  verdict.mesh = {part.vertices.data(), part.triangles.data(), static_cast<std::uint32_t>(part.triangles.size()),
                  static_cast<std::uint32_t>(part.vertices.size())};
  verdict.camera_from_mesh = camera_from_mesh(parts_[i]);
  const auto agrees = agrees_.begin() + static_cast<std::ptrdiff_t>(regions_[i].begin);
  verdict.agrees.assign(agrees, agrees + static_cast<std::ptrdiff_t>(pixels.size()));
  verdict.pixels = count(seen.pixels), verdict.explained = count(seen.explained);
  verdict.hidden = count(seen.hidden), verdict.impossible = count(seen.impossible);
  verdict.unknown = count(seen.unknown);
  verdict.rmse = seen.explained > 0 ? std::sqrt(seen.squares / seen.explained) : 0;
  return verdict;
}

std::vector<Vec3> DrawnParts::visible_points(std::size_t i, std::size_t most) const {
  const Rigid3 part_from_camera = parts_[i].camera_from_part.inverse();
  const PixelRegion& region = parts_[i].region;
  const std::span<const raster::Pixel> pixels = pixels_of(i);
  const auto seen = static_cast<std::size_t>(seen_[i].pixels);
  int step = 1;
  while (seen / static_cast<std::size_t>(step * step) > most) ++step;
  std::vector<Vec3> points;
  for (int y = region.top + step / 2; y < region.bottom(); y += step) {
    for (int x = region.left + step / 2; x < region.right(); x += step) {
      const float depth = raster::depth_of(pixels[region.offset(x, y)]);
      if (depth > 0) {
        points.push_back(part_from_camera * (static_cast<double>(depth) * scene_.scene().camera.direction(x, y)));
      }
    }
  }
  return points;
}

}  // namespace dovetail::pose
