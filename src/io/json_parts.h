// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dovetail/options.h"
#include "dovetail/registration.h"

// What the JSON of every kind of result is made of.

namespace dovetail::io::json {

using Json = nlohmann::ordered_json;  // prints doubles with the digits that read back as the same bits, NaN as null

template <int R, int C>
Json rows_of(const Matrix<double, R, C>& m) {
  Json rows = Json::array();
  for (int i = 0; i < R; ++i) {
    Json row = Json::array();
    for (int j = 0; j < C; ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

inline Json matrix_of(const Transform& t) { return dimension(t.model) == 2 ? rows_of(t.matrix2()) : rows_of(t.matrix); }

inline Json vector_of(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

/// Row by row; null where there is none.
inline Json covariance_of(const std::vector<double>& covariance) {
  if (covariance.empty()) return nullptr;
  std::size_t size = 1;
  while (size * size < covariance.size()) ++size;
  Json rows = Json::array();
  for (std::size_t i = 0; i < size; ++i) {
    const auto first = covariance.begin() + static_cast<std::ptrdiff_t>(i * size);
    rows.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size)));
  }
  return rows;
}

inline Json evidence_of(const Quality& quality) {
  Json evidence = Json::object();
  for (const Evidence& e : quality.evidence) evidence[e.name] = e.value;
  return evidence;
}

template <class Number>
Json parsed(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <class Options>
void add_options(Json& json, const Options& options) {
  for (const OptionInfo& info : list_options<Options>()) {
    const std::string text = get_option(options, info.name);
    if (info.kind == "number") {
      json[info.name] = parsed<double>(text);
    } else if (info.kind == "integer") {
      json[info.name] = text.starts_with('-') ? parsed<std::int64_t>(text) : parsed<std::uint64_t>(text);
    } else if (info.kind == "flag") {
      json[info.name] = text == "true";
    } else {
      json[info.name] = text;
    }
  }
}

}  // namespace dovetail::io::json
