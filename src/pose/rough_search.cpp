// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rough_search.h"

#include <algorithm>
#include <cmath>

#include "pose/laid_images.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

/// States of a batch: enough to fill a large GPU many times over.
constexpr std::size_t most_states = 65536;

std::int32_t steps(double pixels, int of_pixel) { return static_cast<std::int32_t>(std::lround(pixels * of_pixel)); }

/// What the error of a place is worth, larger is better. (7)
double worth_of(RoughErrors errors, double error, double size) {
  // What shows much of itself and fits is worth more than a little that fits.
  return errors == RoughErrors::paper ? -error / std::max(size, 1e-6) : (0.5 - error) * std::sqrt(size);
}

}  // namespace

rough::Params rough_params(RoughErrors errors, const PoseReferences& part) {
  rough::Params p;
  p.step = steps(2, depth_steps);
  if (errors == RoughErrors::paper) {
    // λ = 20 of depths in widths of the image, and distances in pixels; nothing is too far off to count.
    p.tolerance = steps(part.image_size, depth_steps);
    p.reach = steps(16, distance_steps);
    p.range = 20.0 / p.tolerance;
    p.cover = 1.0 / distance_steps;
    p.hidden = p.impossible = 20;
    p.unknown = 4;
    p.agreed_alone = true;
    return p;
  }
  // Depths of a part that is turned by the step between references are that far off.
  constexpr double turned = 0.06;  // of the diameter
  p.tolerance = steps(turned * 2 * part.radius / part.pixel, depth_steps);
  p.reach = steps(4, distance_steps);
  p.range = 0.375 / p.tolerance;
  p.cover = 0.25 / p.reach;
  p.hidden = 0.5;
  p.impossible = 1;
  p.unknown = 0.35;
  return p;
}

RoughSearch::RoughSearch(Backend& backend, const PoseDatabase& database, RoughErrors errors)
    : backend_(backend), errors_(errors), parts_(database.cache().in(backend, database.parts(), errors)) {
  for (const PoseReferences& part : database.parts()) params_.push_back(rough_params(errors, part));
}

RoughSearch::RoughSearch(Backend& backend, std::span<const PoseReferences> parts, RoughErrors errors)
    : backend_(backend),
      errors_(errors),
      parts_(std::make_shared<const std::vector<RoughPart>>(rough_parts(backend, parts, errors))) {
  for (const PoseReferences& part : parts) params_.push_back(rough_params(errors, part));
}

std::vector<std::vector<RoughPose>> RoughSearch::run(std::span<const Job> jobs, const Control& control) const {
  std::vector<std::vector<RoughPose>> found(jobs.size());
  for (std::size_t p = 0; p < parts_->size(); ++p) {
    const std::size_t references = std::max<std::size_t>(1, (*parts_)[p].size.size());
    const std::size_t together = std::max<std::size_t>(1, most_states / references);
    std::vector<std::size_t> own;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].part == p) own.push_back(j);
    }
    for (std::size_t first = 0; first < own.size(); first += together) {
      const auto some = std::span(own).subspan(first, std::min(together, own.size() - first));
      if (!run_part(p, jobs, some, control, found)) return std::vector<std::vector<RoughPose>>(jobs.size());
    }
  }
  return found;
}

bool RoughSearch::run_part(std::size_t number, std::span<const Job> jobs, std::span<const std::size_t> own,
                           const Control& control, std::vector<std::vector<RoughPose>>& found) const {
  using Method = rough::RoughPose;
  const RoughPart& part = (*parts_)[number];
  const rough::Params& params = params_[number];
  const std::size_t references = part.size.size();
  std::vector<LaidWindow> windows(own.size());
  backend_.on_host(
      [&] { parallel_for(own.size(), 1, [&](std::size_t i) { windows[i] = laid_window(*jobs[own[i]].window); }); });
  Keeper keeper;
  Batch<Method> batch;
  batch.params = params;
  batch.control = control;
  batch.keeps_sums = false;
  // Each iteration of a simplex may need a second pass, and all seeds are looked at before.
  batch.max_iterations = 2 * params.iterations + static_cast<int>(part.most_seeds) + 2;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    Placed<WindowView> window = put(backend_.memory(), windows[i]);
    batch.data.push_back({window.view, part.placed.view});
    keeper.add(std::move(window.keeper));
    for (std::uint32_t r = 0; r < references; ++r) {
      batch.states.push_back(Method::first_state(params, i, r, part.laid.references[r]));
    }
  }
  backend_.run(batch);
  if (batch.stopped != StopRequest::none) return false;
  const ReferencesView laid = part.laid.view();
  backend_.on_host([&] {
    parallel_for(own.size(), 1, [&](std::size_t i) {
      const SceneWindow& window = *jobs[own[i]].window;
      std::vector<RoughPose>& poses = found[own[i]];
      for (std::size_t r = 0; r < references; ++r) {
        const rough::State& state = batch.states[i * references + r];
        const LaidShift shift = Method::shift_of(laid, state, state.corner[0]);
        const double pixels = 1.0 / depth_steps;
        poses.push_back({r, pixels * shift.x, pixels * shift.y, pixels * window.pixel * shift.z, state.error[0],
                         worth_of(errors_, state.error[0], part.size[r])});
      }
      std::stable_sort(poses.begin(), poses.end(),
                       [](const RoughPose& a, const RoughPose& b) { return a.worth > b.worth; });
    });
  });
  return true;
}

}  // namespace dovetail::pose
