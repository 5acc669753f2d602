// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/image_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dovetail/error.h"
#include "io/file.h"
#include "pose/surface_errors.h"
#include "pose/thresholds.h"

namespace dovetail::pose {
namespace {

/// The most visible truths, as many as are wanted; of equally visible ones the first.
std::vector<std::uint8_t> targets_among(const ObjectInImage& object) {
  std::vector<std::size_t> order = first_of(object.truths.size());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return object.truths[a].visible_share > object.truths[b].visible_share;
  });
  std::vector<std::uint8_t> is_target(object.truths.size(), 0);
  for (std::size_t i = 0; i < std::min(order.size(), object.wanted); ++i) is_target[order[i]] = 1;
  return is_target;
}

/// Poses whose origins are a diameter apart are taken for wrong unseen.
bool may_be_right(const ObjectInImage& object, const Rigid3& estimate, const Rigid3& truth) {
  return norm(estimate.translation - truth.translation) < object.model->info.diameter;
}

void add_surface_errors(const ScoredImage& image, const ObjectInImage& object, ObjectErrors& errors) {
  const ObjectModel& model = *object.model;
  const double to_640 = 640.0 / image.width;
  // Beyond the largest of the thresholds, by a little, no score asks how far.
  const double most_pixels = 1.01 * pixel_thresholds().back() / to_640;
  const double most_millimetres =
      1.01 * std::max(millimetre_thresholds().back(), share_thresholds().back() * model.info.diameter);
  for (std::size_t e = 0; e < object.estimates.size(); ++e) {
    const Rigid3& estimate = object.estimates[e].camera_from_object;
    const bool detected = image.detect && object.kept[e] != 0;
    for (std::size_t t = 0; t < object.truths.size(); ++t) {
      const Rigid3& truth = object.truths[t].camera_from_object;
      errors.bulk(e, t) = model.bulk.distance(estimate, truth);
      if (!detected && (e >= errors.localised || errors.is_target[t] == 0)) continue;
      errors.mspd(e, t) = to_640 * mspd(estimate, truth, image.camera.k, model.vertices, model.symmetries, most_pixels);
      if (may_be_right(object, estimate, truth)) {
        errors.mssd(e, t) = mssd(estimate, truth, model.vertices, model.symmetries, most_millimetres);
      }
    }
  }
}

void add_mean_errors(const ObjectInImage& object, ObjectErrors& errors) {
  const ObjectModel& model = *object.model;
  // Between two steps of a free turn vertices move by less than 0.01 of the diagonal.
  const double most = (a_tenth + 0.02) * model.box_diagonal;
  errors.vertex_errors.resize(errors.localised * object.truths.size());
  for (std::size_t e = 0; e < errors.localised; ++e) {
    const Rigid3& estimate = object.estimates[e].camera_from_object;
    for (std::size_t t = 0; t < object.truths.size(); ++t) {
      if (errors.is_target[t] == 0) continue;
      const Rigid3& truth = object.truths[t].camera_from_object;
      const VertexError vertex =
          vertex_error(estimate, truth, model.vertices, model.symmetries, model.info.continuous, most);
      errors.vertex_errors[e * object.truths.size() + t] = vertex;
      errors.vertex(e, t) = vertex.distance / model.box_diagonal;
      if (!may_be_right(object, estimate, truth)) continue;
      errors.add(e, t) = add_error(estimate, truth, model.vertices);
      errors.adi(e, t) = adi_error(estimate, truth, model.vertices);
    }
  }
}

MeasuredDistances read_measured(const ScoredImage& image) {
  const io::FileBytes bytes(image.depth);
  const io::DepthPng depth = io::read_depth_png(image.depth.string(), bytes.view());
  const Mat3& k = image.camera.k;
  constexpr std::uint32_t most = 65536;
  if (depth.width > most || depth.height > most) {
    throw FileError(fmt::format("{}: {} x {} pixels; at most {} each are rendered", image.depth.string(), depth.width,
                                depth.height, most));
  }
  if (image.height > 0 && (depth.width != static_cast<std::uint32_t>(image.width) ||
                           depth.height != static_cast<std::uint32_t>(image.height))) {
    throw FileError(fmt::format("{}: {} x {} pixels; allowed: {} x {}, as the data set's camera says",
                                image.depth.string(), depth.width, depth.height, image.width, image.height));
  }
  const Pinhole camera{
      k(0, 0), k(1, 1), k(0, 2), k(1, 2), static_cast<int>(depth.width), static_cast<int>(depth.height)};
  return measured_distances(depth, image.camera.depth_scale, camera);
}

RenderedDepth render(const ObjectModel& model, const Rigid3& pose, const Pinhole& camera) {
  const PosedMesh posed{&*model.render, pose};
  return render_depth({&posed, 1}, camera, region_of(posed, camera));
}

void add_vsd(const ObjectInImage& object, const MeasuredDistances& measured, double delta, ObjectErrors& errors) {
  const ObjectModel& model = *object.model;
  std::vector<std::optional<RenderedDepth>> truths(object.truths.size());
  for (std::size_t e = 0; e < errors.localised; ++e) {
    const Rigid3& estimate = object.estimates[e].camera_from_object;
    std::optional<RenderedDepth> estimated;
    for (std::size_t t = 0; t < object.truths.size(); ++t) {
      if (errors.is_target[t] == 0) continue;
      const Rigid3& truth = object.truths[t].camera_from_object;
      std::array<double, vsd_tolerances> values;
      values.fill(1);
      if (may_overlap(estimate.translation, truth.translation, model.info.diameter)) {
        if (!estimated) estimated = render(model, estimate, measured.camera);
        if (!truths[t]) truths[t] = render(model, truth, measured.camera);
        values = vsd(*estimated, *truths[t], measured, delta, model.info.diameter);
      }
      for (std::size_t i = 0; i < vsd_tolerances; ++i) errors.vsd[i](e, t) = values[i];
    }
  }
}

}  // namespace

std::vector<ObjectErrors> errors_of(const ScoredImage& image, bool with_vsd, double vsd_delta) {
  std::vector<ObjectErrors> all;
  std::optional<MeasuredDistances> measured;
  for (const ObjectInImage& object : image.objects) {
    const std::size_t estimates = object.estimates.size(), truths = object.truths.size();
    ObjectErrors errors;
    errors.localised = std::min(estimates, object.wanted);
    errors.is_target = targets_among(object);
    for (ErrorTable* table : {&errors.mssd, &errors.mspd, &errors.bulk}) *table = ErrorTable(estimates, truths);
    for (ErrorTable* table : {&errors.add, &errors.adi, &errors.vertex}) *table = ErrorTable(errors.localised, truths);
    for (ErrorTable& table : errors.vsd) table = ErrorTable(errors.localised, truths);
    add_surface_errors(image, object, errors);
    add_mean_errors(object, errors);
    if (with_vsd && errors.localised > 0 && truths > 0) {
      if (!measured) measured = read_measured(image);
      add_vsd(object, *measured, vsd_delta, errors);
    }
    all.push_back(std::move(errors));
  }
  return all;
}

}  // namespace dovetail::pose
