// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "observed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "dovetail/distance_field.h"
#include "dovetail/error.h"

namespace dovetail::app {
namespace {

/// Points along the lines of an observation that is made of lines.
constexpr double points_along_lines = 20'000;

/// Whether it is an image, or may be one.
bool is_image(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::filesystem::exists(file, ignored);
  std::array<char, 8> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == "\x89PNG\r\n\x1a\n" || file.ends_with(".png");
}

}  // namespace

bool is_field(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && is_field_file(file);
}

void ReferenceFlags::add_to(CLI::App& command) {
  layer_ = command.add_option("--layer", options.layer, "of a map read through GDAL: the layer to take")
               ->type_name("NAME")
               ->group("Input");
  where_ =
      command.add_option("--where", options.where, "of such a map: the features to take, as \"highway = 'primary'\"")
          ->type_name("FILTER")
          ->group("Input");
  threshold_ =
      command
          .add_option("--threshold", options.threshold, "of images: pixels this bright, 0 to 255, count (default 128)")
          ->type_name("NUMBER")
          ->group("Input");
  dark_ = command.add_flag("--dark", options.dark, "of images: pixels darker than the threshold count")->group("Input");
}

void ReferenceFlags::check(std::initializer_list<std::string> files) const {
  for (const CLI::Option* flag : {threshold_, dark_}) {
    if (flag->count() == 0 || std::any_of(files.begin(), files.end(), is_image)) continue;
    throw InvalidArgument(
        fmt::format("{} is for images, and there is none: {}", flag->get_name(), fmt::join(files, ", ")));
  }
}

void ReferenceFlags::check_for_field(const std::string& field, const std::string& observed) const {
  for (const CLI::Option* flag : {layer_, where_, threshold_, dark_}) {
    const bool of_images = flag == threshold_ || flag == dark_;
    if (flag->count() == 0 || (of_images && is_image(observed))) continue;
    throw InvalidArgument(
        fmt::format("{}: {} is a field that was built already{}", flag->get_name(), field,
                    of_images ? fmt::format(", and {} is no image", observed) : "; give it to `dovetail field build`"));
  }
}

ReferenceOptions ReferenceFlags::for_observed() const {
  ReferenceOptions observed;
  observed.threshold = options.threshold;
  observed.dark = options.dark;
  return observed;
}

bool takes_degrees_as_numbers(const StoredPose& pose) {
  return !pose.method.empty() && pose.method != "chamfer" && !pose.source_frame && !pose.target_frame;
}

Reference read_in_frame(const std::string& file, ReferenceOptions options, const std::optional<GeoFrame>& frame) {
  options.frame = frame;
  options.planar_too = true;
  return read_reference(file, options);
}

Observed read_observed(const std::string& file, const ReferenceOptions& options, const std::optional<GeoFrame>& frame) {
  if (is_field(file)) {
    throw InvalidArgument(fmt::format("{} is a distance field, which is a reference: it has no points to move", file));
  }
  Reference moving = read_in_frame(file, options, frame);
  if (!moving.lines.empty()) {
    moving.points = sample_reference(moving, measure_reference(moving).length / points_along_lines);
  }
  return {std::move(moving.points), moving.frame};
}

}  // namespace dovetail::app
