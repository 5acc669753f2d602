// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dovetail/bins.h"
#include "dovetail/error.h"
#include "dovetail/pose_database.h"
#include "input.h"
#include "option_flags.h"
#include "output.h"
#include "part_input.h"
#include "part_symmetry.h"
#include "progress.h"
#include "summary.h"

namespace dovetail::app {
namespace {

struct PoseBuildCommand {
  PartInput input;
  std::string out, density;
  std::vector<std::string> symmetries;
  int bins = default_density_bins, per_bin = 60, threads = 0;
  bool mixed = false, quiet = false;
  CLI::Option *bins_flag = nullptr, *count_flag = nullptr;
  OptionFlags<PoseDatabaseOptions> database_flags;
  OptionFlags<BinOptions> bin_flags;

  void add_to(CLI::App& command) {
    input.add_to(command, "meshes, or clouds with normals, each a file; or built-in:NAME, e.g. built-in:t_pipe");
    command
        .add_option("--symmetry", symmetries,
                    "what `dovetail symmetry PART --json` wrote, one file for each part (default: found)")
        ->type_name("FILE")
        ->group("Input");
    database_flags.add_to(command, "References");
    add_file_flag(command, "How parts lie", "--density", density,
                  "resting poses that `dovetail bin poses` kept (default: bins are simulated)");
    bins_flag = command.add_option("--bins", bins, "bins that are simulated to learn how a part lies (default 100)")
                    ->type_name("NUMBER")
                    ->group("How parts lie");
    count_flag = command.add_option("--count", per_bin, "parts in a bin (default 60)")
                     ->type_name("NUMBER")
                     ->group("How parts lie");
    command.add_flag("--mixed", mixed, "all parts in each bin, not every part in bins of its own")
        ->group("How parts lie");
    bin_flags.add_to(command, "Bin", {});
    add_file_flag(command, "Output", "--out", out, "the database, e.g. parts.posedb")->required();
    command.add_flag("--quiet", quiet, "no summary")->group("Output");
    command.add_option("--threads", threads, "0: all processors. The file does not depend on it")
        ->type_name("NUMBER")
        ->group("Run");
  }

  /// References are kept under the parts' names.
  void check_names() const {
    std::map<std::string, std::string> known;
    for (const std::string& part : input.parts) {
      const auto [other, is_new] = known.emplace(part_name(part), part);
      if (is_new) continue;
      throw InvalidArgument(
          fmt::format("PART: {} and {} are both named '{}', after their files; allowed: names that differ: rename one "
                      "of the files",
                      other->second, part, other->first));
    }
  }

  /// Refuses what would be given for nothing.
  void check_density(OrientationSampling sampling) const {
    if (density.empty()) return;
    if (sampling == OrientationSampling::uniform) {
      throw InvalidArgument("--density: tells how parts lie, and --sampling uniform does not ask for it; give one");
    }
    std::vector<std::string> ignored = bin_flags.given();
    for (const CLI::Option* flag : {bins_flag, count_flag}) {
      if (flag->count() > 0) ignored.push_back(flag->get_name());
    }
    if (mixed) ignored.push_back("--mixed");
    if (ignored.empty()) return;
    throw InvalidArgument(
        fmt::format("{}: tells how bins are simulated, and with --density none is; give one", ignored.front()));
  }

  void check() const {
    input.check();
    check_names();
    if (bins < 1 || bins > 100000) {
      throw InvalidArgument(fmt::format("--bins: {} is not allowed; allowed: 1 to 100000", bins));
    }
    if (per_bin < 1 || per_bin > 10000) {
      throw InvalidArgument(fmt::format("--count: {} is not allowed; allowed: 1 to 10000", per_bin));
    }
    if (!symmetries.empty() && symmetries.size() != input.parts.size()) {
      throw InvalidArgument(fmt::format("--symmetry: {} files for {} parts; allowed: none, or one for each",
                                        symmetries.size(), input.parts.size()));
    }
    for (const std::string& part : input.parts) check_not_input({"--out", &out}, {part, density});
    check_outputs({{"--out", &out}});
  }

  /// How the parts lie, as a file has it. A part is known by its geometry.
  void read_density(std::vector<PosePart>& parts) const {
    const RestingPoses poses = read_resting_poses(density);
    for (PosePart& part : parts) {
      if (part.surface->faces.empty()) continue;
      const std::uint64_t wanted = geometry_checksum(*part.surface);
      std::string known;
      bool is_there = false;
      for (std::size_t kind = 0; kind < poses.parts.size(); ++kind) {
        known += (known.empty() ? "" : ", ") + poses.parts[kind].name;
        if (poses.parts[kind].checksum != wanted) continue;
        is_there = true;
        for (const RestingBin& bin : poses.bins) {
          for (const RestingPart& resting : bin.parts) {
            if (resting.part == kind) part.resting.push_back(resting.scene_from_part.rotation);
          }
        }
      }
      if (!part.resting.empty()) continue;
      throw FileError(
          is_there ? fmt::format("{}: has no resting poses of {}: it is among its parts, but none rests in its {} bins",
                                 density, part.name, poses.bins.size())
                   : fmt::format("{}: has no resting poses of {}: its parts are {}, in {}, and this one's geometry or "
                                 "size is another",
                                 density, part.name, known, poses.unit));
    }
  }

  /// How the parts that have faces lie in simulated bins.
  void simulate(std::vector<PosePart>& parts, const BinOptions& options, std::uint64_t seed) const {
    ShareBar bar("bins", quiet);
    BinRun how;
    how.threads = threads;
    how.cancel = &stop_on_interrupt();
    const std::size_t runs = mixed ? 1 : parts.size();
    for (std::size_t run = 0; run < runs; ++run) {
      how.on_progress = [&](double share) { bar.show((static_cast<double>(run) + share) / static_cast<double>(runs)); };
      std::vector<BinPart> dropped;
      std::vector<std::size_t> index;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if ((!mixed && i != run) || parts[i].surface->faces.empty()) continue;
        const int share = per_bin / static_cast<int>(mixed ? parts.size() : 1);
        dropped.push_back({parts[i].surface, std::max(1, share)});
        index.push_back(i);
      }
      if (dropped.empty()) continue;
      for (const Bin& bin : simulate_bins(dropped, bins, options, seed, how)) {
        for (const RestingPart& resting : bin.parts) {
          parts[index[resting.part]].resting.push_back(resting.scene_from_part.rotation);
        }
      }
      if (how.cancel->load()) throw Cancelled("the simulation was stopped");
    }
  }

  int run() const {
    PoseDatabaseOptions options;
    BinOptions bin_options;
    database_flags.apply(options);
    bin_flags.apply(bin_options);
    check();
    check_density(options.sampling);
    const std::vector<PointCloud> surfaces = input.read_all();
    std::vector<PosePart> parts(surfaces.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].name = part_name(input.parts[i]);
      parts[i].surface = &surfaces[i];
      if (!symmetries.empty()) parts[i].symmetry = read_symmetry_of(symmetries[i], input.parts[i], surfaces[i]);
    }
    const auto began = std::chrono::steady_clock::now();
    if (options.sampling == OrientationSampling::adaptive) {
      density.empty() ? simulate(parts, bin_options, options.seed) : read_density(parts);
    }
    const double simulated_ms = milliseconds_since(began);
    const auto built_from = std::chrono::steady_clock::now();
    ShareBar bar("references", quiet);
    Work work{threads, [&](double share) { bar.show(share); }, &stop_on_interrupt()};
    const PoseDatabase database = build_pose_database(parts, options, work);
    database.save(out);
    if (!quiet) {
      print_database(database);
      print_line("time", fmt::format("how parts lie {:.1f} s, references {:.1f} s", simulated_ms / 1000,
                                     milliseconds_since(built_from) / 1000));
      print_line("written", out);
    }
    return success;
  }
};

}  // namespace

void print_database(const PoseDatabase& database) {
  for (const PoseReferences& part : database.parts()) {
    print_line("part", fmt::format("{}: diameter {:.4g} mm, symmetry {}", part.name, part.symmetry.diameter,
                                   group_name(part.symmetry)));
    print_line("references", fmt::format("{} of {} x {} pixels of {:.4g} mm, {}", part.references.size(),
                                         part.image_size, part.image_size, part.pixel,
                                         part.sampling == OrientationSampling::uniform
                                             ? std::string("spread evenly")
                                             : fmt::format("from {} resting poses", part.resting)));
    print_line("cover", fmt::format("{:.1f} degrees from an orientation to the nearest reference in the median, 95% "
                                    "within {:.1f}",
                                    part.cover_median, part.cover_95));
    print_line("surface", fmt::format("{} vertices, {} triangles", part.vertices.size(), part.triangles.size()));
  }
  print_line("size", fmt::format("{:.1f} MB", static_cast<double>(database.bytes().size()) / 1e6));
}

void add_pose_build(CLI::App& pose, Action& action) {
  add_command<PoseBuildCommand>(
      pose, action, "build", "Make the database of a part's views that poses are found with",
      "Examples:\n"
      "  dovetail pose build part.stl --unit mm --out part.posedb\n"
      "  dovetail pose build built-in:t_pipe built-in:hex_bolt --references 2048 --out parts.posedb\n"
      "  dovetail bin poses part.stl --count 60 --bins 500 --out lying.json\n"
      "  dovetail pose build part.stl --density lying.json --out part.posedb\n"
      "  dovetail pose build scanned.ply --sampling uniform --out scanned.posedb");
}

}  // namespace dovetail::app
