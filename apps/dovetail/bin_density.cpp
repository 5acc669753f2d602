// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bin_density.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "dovetail/error.h"
#include "dovetail/pose_density.h"
#include "dovetail/scanner.h"
#include "dovetail/units.h"
#include "input.h"
#include "output.h"
#include "summary.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

/// The parts that were named, in the unit of the resting poses. A part is known by its geometry.
class KnownParts {
 public:
  KnownParts(const PartInput& input, const RestingPoses& resting) : resting_(resting) {
    const double millimetres = millimetres_in("unit of the resting poses", resting.unit);
    for (const std::string& part : input.parts) {
      PointCloud mesh = input.read(part);
      if (millimetres > 0 && millimetres != 1) {
        for (Vec3& p : mesh.positions) p *= 1 / millimetres;
      }
      files_ += (files_.empty() ? "" : ", ") + part;
      meshes_.push_back(std::move(mesh));
    }
  }

  PointCloud mesh_of(const RestingKind& kind) const {
    for (const BuiltInPart part : built_in_parts()) {
      if (kind.name == "built-in:" + std::string(to_string(part))) return checked(built_in_part(part), kind);
    }
    for (const PointCloud& mesh : meshes_) {
      if (geometry_checksum(mesh) == kind.checksum) return mesh;
    }
    if (meshes_.empty()) throw InvalidArgument(fmt::format("PART: the mesh {} is needed", kind.name));
    throw FileError(fmt::format(
        "{}: none of them is the part {} of the resting poses, which are in {}: geometry or size is another", files_,
        kind.name, resting_.unit.empty() ? "an unknown unit" : resting_.unit));
  }

 private:
  static PointCloud checked(PointCloud mesh, const RestingKind& kind) {
    if (geometry_checksum(mesh) == kind.checksum) return mesh;
    throw FileError(
        fmt::format("{}: is not the part of that name which the resting poses are of; its checksum is "
                    "{:016x}, theirs {:016x}",
                    kind.name, geometry_checksum(mesh), kind.checksum));
  }

  const RestingPoses& resting_;
  std::vector<PointCloud> meshes_;
  std::string files_;
};

}  // namespace

void BinDensityCommand::add_to(CLI::App& command) {
  add_input(command, "FILE", poses, "resting poses, as bin poses writes them");
  input.add_to(command, "the parts' meshes; built-in ones are known", false);
  command.add_option("--most", most, "orientations that are listed (default 10)")->type_name("NUMBER")->group("Output");
  command.add_option("--out", out, "the folder for pictures and tables; made where it is not there")
      ->required()
      ->type_name("FOLDER")
      ->group("Output");
  command.add_flag("--quiet", quiet, "no summary")->group("Output");
}

void BinDensityCommand::write(const RestingPoses& resting, std::size_t part, const PointCloud& mesh) const {
  const RestingKind& kind = resting.parts[part];
  const Symmetry symmetry = find_symmetry(mesh);
  const PoseDensity density = pose_density(resting, part, symmetry, most);
  const std::string name = part_name(kind.name);
  write_density_pictures(out, name, density, mesh);
  std::ofstream file(fs::path(out) / (name + ".density.json"));
  file << to_json(density, kind.name) << '\n';
  if (!file.flush()) throw FileError(fmt::format("{}/{}.density.json: cannot be written", out, name));
  if (quiet) return;
  print_line("part", fmt::format("{}, {} poses, symmetry {}", kind.name, density.poses, group_name(symmetry)));
  for (const FrequentOrientation& o : density.orientations) {
    print_line("", fmt::format("{:5.1f}%  up is {:6.3f} {:6.3f} {:6.3f} of the part", 100 * o.share, o.up[0], o.up[1],
                               o.up[2]));
  }
}

int BinDensityCommand::run() const {
  if (most < 1) throw InvalidArgument(fmt::format("--most: {} is not allowed; allowed: 1 or more", most));
  input.check();
  const RestingPoses resting = read_resting_poses(poses);
  const KnownParts known(input, resting);
  std::vector<PointCloud> meshes;
  for (const RestingKind& kind : resting.parts) meshes.push_back(known.mesh_of(kind));
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw FileError(fmt::format("{}: the folder cannot be made: {}", out, error.message()));
  for (std::size_t i = 0; i < resting.parts.size(); ++i) write(resting, i, meshes[i]);
  if (!quiet) print_line("written", out);
  return success;
}

}  // namespace dovetail::app
