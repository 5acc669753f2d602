// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "dovetail/io.h"
#include "support/poses.h"
#include "support/test_data.h"

// The ground truth that comes with the real data.

namespace dovetail::test {

inline PointCloud data_points(const std::string& file) { return read_points(data_folder() / file); }

inline nlohmann::json data_json(const std::string& file) {
  std::ifstream in(data_folder() / file);
  return nlohmann::json::parse(in);
}

inline Transform pose_of(const nlohmann::json& rotation, const nlohmann::json& translation) {
  Mat4 m = Mat4::identity();
  for (int i = 0; i < 3; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int j = 0; j < 3; ++j) m(i, j) = rotation[row][static_cast<std::size_t>(j)].get<double>();
    m(i, 3) = translation[row].get<double>();
  }
  return Transform::from_matrix(Model::rigid3, m);
}

/// Sixteen numbers of a text file, row by row, after `skip` others.
inline Transform pose_in_text(const std::string& file, int skip = 0) {
  std::ifstream in(data_folder() / file);
  double number = 0;
  for (int i = 0; i < skip; ++i) in >> number;
  Mat4 m{};
  for (double& entry : m.data) in >> entry;
  if (!in) throw std::runtime_error(file + ": no 4x4 matrix");
  return Transform::from_matrix(Model::rigid3, m);
}

/// One scan of the Stanford bunny in the frame of another.
inline Transform bunny_truth(const std::string& target, const std::string& source) {
  const nlohmann::json world = data_json("stanford_bunny/world_from_scan.json");
  const auto world_from = [&](const std::string& scan) { return pose_of(world[scan]["R"], world[scan]["t"]); };
  return world_from(target).inverse() * world_from(source);
}

/// What was measured, in the test's log and its XML report.
inline void report(const std::string& what, double degrees, double shift) {
  testing::Test::RecordProperty(what + "_degrees", std::to_string(degrees));
  testing::Test::RecordProperty(what + "_shift", std::to_string(shift));
  std::printf("    %-28s %.4f degrees, %.3g units\n", what.c_str(), degrees, shift);
}

}  // namespace dovetail::test
