// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "io/scalar_type.h"

namespace dovetail::io {
namespace {

using Names = std::initializer_list<std::string_view>;

std::optional<std::size_t> find_column(const std::vector<Attribute>& columns, Names names) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].components != 1) continue;
    if (std::find(names.begin(), names.end(), to_lower(columns[i].name)) != names.end()) return i;
  }
  return std::nullopt;
}

/// The three columns a vector is spread over, or none of them.
std::vector<std::size_t> find_three(const std::vector<Attribute>& columns, Names first, Names second, Names third) {
  const auto a = find_column(columns, first), b = find_column(columns, second), c = find_column(columns, third);
  if (!a || !b || !c) return {};
  return {*a, *b, *c};
}

template <class F>
void for_each_value(const Attribute& column, F&& f) {
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) f(i, values[i]);
      },
      column.values);
}

std::size_t value_count(const Attribute& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

void drop_columns(std::vector<Attribute>& columns, std::vector<std::size_t> taken) {
  std::sort(taken.rbegin(), taken.rend());
  for (const std::size_t i : taken) columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
}

std::vector<std::size_t> take_positions(const std::vector<Attribute>& columns, PointCloud& cloud,
                                        const Cursor& cursor) {
  const auto x = find_column(columns, {"x"}), y = find_column(columns, {"y"}), z = find_column(columns, {"z"});
  if (!x || !y) cursor.fail("the points have no coordinate {}", x ? "y" : "x");
  std::vector<std::size_t> taken = {*x, *y};
  if (z) taken.push_back(*z);
  cloud.dimension = z ? 3 : 2;
  cloud.precision = Precision::float32;
  cloud.positions.resize(value_count(columns[*x]));
  for (std::size_t axis = 0; axis < taken.size(); ++axis) {
    const Attribute& column = columns[taken[axis]];
    if (type_of(column.values) != ScalarType::float32) cloud.precision = Precision::float64;
    for_each_value(column, [&](std::size_t i, auto value) {
      cloud.positions[i][static_cast<int>(axis)] = static_cast<double>(value);
    });
  }
  return taken;
}

void take_normals(const std::vector<Attribute>& columns, const std::vector<std::size_t>& xyz, PointCloud& cloud) {
  cloud.normals.resize(cloud.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for_each_value(columns[xyz[axis]], [&](std::size_t i, auto value) {
      cloud.normals[i][static_cast<int>(axis)] = static_cast<float>(value);
    });
  }
}

struct Range {
  double lowest = 0, highest = 0;
};

Range range_of(const Attribute& column, Range range) {
  for_each_value(column, [&](std::size_t, auto value) {
    const auto v = static_cast<double>(value);
    range.lowest = std::min(range.lowest, v);  // NaN compares false and leaves both
    range.highest = std::max(range.highest, v);
  });
  return range;
}

/// What to multiply a colour by so that it becomes 0..255; nothing when it is no colour.
std::optional<double> color_scale(Range range, bool floating) {
  if (range.lowest < 0 || range.highest > 65535) return std::nullopt;
  if (floating && range.highest <= 1) return 255.0;
  if (range.highest <= 255) return 1.0;
  return 1.0 / 256.0;  // the 16-bit value's upper byte, whether it was made by × 256 or × 257
}

bool looks_like_normals(const std::vector<Attribute>& columns, std::size_t first) {
  std::vector<double> squared(value_count(columns[first]));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for_each_value(columns[first + axis], [&](std::size_t i, auto value) {
      squared[i] += static_cast<double>(value) * static_cast<double>(value);
    });
  }
  bool any = false;
  for (const double s : squared) {
    if (s == 0 || std::isnan(s)) continue;  // a point whose normal is not known
    // Two decimals an axis, the fewest in use, leave the length of a unit vector within 0.009 of 1.
    if (std::abs(std::sqrt(s) - 1) > 0.01) return false;
    any = true;
  }
  return any;
}

bool looks_like_colors(const std::vector<Attribute>& columns, std::size_t first) {
  for (std::size_t i = first; i < first + 3; ++i) {
    if (is_floating(type_of(columns[i].values))) return false;
    const Range range = range_of(columns[i], {});
    if (range.lowest < 0 || range.highest > 255) return false;
  }
  return true;
}

}  // namespace

bool take_colors(const std::vector<Attribute>& columns, const std::vector<std::size_t>& rgba, PointCloud& cloud) {
  std::array<std::optional<double>, 4> scale;
  Range shared;
  for (std::size_t channel = 0; channel < 3; ++channel) shared = range_of(columns[rgba[channel]], shared);
  for (std::size_t channel = 0; channel < rgba.size(); ++channel) {
    const Attribute& column = columns[rgba[channel]];
    const bool floating = is_floating(type_of(column.values));
    // Alpha may be 0..1 beside colours of 0..255, but 16-bit colours have a 16-bit alpha.
    const Range range = channel < 3 ? shared : range_of(column, floating ? Range{} : shared);
    scale[channel] = color_scale(range, floating);
    if (!scale[channel]) return false;
  }
  cloud.colors.assign(cloud.size(), {0, 0, 0, 255});
  cloud.has_alpha = rgba.size() == 4;
  for (std::size_t channel = 0; channel < rgba.size(); ++channel) {
    const double factor = *scale[channel];
    const double rounding = factor < 1 ? 0.0 : 0.5;
    for_each_value(columns[rgba[channel]], [&](std::size_t i, auto value) {
      const double level = static_cast<double>(value) * factor + rounding;
      cloud.colors[i][channel] = static_cast<std::uint8_t>(level >= 0 ? std::min(level, 255.0) : 0.0);  // NaN: 0
    });
  }
  return true;
}

PointCloud cloud_from_columns(std::vector<Attribute> columns, const Cursor& cursor) {
  PointCloud cloud;
  drop_columns(columns, take_positions(columns, cloud, cursor));

  const auto normals = find_three(columns, {"nx", "normal_x"}, {"ny", "normal_y"}, {"nz", "normal_z"});
  if (!normals.empty()) {
    take_normals(columns, normals, cloud);
    drop_columns(columns, normals);
  }
  auto colors =
      find_three(columns, {"red", "r", "diffuse_red"}, {"green", "g", "diffuse_green"}, {"blue", "b", "diffuse_blue"});
  if (!colors.empty()) {
    if (const auto alpha = find_column(columns, {"alpha", "a", "diffuse_alpha"})) colors.push_back(*alpha);
    if (take_colors(columns, colors, cloud)) drop_columns(columns, colors);
  }
  cloud.attributes = std::move(columns);
  return cloud;
}

void name_columns_by_content(std::vector<Attribute>& columns) {
  const auto name = [&](std::size_t first, std::initializer_list<std::string_view> names) {
    for (const std::string_view n : names) columns[first++].name = n;
  };
  const std::size_t coordinates = columns.size() == 2 ? 2 : 3;
  coordinates == 2 ? name(0, {"x", "y"}) : name(0, {"x", "y", "z"});
  bool normals = false, colors = false;
  for (std::size_t i = coordinates; i < columns.size();) {
    const bool three_left = i + 3 <= columns.size();
    if (three_left && !normals && looks_like_normals(columns, i)) {
      name(i, {"nx", "ny", "nz"});
      normals = true;
      i += 3;
    } else if (three_left && !colors && looks_like_colors(columns, i)) {
      name(i, {"red", "green", "blue"});
      colors = true;
      i += 3;
    } else {
      columns[i].name = fmt::format("column_{}", i + 1);
      ++i;
    }
  }
}

}  // namespace dovetail::io
