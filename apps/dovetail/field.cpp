// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "command.h"
#include "dovetail/dovetail.h"
#include "option_flags.h"
#include "output.h"
#include "target.h"

namespace dovetail::app {
namespace {

void print_field(const DistanceField& field) {
  const auto line = [](const char* name, const std::string& text) { fmt::print("  {:<12} {}\n", name, text); };
  const Vec3 low = field.low(), high = field.high();
  std::string domain;
  for (int a = 0; a < field.dimension(); ++a) {
    domain += fmt::format("{}{:.6g} to {:.6g}", a == 0 ? "" : ", ", low[a], high[a]);
  }
  line("dimension", fmt::format("{}", field.dimension()));
  line("domain", domain);
  line("cell", fmt::format("{:.6g}", field.cell()));
  line("cells", fmt::format("{} kept, {}", field.cells(),
                            field.banded() ? fmt::format("banded: exact up to {:.6g} away", field.reach()) : "dense"));
  line("reference", fmt::format("{} points in {} cells", field.points(), field.sites()));
  line("memory", fmt::format("{:.1f} MiB", static_cast<double>(field.bytes()) / (1 << 20)));
  if (field.frame()) line("frame", to_proj_string(*field.frame()));
  if (!field.source().empty()) line("made from", field.source());
}

struct BuildCommand {
  std::string reference, out;
  bool quiet = false;
  ReferenceFlags reference_flags;
  OptionFlags<FieldOptions> field_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command) {
    command.add_option("REFERENCE", reference, fmt::format("what the field is of: {}", reference_kinds))
        ->required()
        ->group("Input");
    reference_flags.add_to(command);
    named_file(command.add_option("--out", out, "the field file to write"))
        ->type_name("FILE")
        ->required()
        ->group("Output");
    command.add_flag("--quiet", quiet, "no summary")->group("Output");
    field_flags.add_to(command, "Distance field");
    run_flags.add_to(command, "Run",
                     {"start_at_centroid", "seed", "trace", "time_limit_ms", "inlier_distance", "min_inlier_ratio"});
  }

  int run() const {
    Run how;
    FieldOptions options;
    field_flags.apply(options);
    run_flags.apply(how);
    check_writable(out);
    check_not_input({"--out", &out}, {reference});
    if (is_field(reference)) {
      throw InvalidArgument(fmt::format("{} is a field already; `dovetail field info` shows what it holds", reference));
    }
    reference_flags.check({reference});
    const auto began = std::chrono::steady_clock::now();
    const Reference read = read_reference(reference, reference_flags.options);
    const auto built = std::chrono::steady_clock::now();
    DistanceField field = naming_reference(reference, [&] { return build_field(read, options, how); });
    const auto done = std::chrono::steady_clock::now();
    field.set_source(std::filesystem::path(reference).filename().string());
    save_field(out, field);
    if (quiet) return success;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    fmt::print("{}\n", out);
    print_field(field);
    fmt::print("  {:<12} read {:.1f} ms, build {:.1f} ms\n", "time", Milliseconds(built - began).count(),
               Milliseconds(done - built).count());
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
  CLI::App* const build = command->add_subcommand("build", "Build the distance field of a reference and keep it");
  build->footer(
      "Examples:\n"
      "  dovetail field build roads.geojson --out roads.field --cell 0.5\n"
      "  dovetail field build part.stl --out part.field");
  const auto state = std::make_shared<BuildCommand>();
  state->add_to(*build);
  build->callback([state, &action] { action = [state] { return state->run(); }; });

  CLI::App* const info = command->add_subcommand("info", "Show what a field file holds");
  info->footer("Example: dovetail field info roads.field");
  const auto file = std::make_shared<std::string>();
  info->add_option("FIELD", *file, "a field file")->required();
  info->callback([file, &action] {
    action = [file] {
      const DistanceField field = load_field(*file);
      fmt::print("{}\n", *file);
      print_field(field);
      return success;
    };
  });
}

}  // namespace dovetail::app
