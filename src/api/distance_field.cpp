// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/distance_field.h"

#include <limits>

#include "api/field_plan.h"
#include "api/machines.h"
#include "dovetail/options.h"
#include "io/field_file.h"
#include "io/file.h"

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

DistanceField build_field(const Reference& reference, const FieldOptions& options, const Run& run) {
  validate(options);
  validate(run);
  const BackendOfRun backend(run);
  PlannedField plan;
  backend->on_host([&] { plan = plan_field(reference, options, run.origin_points); });
  backend->build_field(plan.field, plan.keys, true);
  return DistanceField(std::make_shared<FieldData>(std::move(plan.field)));
}

DistanceField build_field(const PointCloud& reference, const FieldOptions& options, const Run& run) {
  return build_field(Reference{reference, {}, {}}, options, run);
}

}  // namespace dovetail
