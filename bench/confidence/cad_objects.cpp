// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <filesystem>

#include "confidence/real_objects.h"
#include "confidence/views.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/rotation.h"
#include "harness.h"

namespace dovetail::bench::confidence {
namespace {

std::vector<Object> read_cad_objects() {
  const std::filesystem::path folder = data_folder() / "cad";
  if (data_folder().empty() || !std::filesystem::exists(folder)) {
    throw FileError("the CAD meshes are not there: set DOVETAIL_DATA to the folder that holds cad/");
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Object> objects;
  for (const std::filesystem::path& file : files) {
    Object object{file.stem().string(), read_points(file), {}, 0};
    if (object.mesh.faces.empty()) continue;
    const Vec3 center = ball_around(object.mesh).center;
    for (Vec3& p : object.mesh.positions) p -= center;
    object.mesh.normals.clear(), object.mesh.attributes.clear(), object.mesh.colors.clear();
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace

const std::vector<Object>& cad_objects() {
  static const std::vector<Object> objects = read_cad_objects();
  return objects;
}

}  // namespace dovetail::bench::confidence
