// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/symmetry.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/units.h"
#include "input.h"
#include "mesh_notes.h"
#include "option_flags.h"
#include "output.h"
#include "part_input.h"
#include "report_flags.h"
#include "summary.h"

namespace dovetail::app {
namespace {

/// A number that is as good as zero against the part's size is shown as zero.
double shown(double value, double size) { return std::fabs(value) < 1e-9 * size ? 0.0 : value; }

std::string text_of(const Vec3& v, double size) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", shown(v[0], size), shown(v[1], size), shown(v[2], size));
}

void print_symmetry(const Symmetry& found, double read_ms, double find_ms) {
  print_line("group", fmt::format("{}: {}", group_name(found), describe(found)));
  print_line("mirror", found.mirror ? "equals its mirror image" : "differs from its mirror image");
  print_line("centre", text_of(found.center, found.diameter));
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, found.axes.size()); ++i) {
    const SymmetryAxis& axis = found.axes[i];
    print_line(i == 0 ? "axes" : "",
               fmt::format("{:<9} {}", axis.order == 0 ? "any angle" : fmt::format("{}-fold", axis.order),
                           text_of(axis.direction, 1)));
  }
  if (found.axes.size() > most) print_line("", fmt::format("and {} more", found.axes.size() - most));
  print_line("rotations",
             fmt::format("{}{}", found.rotations.size(),
                         found.axes.empty() || found.axes.front().order != 0 ? "" : ", and any turn after them"));
  print_line("deviation",
             fmt::format("{:.3g} at most, of {:.3g} allowed{}", shown(found.deviation, found.diameter),
                         found.tolerance + found.allowance,
                         found.has_faces ? "" : fmt::format(" ({:.3g} for spacing and noise)", found.allowance)));
  print_line("diameter", fmt::format("{:.6g}", found.diameter));
  print_line("measured",
             found.has_faces ? "on the faces of the mesh" : "on points: what they do not show is not known");
  print_line("time", fmt::format("read {:.1f} ms, find {:.1f} ms", read_ms, find_ms));
}

struct SymmetryCommand {
  std::string part, json, models_info, unit;
  int id = -1;
  double scale = 0;
  bool quiet = false;
  ReportFlags report;
  CLI::Option *id_flag = nullptr, *scale_flag = nullptr;
  OptionFlags<SymmetryOptions> symmetry_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command) {
    add_input(command, "PART", part,
              "a mesh, or a cloud that shows all of the part; or built-in:NAME, e.g. built-in:hex_nut");
    symmetry_flags.add_to(command, "Symmetry");
    add_json_flag(command, json);
    add_file_flag(command, "Output", "--models-info", models_info,
                  "put the part into this models_info.json of the BOP benchmark; other objects in it stay");
    id_flag = command.add_option("--id", id, "the part's object id there")->type_name("NUMBER")->group("Output");
    command
        .add_option(
            "--unit", unit,
            "of the part's file, for --models-info: mm, cm, m, inch (default: mm or m, told by the part's size)")
        ->type_name("NAME")
        ->group("Output");
    scale_flag = command.add_option("--scale", scale, "the same as a number: millimetres in one unit of the file")
                     ->type_name("NUMBER")
                     ->group("Output");
    report.add_to(command);
    command.add_flag("--quiet", quiet, "no summary")->group("Output");
    run_flags.add_to(command, "Run",
                     {"machine", "device", "start_at_centroid", "seed", "time_limit_ms", "trace", "inlier_distance",
                      "min_confidence", "min_inlier_ratio"});
  }

  void check() const {
    if (models_info.empty() && (id_flag->count() > 0 || scale_flag->count() > 0 || !unit.empty())) {
      throw InvalidArgument("--id, --unit and --scale tell what --models-info writes: it is missing");
    }
    millimetres_in("--unit", unit);
    if (!unit.empty() && scale_flag->count() > 0) {
      throw InvalidArgument("--unit and --scale tell the same; allowed: one of them");
    }
    if (!models_info.empty() && id < 0) {
      throw InvalidArgument(fmt::format("--models-info needs --id, the object's number there: 0 or more{}",
                                        id_flag->count() > 0 ? fmt::format(", not {}", id) : ""));
    }
    if (scale_flag->count() > 0 && (!(scale > 0) || !std::isfinite(scale))) {
      throw InvalidArgument(fmt::format("--scale: {} is not allowed; allowed: more than 0", scale));
    }
    if (models_info == "-") throw InvalidArgument("--models-info: is not written to stdout; name a file");
    check_outputs({{"--json", &json}, {"--models-info", &models_info}, report.output()});
    report.check({part});
    check_not_input({"--json", &json}, {part});
    check_not_input({"--models-info", &models_info}, {part});
  }

  /// Millimetres in one unit of the part. One that was not told is guessed, and told on stderr.
  double millimetres(const PointCloud& cloud) const {
    if (scale > 0) return scale;
    if (!unit.empty()) return millimetres_in("--unit", unit);
    const double likely = likely_part_unit(cloud);
    tell_unit(part, likely, sides_of(cloud));
    return likely;
  }

  int run() const {
    SymmetryOptions options;
    Run how;
    symmetry_flags.apply(options);
    run_flags.apply(how);
    check();
    const auto began = std::chrono::steady_clock::now();
    const PointCloud cloud = read_part(part);
    const double read_ms = milliseconds_since(began);
    Symmetry found = find_symmetry(cloud, options, how);
    found.part_file = part;
    const double find_ms = milliseconds_since(began) - read_ms;
    warn_of_mesh(part, cloud, PartUse::surface);
    Attempts attempt;
    if (json == "-") attempt([&] { fmt::print("{}\n", to_json(found)); });
    if (!json.empty() && json != "-") attempt([&] { write_symmetry(json, found); });
    if (!models_info.empty()) attempt([&] { add_to_models_info(models_info, id, found, millimetres(cloud)); });
    attempt([&] {
      report.write(ReportedSymmetry{std::filesystem::path(part).filename().string(), to_json(found), &cloud, {}});
    });
    if (!quiet && json != "-") print_symmetry(found, read_ms, find_ms);
    return attempt.failed() ? world_failure : success;
  }
};

}  // namespace

void add_symmetry(CLI::App& program, Action& action) {
  add_command<SymmetryCommand>(program, action, "symmetry", "Find the rotations that map a part onto itself",
                               "Examples:\n"
                               "  dovetail symmetry part.stl\n"
                               "  dovetail symmetry part.stl --tolerance 0.5 --json symmetry.json\n"
                               "  dovetail symmetry part.ply --models-info models/models_info.json --id 1");
}

}  // namespace dovetail::app
