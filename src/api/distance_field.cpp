// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/distance_field.h"

#include <charconv>
#include <fstream>
#include <limits>

#include "dovetail/options.h"
#include "io/field_file.h"
#include "prepare/field_plan.h"
#include "register/backend_of_run.h"

namespace dovetail {

int DistanceField::dimension() const { return data_->dimension(); }
double DistanceField::cell() const { return 1 / data_->frame.scale; }
bool DistanceField::banded() const { return data_->levels.back().band > 0; }
double DistanceField::reach() const {
  return banded() ? data_->levels.back().band * cell() : std::numeric_limits<double>::infinity();
}
std::size_t DistanceField::points() const { return data_->points; }
std::size_t DistanceField::sites() const { return data_->levels.back().sites.size(); }
const std::optional<GeoFrame>& DistanceField::frame() const { return data_->geo; }
const std::string& DistanceField::source() const { return data_->source; }
void DistanceField::set_source(std::string name) { data_->source = std::move(name); }

Vec3 DistanceField::low() const {
  const FieldGrid& grid = data_->levels.back().grid;
  return data_->frame.from_local({double{grid.origin[0]}, double{grid.origin[1]}, double{grid.origin[2]}});
}
Vec3 DistanceField::high() const {
  const FieldGrid& grid = data_->levels.back().grid;
  Vec3 corner{};
  for (int a = 0; a < grid.dimension; ++a) {
    corner[a] = double{grid.origin[a]} + double{grid.cell} * static_cast<double>(grid.cells[a]);
  }
  return data_->frame.from_local(corner);
}

std::size_t DistanceField::cells() const {
  std::size_t sum = 0;
  for (const FieldLevel& level : data_->levels) sum += level.stored_cells();
  return sum;
}
std::size_t DistanceField::bytes() const {
  std::size_t sum = 0;
  for (const FieldLevel& level : data_->levels) {
    sum += 4 * (level.stored_cells() + level.tiles.slot.size()) + sizeof(Site) * level.sites.size();
  }
  return sum;
}

namespace {

/// A number of a PROJ string: "+lat_0=43.7".
std::optional<double> number_after(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return std::nullopt;
  double value = 0;
  const char* const begin = text.data() + at + name.size();
  if (std::from_chars(begin, text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

/// The frame that to_proj_string() wrote.
std::optional<GeoFrame> frame_from(const std::string& proj) {
  const auto longitude = number_after(proj, "+lon_0="), latitude = number_after(proj, "+lat_0=");
  if (!longitude || !latitude) return std::nullopt;
  return GeoFrame{*longitude, *latitude};
}

}  // namespace

DistanceField build_field(const Reference& reference, const FieldOptions& options, const Run& run) {
  validate(options);
  validate(run);
  const BackendOfRun backend(run);
  PlannedField plan;
  backend->on_host([&] { plan = plan_field(reference, options, run.origin_points); });
  build_field(plan, true, *backend);
  return DistanceField(std::make_shared<FieldData>(std::move(plan.field)));
}

DistanceField build_field(const PointCloud& reference, const FieldOptions& options, const Run& run) {
  return build_field(Reference{reference, {}, {}}, options, run);
}

void save_field(const std::filesystem::path& file, const DistanceField& field) {
  const FieldData& data = field.data();
  io::save_field_file(file, {data.frame, data.levels, data.lines, data.geo ? to_proj_string(*data.geo) : std::string(),
                             data.source, data.points, data.margin});
}

DistanceField load_field(const std::filesystem::path& file) {
  io::FieldFile read = io::load_field_file(file);
  auto data = std::make_shared<FieldData>();
  data->frame = read.frame;
  data->levels = std::move(read.levels);
  data->lines = std::move(read.lines);
  data->points = static_cast<std::size_t>(read.reference_points);
  data->margin = read.margin;
  data->geo = frame_from(read.crs);
  data->source = std::move(read.source);
  return DistanceField(std::move(data));
}

bool is_field_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  char first[16] = {};
  in.read(first, sizeof(first));
  return io::is_field_file({first, static_cast<std::size_t>(in.gcount())});
}

PointCloud reference_points(const DistanceField& field) {
  PointCloud cloud;
  cloud.dimension = field.dimension();
  for (const Site& site : field.data().levels.back().sites) {
    cloud.positions.push_back(field.data().frame.from_local({double{site.x}, double{site.y}, double{site.z}}));
    if (cloud.dimension == 2) cloud.positions.back()[2] = 0;
  }
  return cloud;
}

}  // namespace dovetail
