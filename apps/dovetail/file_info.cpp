// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "file_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "dovetail/io.h"
#include "dovetail/pose_database.h"
#include "dovetail/prepare.h"
#include "input.h"
#include "mesh_notes.h"
#include "pose_build.h"
#include "summary.h"

namespace dovetail::app {
namespace {

/// A pipe is none: it can be read only once.
bool is_database(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  std::string begin(8, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in.gcount() == static_cast<std::streamsize>(begin.size()) && is_pose_database(begin);
}

void print_extent(const PointCloud& cloud) {
  constexpr double far = 1e300;
  Vec3 low{far, far, far}, high{-far, -far, -far};
  for (const Vec3& p : cloud.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  std::string sides, range;
  for (int k = 0; k < cloud.dimension; ++k) {
    sides += fmt::format("{}{:.6g}", k == 0 ? "" : " x ", high[k] - low[k]);
    range += fmt::format("{}{:.6g} to {:.6g}", k == 0 ? "" : ", ", low[k], high[k]);
  }
  print_line("extent", fmt::format("{} ({})", sides, range));
}

/// What a mesh's unit is likely to be: parts are millimetres to a metre large.
std::string likely_unit(double diagonal) {
  if (diagonal < 1) return fmt::format("m, if this is a part (its box has a diagonal of {:.4g} mm)", 1000 * diagonal);
  if (diagonal < 3000) return fmt::format("mm, if this is a part (its box has a diagonal of {:.4g} mm)", diagonal);
  return "not told by the size";
}

void print_cloud(const PointCloud& cloud) {
  print_line("points",
             fmt::format("{}{}{}", cloud.size(), cloud.dimension == 2 ? ", in the plane" : "",
                         cloud.organised() ? fmt::format(", {} x {} (organised)", cloud.width, cloud.height) : ""));
  DroppedPoints dropped;
  const PointCloud kept = drop_invalid(cloud, &dropped, OriginPoints::automatic);
  if (dropped.non_finite + dropped.at_origin > 0) {
    print_line("invalid", fmt::format("{} not finite, {} at the origin", dropped.non_finite, dropped.at_origin));
  }
  if (!cloud.faces.empty()) print_line("faces", fmt::format("{}", cloud.faces.size()));
  std::string has;
  const auto add = [&](const std::string& what) { has += (has.empty() ? "" : ", ") + what; };
  if (!cloud.normals.empty()) add("normals");
  if (!cloud.colors.empty()) add("colours");
  for (const Attribute& attribute : cloud.attributes) add(attribute.name);
  if (!has.empty()) print_line("with", has);
  if (kept.empty()) return;
  print_extent(kept);
  const CloudScale scale = measure_scale(kept);
  if (cloud.faces.empty()) print_line("spacing", fmt::format("{:.4g} in the median", scale.spacing));
  if (cloud.faces.empty()) return;
  print_line("unit", likely_unit(scale.extent));
  print_mesh_check(cloud);
}

}  // namespace

void print_field(const DistanceField& field) {
  const Vec3 low = field.low(), high = field.high();
  std::string domain;
  for (int a = 0; a < field.dimension(); ++a) {
    domain += fmt::format("{}{:.6g} to {:.6g}", a == 0 ? "" : ", ", low[a], high[a]);
  }
  print_line("dimension", fmt::format("{}", field.dimension()));
  print_line("domain", domain);
  print_line("cell", fmt::format("{:.6g}", field.cell()));
  print_line("cells",
             fmt::format("{} kept, {}", field.cells(),
                         field.banded() ? fmt::format("banded: exact up to {:.6g} away", field.reach()) : "dense"));
  print_line("reference", fmt::format("{} points in {} cells", field.points(), field.sites()));
  print_line("memory", fmt::format("{:.1f} MiB", static_cast<double>(field.bytes()) / (1 << 20)));
  if (field.frame()) print_line("frame", to_proj_string(*field.frame()));
  if (!field.source().empty()) print_line("made from", field.source());
}

void print_file(const std::string& file) {
  if (is_database(file)) {
    const PoseDatabase database = PoseDatabase::load(file);
    fmt::print("{}: a pose database\n", file);
    print_database(database);
  } else if (is_field(file)) {
    const DistanceField field = load_field(file);
    fmt::print("{}: a distance field\n", file);
    print_field(field);
  } else {
    const PointCloud cloud = read_points(file);
    fmt::print("{}: {}\n", file, cloud.faces.empty() ? "points" : "a mesh");
    print_cloud(cloud);
  }
}

}  // namespace dovetail::app
