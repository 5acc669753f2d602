// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "part_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "dovetail/error.h"
#include "dovetail/mesh_check.h"
#include "dovetail/scanner.h"
#include "dovetail/units.h"
#include "input.h"
#include "mesh_notes.h"
#include "output.h"

namespace dovetail::app {
namespace {

constexpr std::string_view built_in_prefix = "built-in:";

PointCloud built_in(std::string_view name) {
  std::string all;
  for (const BuiltInPart part : built_in_parts()) {
    if (to_string(part) == name) return built_in_part(part);
    all += (all.empty() ? "" : ", ") + std::string(to_string(part));
  }
  throw InvalidArgument(fmt::format("{}{}: there is no such part; there are: {}", built_in_prefix, name, all));
}

}  // namespace

void PartInput::add_to(CLI::App& command, const char* what, bool required) {
  command.add_option("PART", parts, what)->required(required)->group("Input");
  command.add_option("--unit", unit, "of the files: mm, cm, m, inch (default: mm or m, told by the parts' size)")
      ->type_name("NAME")
      ->group("Input");
}

void tell_unit(const std::string& part, double millimetres, const Vec3& sides) {
  print_error("dovetail: {}: taken to be in {}, so that it is {:.4g} x {:.4g} x {:.4g} mm; --unit tells what it is\n",
              part, millimetres == 1 ? "mm" : "m", millimetres * sides[0], millimetres * sides[1],
              millimetres * sides[2]);
}

void PartInput::check() const { millimetres_in("--unit", unit); }

PointCloud PartInput::read(const std::string& part) const {
  PointCloud mesh = read_part(part);
  if (is_built_in(part)) return mesh;
  double millimetres = millimetres_in("--unit", unit);
  if (millimetres == 0) {
    millimetres = likely_part_unit(mesh);
    tell_unit(part, millimetres, sides_of(mesh));
  }
  for (Vec3& p : mesh.positions) p *= millimetres;
  warn_of_mesh(part, mesh, PartUse::solid, "mm");
  return mesh;
}

std::vector<PointCloud> PartInput::read_all() const {
  std::vector<PointCloud> meshes;
  for (const std::string& part : parts) meshes.push_back(read(part));
  return meshes;
}

bool is_built_in(const std::string& part) { return part.starts_with(built_in_prefix); }

PointCloud read_part(const std::string& part) {
  if (is_built_in(part)) return built_in(std::string_view(part).substr(built_in_prefix.size()));
  PointCloud mesh = read_cloud(part);
  if (const std::size_t broken = drop_broken_faces(mesh); broken > 0) {
    if (mesh.faces.empty()) throw FileError(part + ": none of its faces has corners that are all there and finite");
    print_error("dovetail: warning: {}: {} left out: {} corners that are not there, not finite or beyond 1e150\n", part,
                broken == 1 ? "1 face is" : fmt::format("{} faces are", broken), broken == 1 ? "it has" : "they have");
  }
  return mesh;
}

std::string part_file_name(const std::string& part) {
  return part.starts_with(built_in_prefix) ? part : std::filesystem::path(part).filename().string();
}

std::string part_name(const std::string& part) {
  if (part.starts_with(built_in_prefix)) return part.substr(built_in_prefix.size());
  return std::filesystem::path(part).stem().string();
}

}  // namespace dovetail::app
