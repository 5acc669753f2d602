// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bin_density.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

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

/// A folder beside another one, into which its new files go when all of them are written.
class PartialFolder {
 public:
  explicit PartialFolder(const std::string& folder) : folder_(fs::absolute(folder).lexically_normal()) {
    if (!folder_.has_filename()) folder_ = folder_.parent_path();
    if (fs::exists(folder_) && !fs::is_directory(folder_)) throw FileError(folder + ": is a file, not a folder");
    partial_ = folder_;
    partial_ += ".partial";
    std::error_code error;
    fs::remove_all(partial_, error);
    if (!fs::create_directories(partial_, error)) {
      throw FileError(fmt::format("{}: the folder cannot be made: {}", folder, error.message()));
    }
  }
  ~PartialFolder() {
    std::error_code ignored;
    fs::remove_all(partial_, ignored);
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  const fs::path& path() const { return partial_; }
  void move_files() const {
    fs::create_directories(folder_);
    for (const auto& file : fs::directory_iterator(partial_)) {
      fs::rename(file.path(), folder_ / file.path().filename());
    }
  }

 private:
  fs::path folder_, partial_;
};

}  // namespace

void BinDensityCommand::add_to(CLI::App& command) {
  add_input(command, "FILE", poses, "resting poses, as bin poses writes them");
  input.add_to(command, "the parts' meshes; built-in ones are known", false);
  command.add_option("--most", most, "orientations that are listed (default 10)")->type_name("NUMBER")->group("Output");
  add_file_flag(command, "Output", "--out", out, "the folder for pictures and tables; made where it is not there",
                "FOLDER")
      ->required();
  command.add_flag("--quiet", quiet, "no summary")->group("Output");
}

BinDensityCommand::PartDensity BinDensityCommand::density_of(const RestingPoses& resting, std::size_t part,
                                                             const PointCloud& mesh) const {
  PartDensity of{resting.parts[part].name, find_symmetry(mesh), {}};
  try {
    of.density = pose_density(resting, part, of.symmetry, most);
  } catch (const InvalidArgument& error) {  // what is wrong with the file's content
    throw FileError(fmt::format("{}: {}", poses, error.what()));
  }
  return of;
}

void BinDensityCommand::write(const fs::path& folder, const PartDensity& of, const PointCloud& mesh) const {
  const std::string name = part_name(of.name);
  write_density_pictures(folder, name, of.density, mesh);
  std::ofstream file(folder / (name + ".density.json"));
  file << to_json(of.density, of.name) << '\n';
  if (!file.flush()) throw FileError(fmt::format("{}/{}.density.json: cannot be written", out, name));
}

void BinDensityCommand::print(const PartDensity& of) const {
  print_line("part", fmt::format("{}, {} poses, symmetry {}", of.name, of.density.poses, group_name(of.symmetry)));
  for (const FrequentOrientation& o : of.density.orientations) {
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
  std::map<std::string, std::string> names;
  for (const RestingKind& kind : resting.parts) {
    const auto [other, is_new] = names.emplace(part_name(kind.name), kind.name);
    if (is_new) continue;
    throw FileError(fmt::format("{}: parts: {} and {} are both named '{}', as the files would be", poses, other->second,
                                kind.name, other->first));
  }
  std::vector<PartDensity> densities;
  for (std::size_t i = 0; i < meshes.size(); ++i) densities.push_back(density_of(resting, i, meshes[i]));
  const PartialFolder partial(out);
  for (std::size_t i = 0; i < meshes.size(); ++i) write(partial.path(), densities[i], meshes[i]);
  partial.move_files();
  for (const PartDensity& density : densities) {
    if (!quiet) print(density);
  }
  if (!quiet) print_line("written", out);
  return success;
}

}  // namespace dovetail::app
