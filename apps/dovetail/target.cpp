// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "target.h"

#include <chrono>

namespace dovetail::app {
namespace {

/// Points along the lines of an observation that is made of lines.
constexpr double points_along_lines = 20'000;

}  // namespace

void ReferenceFlags::add_to(CLI::App& command) {
  command.add_option("--layer", options.layer, "of a map read through GDAL: the layer to take")
      ->type_name("NAME")
      ->group("Input");
  command.add_option("--where", options.where, "of such a map: the features to take, as \"highway = 'primary'\"")
      ->type_name("FILTER")
      ->group("Input");
  command
      .add_option("--threshold", options.threshold, "of an image: pixels this bright, 0 to 255, count (default 128)")
      ->type_name("NUMBER")
      ->group("Input");
  command.add_flag("--dark", options.dark, "of an image: pixels darker than the threshold count")->group("Input");
}

void Target<Chamfer>::add_to(CLI::App& command) {
  reference_flags_.add_to(command);
  field_flags_.add_to(command, "Distance field");
}

PointCloud Target<Chamfer>::read(const std::string& observed, const std::string& reference, double& milliseconds) {
  const auto began = std::chrono::steady_clock::now();
  ReferenceOptions same_frame;
  if (is_field_file(reference)) {
    field_.emplace(load_field(reference));
    same_frame.frame = field_->frame();
  } else {
    reference_ = read_reference(reference, reference_flags_.options);
    same_frame.frame = reference_.frame;
  }
  Reference moving = read_reference(observed);
  if (moving.frame && same_frame.frame) moving = read_reference(observed, same_frame);  // it was in degrees as well
  if (!moving.lines.empty()) {
    moving.points = sample_reference(moving, measure_reference(moving).length / points_along_lines);
  }
  milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  return std::move(moving.points);
}

Registration Target<Chamfer>::align(const PointCloud& moving, const Chamfer& options, const Run& run) const {
  return field_ ? register_points(moving, *field_, options, run) : register_points(moving, reference_, options, run);
}

}  // namespace dovetail::app
