// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/json_pose.h"

#include <fmt/format.h>

#include "dovetail/error.h"
#include "io/json_text.h"

namespace dovetail::io {
namespace {

constexpr std::size_t most_tangent = 12;  ///< numbers of the largest model's small motions

/// Refuses a file for what stands under one of its keys.
class Refusal {
 public:
  explicit Refusal(const std::string& file) : file_(file) {}
  [[noreturn]] void operator()(std::string_view key, std::string_view reason) const {
    throw FileError(fmt::format("{}: \"{}\": {}", file_, key, reason));
  }

 private:
  const std::string& file_;
};

std::vector<double> numbers_of(const Json& list, std::string_view key, const Refusal& refuse, std::size_t most = 4) {
  if (!list.is_array()) refuse(key, "a list of numbers was expected");
  if (list.size() > most) refuse(key, fmt::format("{} numbers in a row; at most {} are allowed", list.size(), most));
  std::vector<double> numbers;
  for (const Json& number : list) {
    if (!number.is_number()) refuse(key, fmt::format("{} is not a number", number.type_name()));
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

std::vector<std::vector<double>> matrix_of(const Json& rows, std::string_view key, const Refusal& refuse) {
  if (!rows.is_array() || rows.empty()) refuse(key, "a list of rows was expected");
  if (rows.size() > 4) refuse(key, fmt::format("{} rows; a pose has at most 4", rows.size()));
  std::vector<std::vector<double>> matrix;
  for (const Json& row : rows) matrix.push_back(numbers_of(row, key, refuse));
  return matrix;
}

std::optional<GeoFrame> frame_of(const Json& json, const char* key, const Refusal& refuse) {
  const auto frame = json.find(key);
  if (frame == json.end() || frame->is_null()) return std::nullopt;
  const auto number = [&](const char* name) {
    const auto value = frame->find(name);
    if (value == frame->end() || !value->is_number()) refuse(key, fmt::format("a number {} was expected", name));
    return value->get<double>();
  };
  if (!frame->is_object()) refuse(key, "an object was expected");
  return GeoFrame{number("longitude"), number("latitude")};
}

StoredPose origin_of(const Json& json, const Refusal& refuse) {
  StoredPose origin;
  if (const auto method = json.find("method"); method != json.end() && method->is_string()) {
    origin.method = method->get<std::string>();
  }
  if (const auto distance = json.find("inlier_distance"); distance != json.end() && distance->is_number()) {
    origin.inlier_distance = distance->get<double>();
  }
  if (const auto usable = json.find("usable"); usable != json.end() && usable->is_boolean()) {
    origin.usable = usable->get<bool>();
  }
  origin.source_frame = frame_of(json, "source_frame", refuse);
  origin.target_frame = frame_of(json, "target_frame", refuse);
  return origin;
}

}  // namespace

PoseRows rows_from_json(const std::string& file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  const Refusal refuse(file);
  PoseRows pose;
  if (json.is_array()) {
    pose.rows = matrix_of(json, "matrix", refuse);
    return pose;
  }
  pose.origin = origin_of(json, refuse);
  if (const auto model = json.find("model"); model != json.end() && model->is_string()) {
    try {
      pose.model = model_from_string(model->get_ref<const std::string&>());
    } catch (const InvalidArgument& error) {
      refuse("model", error.what());
    }
  }
  for (const char* key : {"target_from_source", "T"}) {
    if (const auto matrix = json.find(key); matrix != json.end()) {
      pose.rows = matrix_of(*matrix, key, refuse);
      return pose;
    }
  }
  const auto rotation = json.find("R"), translation = json.find("t");
  if (rotation == json.end() || translation == json.end()) {
    throw FileError(file + ": holds no pose: neither \"target_from_source\" nor \"T\" nor both \"R\" and \"t\"");
  }
  pose.rows = matrix_of(*rotation, "R", refuse);
  const std::vector<double> shift = numbers_of(*translation, "t", refuse);
  if (shift.size() != pose.rows.size()) {
    refuse("t", fmt::format("{} numbers for the {} rows of \"R\"", shift.size(), pose.rows.size()));
  }
  for (std::size_t i = 0; i < shift.size(); ++i) pose.rows[i].push_back(shift[i]);
  if (shift.size() == 2) pose.rows.push_back({0, 0, 1});
  return pose;
}

StoredCovariance covariance_from_json(const std::string& file, std::string_view bytes) {
  constexpr const char *matrix = "covariance", *center = "covariance_center";
  const Json json = parse_json(file, bytes);
  const Refusal refuse(file);
  const auto rows = json.find(matrix), place = json.find(center);
  if (rows == json.end() || rows->is_null()) throw FileError(file + ": the result has no covariance");
  if (!rows->is_array()) refuse(matrix, "a list of rows was expected");
  StoredCovariance stored;
  for (const Json& row : *rows) {
    const std::vector<double> numbers = numbers_of(row, matrix, refuse, most_tangent);
    if (numbers.size() != rows->size()) {
      refuse(matrix,
             fmt::format("a row of {} numbers among {} rows; a square was expected", numbers.size(), rows->size()));
    }
    stored.covariance.insert(stored.covariance.end(), numbers.begin(), numbers.end());
  }
  if (place == json.end() || place->is_null()) return stored;
  const std::vector<double> at = numbers_of(*place, center, refuse);
  if (at.size() != 3) refuse(center, fmt::format("{} numbers; x, y and z were expected", at.size()));
  stored.center = Vec3{at[0], at[1], at[2]};
  return stored;
}

}  // namespace dovetail::io
