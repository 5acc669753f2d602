// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "command.h"
#include "dovetail/dovetail.h"
#include "file_info.h"
#include "option_flags.h"
#include "output.h"
#include "summary.h"
#include "target.h"

namespace dovetail::app {
namespace {

struct BuildCommand {
  std::string reference, out;
  bool quiet = false;
  ReferenceFlags reference_flags;
  OptionFlags<FieldOptions> field_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command) {
    add_input(command, "REFERENCE", reference, fmt::format("what the field is of: {}", reference_kinds));
    reference_flags.add_to(command);
    add_file_flag(command, "Output", "--out", out, "the field file to write")->required();
    command.add_flag("--quiet", quiet, "no summary")->group("Output");
    field_flags.add_to(command, "Distance field");
    run_flags.add_to(command, "Run",
                     {"start_at_centroid", "start_rotation_sigma", "start_shift_sigma", "seed", "trace",
                      "time_limit_ms", "inlier_distance", "min_inlier_ratio"});
  }

  int run() const {
    Run how;
    FieldOptions options;
    field_flags.apply(options);
    run_flags.apply(how);
    if (out == "-") throw InvalidArgument("--out: a field is not written to stdout; name a file");
    check_writable(out);
    check_not_input({"--out", &out}, {reference});
    if (is_field(reference)) {
      throw InvalidArgument(fmt::format("{} is a field already; `dovetail field info` shows what it holds", reference));
    }
    reference_flags.check({reference});
    const auto began = std::chrono::steady_clock::now();
    const Reference read = read_reference(reference, reference_flags.options);
    const double read_ms = milliseconds_since(began);
    DistanceField field = naming_reference(reference, [&] { return build_field(read, options, how); });
    const double build_ms = milliseconds_since(began) - read_ms;
    field.set_source(std::filesystem::path(reference).filename().string());
    save_field(out, field);
    if (quiet) return success;
    fmt::print("{}\n", out);
    print_field(field);
    print_line("time", fmt::format("read {:.1f} ms, build {:.1f} ms", read_ms, build_ms));
    return success;
  }
};

struct InfoCommand {
  std::string file;

  void add_to(CLI::App& command) { command.add_option("FIELD", file, "a field file")->required(); }
  int run() const {
    const DistanceField field = load_field(file);
    fmt::print("{}\n", file);
    print_field(field);
    return success;
  }
};

}  // namespace

void add_field(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("field", "Prepare a reference for chamfer alignment");
  command->footer(
      "Example: dovetail field build roads.geojson --out roads.field\n"
      "         dovetail register chamfer detections.csv roads.field --model similarity");
  command->require_subcommand(1);
  add_command<BuildCommand>(*command, action, "build", "Build the distance field of a reference and keep it",
                            "Examples:\n"
                            "  dovetail field build roads.geojson --out roads.field --cell 0.5\n"
                            "  dovetail field build part.stl --out part.field");
  add_command<InfoCommand>(*command, action, "info", "Show what a field file holds",
                           "Example: dovetail field info roads.field");
}

}  // namespace dovetail::app
