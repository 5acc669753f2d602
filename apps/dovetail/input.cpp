// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "dovetail/distance_field.h"
#include "dovetail/error.h"
#include "dovetail/io.h"

namespace dovetail::app {
namespace {

/// Whether it is an image, or may be one.
bool is_image(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::filesystem::exists(file, ignored);
  std::array<char, 8> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == "\x89PNG\r\n\x1a\n" || file.ends_with(".png");
}

}  // namespace

void add_input(CLI::App& command, const char* name, std::string& file, const std::string& help) {
  command.add_option(name, file, help)->required()->group("Input");
}

bool is_field(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && is_field_file(file);
}

void ReferenceFlags::add_to(CLI::App& command) {
  const auto add = [&](const char* flag, auto& value, const char* type, const char* help) {
    return command.add_option(flag, value, help)->type_name(type)->group("Input");
  };
  layer_ = add("--layer", options.layer, "NAME", "of a map read through GDAL: the layer to take");
  where_ = add("--where", options.where, "FILTER", "of such a map: the features to take, as \"highway = 'primary'\"");
  threshold_ =
      add("--threshold", options.threshold, "NUMBER", "of images: pixels this bright, 0 to 255, count (default 128)");
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
  ReferenceOptions in_frame = options;
  in_frame.frame = frame;
  return dovetail::read_observed(file, std::move(in_frame));
}

Transform read_frame(const char* flag, const std::string& file) {
  constexpr const char* allowed = "allowed: a rotation and a shift in space, as 4x4 or 3x4";
  Transform frame;
  try {
    frame = read_pose(file);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}: {}; {}", flag, error.what(), allowed));
  }
  if (frame.model == Model::rigid3) return frame;
  const auto refuse = [&](const std::string& what) {
    throw FileError(fmt::format("{}: {}: {}; {}", flag, file, what, allowed));
  };
  if (dimension(frame.model) == 2) refuse("is a pose in the plane");
  const Mat4& m = frame.matrix;
  const Vec3 x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
  const double volume = dot(cross(x, y), z);
  if (volume < 0) refuse("is a mirror image");
  if (frame.model == Model::similarity3) refuse(fmt::format("scales by {:.6g}", std::cbrt(volume)));
  refuse("is no rotation: it shears, or scales one axis more than another");
  return frame;
}

PointCloud read_cloud(const std::string& file) {
  if (is_field(file)) {
    throw InvalidArgument(fmt::format(
        "{} is a distance field and no point file; `dovetail register chamfer` takes it as its reference", file));
  }
  return read_points(file);
}

std::vector<double> read_weights(const std::string& file, std::size_t points, const std::string& source) {
  std::ifstream in(file);
  if (!in) throw FileError(file + ": cannot be opened: " + std::generic_category().message(errno));
  if (std::filesystem::is_directory(file)) throw FileError(file + ": is a folder, not a file");
  std::vector<double> weights;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const std::size_t last = line.find_last_not_of(" \t\r") + 1;
    double weight = 0;
    const auto [end, error] = std::from_chars(line.data() + first, line.data() + last, weight);
    if (error != std::errc() || end != line.data() + last) {
      throw FileError(fmt::format("{}: line {}: '{}' is not one number", file, number,
                                  line.substr(first, std::min<std::size_t>(last - first, 40))));
    }
    if (!std::isfinite(weight) || weight < 0) {
      throw FileError(fmt::format("{}: line {}: {} is no weight; 0 or more is allowed", file, number, weight));
    }
    weights.push_back(weight);
  }
  if (in.bad() || weights.empty()) throw FileError(file + ": holds no weights");
  if (weights.size() != points) {
    throw FileError(fmt::format("{}: {} weights for the {} points of {}; one each is needed", file, weights.size(),
                                points, source));
  }
  if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; })) {
    throw FileError(file + ": all weights are 0; at least one must be positive");
  }
  return weights;
}

void check_dimensions(const std::string& source, int of_source, const std::string& target, int of_target) {
  if (of_source == of_target) return;
  throw FileError(
      fmt::format("{} has {} dimensions and {} has {}: they must be alike", source, of_source, target, of_target));
}

void check_dimension(const std::string& pose_file, Model model, const std::string& source, int of_source) {
  if (dimension(model) == of_source) return;
  throw FileError(fmt::format("{} is a pose in {} dimensions ({}), and {} has {}", pose_file, dimension(model),
                              to_string(model), source, of_source));
}

std::string of_flags(const std::string& message, std::initializer_list<FieldFlag> flags) {
  for (const auto& [field, flag] : flags) {
    if (!flag.empty() && message.starts_with(std::string(field) + ": ")) {
      return flag + message.substr(std::string_view(field).size());
    }
  }
  return message;
}

double milliseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace dovetail::app
