// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "io/formats.h"
#include "io/las_layout.h"

namespace dovetail::io {
namespace {

/// Coordinates are whole steps on a grid: coordinate = step × scale + offset.
struct Grid {
  double scale = 0.001, offset = 0, lowest = 0, highest = 0;

  std::int32_t step(double coordinate) const {
    const double steps = std::round((coordinate - offset) / scale);
    return static_cast<std::int32_t>(std::clamp(steps, -2147483648.0, 2147483647.0));
  }
};

/// The finest of the steps 1, 2, 5 × 10^k at which the extent fits into 32 bits: half a step is then at most 3e-10 of
/// the extent, and decimal coordinates lie on the grid.
Grid choose_grid(const PointCloud& cloud, int axis) {
  Grid grid;
  grid.lowest = std::numeric_limits<double>::infinity();
  grid.highest = -grid.lowest;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const double coordinate = cloud.positions[i][axis];
    if (!std::isfinite(coordinate)) {
      throw InvalidArgument(
          fmt::format("a LAS file cannot hold invalid points, and point {} is one: remove them first", i));
    }
    grid.lowest = std::min(grid.lowest, coordinate);
    grid.highest = std::max(grid.highest, coordinate);
  }
  const double extent = grid.highest - grid.lowest;
  if (!std::isfinite(extent)) throw InvalidArgument("the points lie too far apart for a LAS file");
  const double finest = extent / 4.29e9;  // a little below 2^32 steps, for rounding at both ends
  if (!(finest > std::numeric_limits<double>::min())) {
    grid.offset = grid.lowest;  // all points share this coordinate
    return grid;
  }
  const double decade = std::pow(10.0, std::floor(std::log10(finest)));
  for (const double step : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    grid.scale = step * decade;
    if (grid.scale >= finest) break;
  }
  grid.offset = std::round((grid.lowest + extent / 2) / grid.scale) * grid.scale;
  return grid;
}

const Attribute* find_attribute(const PointCloud& cloud, std::string_view name) {
  for (const Attribute& attribute : cloud.attributes) {
    if (attribute.name == name && attribute.components == 1) return &attribute;
  }
  return nullptr;
}

double value_at(const Attribute& attribute, std::size_t i) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[i]); }, attribute.values);
}

/// The attributes that a record has a place for, put into it; what does not fit is brought to the nearest that does.
class RecordFiller {
 public:
  RecordFiller(const PointCloud& cloud, const LasLayout& layout) {
    for (const LasField& field : layout.fields) {
      if (const Attribute* attribute = find_attribute(cloud, field.name)) {
        sources_.push_back({field, attribute, 1});
      } else if (std::string_view(field.name) == "scan_angle") {
        // The older formats count whole degrees, the newer ones 0.006 of a degree.
        if (const Attribute* rank = find_attribute(cloud, "scan_angle_rank"))
          sources_.push_back({field, rank, 1 / 0.006});
      }
    }
  }

  void fill(std::size_t point, char* record) const {
    for (const Source& source : sources_) {
      const double value = value_at(*source.attribute, point) * source.factor;
      const LasField& field = source.field;
      with_type(field.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_floating_point_v<T>) {
          store(record + field.offset, static_cast<T>(value));
        } else {
          const double most = field.bits ? (1u << field.bits) - 1 : static_cast<double>(std::numeric_limits<T>::max());
          const double least = static_cast<double>(std::numeric_limits<T>::min());
          const double near = std::isnan(value) ? 0 : std::clamp(std::round(value), least, most);
          const T old = load<T>(record + field.offset);  // other bits of the same byte
          store(record + field.offset, static_cast<T>(old | static_cast<T>(near) << field.shift));
        }
      });
    }
  }

 private:
  struct Source {
    LasField field;
    const Attribute* attribute;
    double factor;
  };
  std::vector<Source> sources_;
};

constexpr std::size_t header_bytes = 375;

std::string make_header(const PointCloud& cloud, const Grid* grid, unsigned format, std::size_t record) {
  std::string header(header_bytes, '\0');
  const auto put = [&](std::size_t at, auto value) { store(&header[at], value); };
  const auto put_text = [&](std::size_t at, std::string_view text) { text.copy(&header[at], text.size()); };
  put_text(0, "LASF");
  put(6, std::uint16_t{16});  // coordinate systems, where there are any, as WKT: what formats 6 and up ask for
  put(24, std::uint8_t{1});
  put(25, std::uint8_t{4});
  put_text(58, "Dovetail");
  put(94, static_cast<std::uint16_t>(header_bytes));
  put(96, static_cast<std::uint32_t>(header_bytes));
  put(104, static_cast<std::uint8_t>(format));
  put(105, static_cast<std::uint16_t>(record));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(131 + 8 * axis, grid[axis].scale);
    put(155 + 8 * axis, grid[axis].offset);
    put(179 + 16 * axis, grid[axis].highest);
    put(187 + 16 * axis, grid[axis].lowest);
  }
  put(247, static_cast<std::uint64_t>(cloud.size()));
  std::uint64_t by_return[15] = {};
  const Attribute* returns = find_attribute(cloud, "return_number");
  for (std::size_t i = 0; returns && i < cloud.size(); ++i) {
    const double number = value_at(*returns, i);
    if (number >= 1 && number <= 15) ++by_return[static_cast<std::size_t>(number) - 1];
  }
  for (std::size_t i = 0; i < 15; ++i) put(255 + 8 * i, by_return[i]);
  return header;
}

}  // namespace

void check_las(const PointCloud& cloud) {
  for (int axis = 0; axis < 3; ++axis) choose_grid(cloud, axis);
}

void write_las(Output& out, const PointCloud& cloud, Encoding) {
  const unsigned format = cloud.colors.empty() ? 6 : find_attribute(cloud, "nir") ? 8 : 7;
  const LasLayout layout = las_layout(format);
  const Grid grid[3] = {choose_grid(cloud, 0), choose_grid(cloud, 1), choose_grid(cloud, 2)};
  const RecordFiller filler(cloud, layout);
  out.text(make_header(cloud, grid, format, layout.record));
  std::string record;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    record.assign(layout.record, '\0');
    for (std::size_t axis = 0; axis < 3; ++axis) {
      store(&record[4 * axis], grid[axis].step(cloud.positions[i][static_cast<int>(axis)]));
    }
    filler.fill(i, record.data());
    for (std::size_t c = 0; layout.rgb != 0 && c < 3; ++c) {
      store(&record[layout.rgb + 2 * c], static_cast<std::uint16_t>(cloud.colors[i][c] * 257));
    }
    out.text(record);
  }
}

}  // namespace dovetail::io
