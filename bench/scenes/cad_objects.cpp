// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numbers>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/rotation.h"
#include "scenes/data_folder.h"
#include "scenes/real_objects.h"

namespace dovetail::bench::scenes {
namespace {

/// Rotations that map a part onto itself as far as a scan can tell: folds about each axis of its file. Found by turning
/// each mesh about its middle and measuring how far it comes to lie from itself.
struct Folds {
  const char* name;
  int x, y, z;
};
constexpr int any = 144;  // turns freely: one every 2.5 degrees
constexpr Folds symmetric[] = {{"bin_exterior", 1, 1, 2}, {"bolt_m16", 1, 1, 6},    {"cycloidal", 1, 1, any},
                               {"plate_holes", 2, 1, 2},  {"pump_base", any, 1, 1}, {"tube", 2, any, 1}};

std::vector<Mat3> symmetries_of(const std::string& name) {
  const auto found = std::find_if(std::begin(symmetric), std::end(symmetric), [&](auto& f) { return name == f.name; });
  if (found == std::end(symmetric)) return {};
  const int folds[] = {found->x, found->y, found->z};
  std::vector<Mat3> rotations = {Mat3::identity()};
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Mat3> more;
    for (int i = 0; i < folds[axis]; ++i) {
      Vec3 turn{};
      turn[axis] = 2 * std::numbers::pi * i / folds[axis];
      for (const Mat3& r : rotations) more.push_back(exp_so3(turn) * r);
    }
    rotations = std::move(more);
  }
  return rotations;
}

Vec3 free_axis_of(const std::string& name) {
  for (const Folds& f : symmetric) {
    if (name == f.name) return {f.x == any ? 1.0 : 0.0, f.y == any ? 1.0 : 0.0, f.z == any ? 1.0 : 0.0};
  }
  return {};
}

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
    Object object{file.stem().string(), read_points(file), symmetries_of(file.stem().string()), 0};
    object.free_axis = free_axis_of(object.name);
    if (object.mesh.faces.empty()) continue;
    const Vec3 center = middle_of(object.mesh);
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

}  // namespace dovetail::bench::scenes
