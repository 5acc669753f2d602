// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bin_density.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "dovetail/error.h"
#include "dovetail/pose_density.h"
#include "dovetail/scanner.h"
#include "input.h"
#include "output.h"
#include "summary.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

/// Whether a mesh is the one that a file of resting poses speaks of.
void check_same_part(const std::string& file, const RestingKind& kind, const PointCloud& mesh) {
  if (geometry_checksum(mesh) == kind.checksum) return;
  throw FileError(fmt::format("{}: is not the part {} of the resting poses: its checksum is {:016x}, theirs {:016x}",
                              file, kind.name, geometry_checksum(mesh), kind.checksum));
}

}  // namespace

void BinDensityCommand::add_to(CLI::App& command) {
  add_input(command, "FILE", poses, "resting poses, as bin poses writes them");
  command.add_option("PART", meshes, "the parts' meshes in the unit and order of the file; built-in ones are known")
      ->group("Input");
  command.add_option("--most", most, "orientations that are listed (default 10)")->type_name("NUMBER")->group("Output");
  command.add_option("--out", out, "the folder for pictures and tables; made where it is not there")
      ->required()
      ->type_name("FOLDER")
      ->group("Output");
  command.add_flag("--quiet", quiet, "no summary")->group("Output");
}

PointCloud BinDensityCommand::mesh_of(const RestingKind& kind, std::size_t& next) const {
  for (const BuiltInPart part : built_in_parts()) {
    if (kind.name == "built-in:" + std::string(to_string(part))) return built_in_part(part);
  }
  if (next >= meshes.size()) {
    throw InvalidArgument(fmt::format("PART: the mesh {} is needed, in the unit of the file", kind.name));
  }
  return read_cloud(meshes[next++]);
}

int BinDensityCommand::run() const {
  if (most < 1) throw InvalidArgument(fmt::format("--most: {} is not allowed; allowed: 1 or more", most));
  const RestingPoses resting = read_resting_poses(poses);
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw FileError(fmt::format("{}: the folder cannot be made: {}", out, error.message()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < resting.parts.size(); ++i) {
    const RestingKind& kind = resting.parts[i];
    const PointCloud mesh = mesh_of(kind, next);
    check_same_part(kind.name.starts_with("built-in:") ? kind.name : meshes[next - 1], kind, mesh);
    const Symmetry symmetry = find_symmetry(mesh);
    const PoseDensity density = pose_density(resting, i, symmetry, most);
    const std::size_t colon = kind.name.find(':');
    const std::string name = fs::path(colon == std::string::npos ? kind.name : kind.name.substr(colon + 1)).stem();
    write_density_pictures(out, name, density, mesh);
    std::ofstream file(fs::path(out) / (name + ".density.json"));
    file << to_json(density, kind.name) << '\n';
    if (!file.flush()) throw FileError(fmt::format("{}/{}.density.json: cannot be written", out, name));
    if (quiet) continue;
    print_line("part", fmt::format("{}, {} poses, symmetry {}", kind.name, density.poses, group_name(symmetry)));
    for (const FrequentOrientation& o : density.orientations) {
      print_line("", fmt::format("{:5.1f}%  up is {:6.3f} {:6.3f} {:6.3f} of the part", 100 * o.share, o.up[0], o.up[1],
                                 o.up[2]));
    }
  }
  if (!quiet) print_line("written", out);
  return success;
}

}  // namespace dovetail::app
