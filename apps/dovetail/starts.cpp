// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/pose_file.h"
#include "usage.h"

namespace dovetail::app {
namespace {

/// What a pose has that a rigid one has not, in words.
std::string beyond_rigid(const Transform& pose) {
  const int size = dimension(pose.model);
  Mat3 linear = Mat3::identity();
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) linear(i, j) = pose.matrix(i, j);
  }
  const double volume = determinant(linear);
  if (pose.model == Model::projective2) return "it has a perspective";
  if (!(volume > 0)) return "it is a reflection";
  const double scale = size == 2 ? std::sqrt(volume) : std::cbrt(volume);
  if (pose.model == Model::similarity2 || pose.model == Model::similarity3) {
    return fmt::format("it scales by {:.8g}", scale);
  }
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) linear(i, j) /= scale;
  }
  const Mat3 rotation = polar_rotation(linear);
  double off = 0;
  for (int i = 0; i < Mat3::size; ++i) off = std::max(off, std::fabs(linear[i] - rotation[i]));
  return fmt::format("its matrix scales by {:.6g} and is then {:.2g} off a rotation, where 0.0001 is let pass", scale,
                     off);
}

void check_start(const std::string& file, const Transform& pose, int dimension_of_points, const StartModel& model) {
  if (dimension(pose.model) != dimension_of_points) {
    throw FileError(fmt::format("{}: a {} pose cannot be a start of points in {} dimensions", file,
                                to_string(pose.model), dimension_of_points));
  }
  if (pose.model <= model.widest) return;
  throw FileError(fmt::format("{}: the pose is {}: {}; allowed as a start: {}", file, to_string(pose.model),
                              beyond_rigid(pose), model.allowed));
}

}  // namespace

StartModel start_model(const Chamfer& options, int dimension) {
  const int first = static_cast<int>(dimension == 2 ? Model::rigid2 : Model::rigid3);
  const auto widest = static_cast<Model>(first + static_cast<int>(options.model));
  return {widest, fmt::format("what --model contains, here {}", to_string(widest))};
}

void add_start_flag(CLI::App& command, std::vector<std::string>& starts) {
  command
      .add_option("--start", starts,
                  "where the source is placed first: a result JSON, a text file with the matrix row by row, identity "
                  "(the default) or centroid; repeat it to try several")
      ->type_name("FILE|identity|centroid")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Input");
}

void add_covariance_flag(CLI::App& command, std::string& file) {
  command
      .add_option("--start-covariance", file,
                  "how well the start is known: a result JSON, which may be the start's own, or a text file with the "
                  "6x6 covariance (3x3 in 2D) row by row")
      ->type_name("FILE")
      ->group("Input");
}

void set_start_covariance(Run& run, const std::string& file, int dimension) {
  if (file.empty()) return;
  StoredCovariance stored = read_covariance(file);
  const std::size_t size = dimension == 2 ? 3 : 6;
  if (stored.covariance.size() != size * size) {
    throw FileError(
        fmt::format("{}: the covariance has {} numbers; that of a rigid start of points in {} dimensions has "
                    "{}x{}",
                    file, stored.covariance.size(), dimension, size, size));
  }
  run.start_covariance = std::move(stored.covariance);
  run.start_covariance_center = stored.center;
}

void set_starts(Run& run, const std::vector<std::string>& starts, int dimension, const StartModel& model) {
  std::vector<Transform> poses;
  for (const std::string& start : starts) {
    if (start == "centroid") {
      run.start_at_centroid = true;
    } else if (start == "identity") {
      poses.push_back(Transform::identity(dimension == 2 ? Model::rigid2 : Model::rigid3));
    } else {
      if (!std::filesystem::exists(start)) {
        throw FileError(start + ": there is no such file" + suggestion(start, {"identity", "centroid"}));
      }
      poses.push_back(read_pose(start));
      check_start(start, poses.back(), dimension, model);
    }
  }
  // A single pose is the start; several are refined side by side, ranked, and none goes before the others.
  if (starts.size() == 1 && poses.size() == 1) {
    run.start = poses.front();
  } else {
    run.starts = std::move(poses);
  }
}

}  // namespace dovetail::app
