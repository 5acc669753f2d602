// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/result_json.h"

#include <fmt/format.h>

#include "dovetail/error.h"

namespace dovetail::report {
namespace {

/// Row by row; false where it is no square of that size and of numbers.
template <int N>
bool read_rows(const Json& rows, Matrix<double, N, N>& m) {
  for (int i = 0; i < N; ++i) {
    const Json& row = rows[static_cast<std::size_t>(i)];
    if (!row.is_array() || row.size() != N) return false;
    for (int j = 0; j < N; ++j) {
      const Json& number = row[static_cast<std::size_t>(j)];
      if (!number.is_number()) return false;
      m(i, j) = number.get<double>();
    }
  }
  return true;
}

}  // namespace

Json parse_result(const std::string& name, const std::string& text, const char* schema) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InvalidArgument(name + ": is no JSON");
  if (!json.is_object()) throw InvalidArgument(name + ": is no result of dovetail: a JSON object was expected");
  const auto written = json.find("schema");
  if (written == json.end() || !written->is_string()) {
    throw InvalidArgument(
        fmt::format("{}: is no result of dovetail: \"schema\" is missing, {} was expected", name, schema));
  }
  if (*written != schema) {
    throw InvalidArgument(
        fmt::format("{}: \"schema\" is {}, {} was expected", name, written->get<std::string>(), schema));
  }
  return json;
}

std::optional<Transform> pose_at(const Json& json, const char* key) {
  const auto rows = json.find(key);
  if (rows == json.end() || !rows->is_array()) return {};
  Mat3 flat{};
  Mat4 whole{};
  if (rows->size() == 3 && read_rows(*rows, flat)) return Transform(Model::projective2, Transform::embedded(flat));
  if (rows->size() == 4 && read_rows(*rows, whole)) return Transform(Model::affine3, whole);
  return {};
}

double number_at(const Json& json, const char* key, double otherwise) {
  const auto number = json.find(key);
  return number != json.end() && number->is_number() ? number->get<double>() : otherwise;
}

}  // namespace dovetail::report
