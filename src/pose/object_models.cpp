// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/object_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/file.h"
#include "pose/bop_symmetries.h"

namespace dovetail::pose {
namespace {

namespace fs = std::filesystem;

double box_diagonal(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& p : points) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  return norm(high - low);
}

PointCloud read_mesh(const fs::path& file, bool with_vsd) {
  PointCloud mesh = read_points(file);
  if (mesh.dimension != 3) throw FileError(fmt::format("{}: a mesh in 3D was expected", file.string()));
  for (const Vec3& p : mesh.positions) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) {
      throw FileError(fmt::format("{}: a vertex is not finite", file.string()));
    }
  }
  if (with_vsd && mesh.faces.empty()) {
    throw FileError(fmt::format("{}: the mesh has no faces, which VSD needs", file.string()));
  }
  return mesh;
}

}  // namespace

ObjectModels::ObjectModels(const fs::path& dataset, bool with_vsd) : with_vsd_(with_vsd) {
  std::error_code ignored;
  folder_name_ = fs::is_directory(dataset / "models_eval", ignored) ? "models_eval" : "models";
  folder_ = dataset / folder_name_;
  info_file_ = folder_ / "models_info.json";
  const io::FileBytes bytes(info_file_);
  infos_ = io::read_bop_objects(info_file_.string(), bytes.view());
}

const ObjectModel& ObjectModels::get(int object) {
  if (const auto known = models_.find(object); known != models_.end()) return known->second;
  const PointCloud mesh = read_mesh(folder_ / fmt::format("obj_{:06}.ply", object), with_vsd_);
  const io::BopObject& info = infos_.at(object);
  const double diagonal = box_diagonal(mesh.positions);
  constexpr double most = 2;  // a box's diagonal is up to √3 diameters
  if (!(diagonal < most * info.diameter && info.diameter < most * diagonal)) {
    throw FileError(fmt::format(
        "{}: the diagonal of its box is {:.6g}, and the diameter of object {} in {} is {:.6g}: both have to be in mm",
        (folder_ / fmt::format("obj_{:06}.ply", object)).string(), diagonal, object, info_file_.string(),
        info.diameter));
  }
  ObjectModel model{info, bop_symmetries(info), mesh.positions, diagonal, bulk_distance(mesh, info), std::nullopt};
  if (with_vsd_) model.render.emplace(mesh);
  return models_.emplace(object, std::move(model)).first->second;
}

}  // namespace dovetail::pose
