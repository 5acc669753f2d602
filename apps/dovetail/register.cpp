// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "interrupt.h"
#include "option_flags.h"
#include "output.h"
#include "progress.h"
#include "starts.h"
#include "summary.h"
#include "target.h"
#include "weights.h"

namespace dovetail::app {
namespace {

/// `Options` names the method.
template <class Options>
struct RegisterCommand {
  std::string source, target, weights;
  std::vector<std::string> starts;
  std::string json, out, pose;
  bool quiet = false;
  OptionFlags<Options> method_flags;
  OptionFlags<Run> run_flags;
  Target<Options> goal;

  void add_to(CLI::App& command);
  int run();
  void write(const Registration& result, const PointCloud& moving) const;
};

template <class Options>
void RegisterCommand<Options>::add_to(CLI::App& command) {
  command.add_option(Target<Options>::source_name, source, "the points that move")->required()->group("Input");
  command.add_option(Target<Options>::target_name, target, Target<Options>::target_help)->required()->group("Input");
  add_start_flag(command, starts);
  command.add_option("--weights", weights, "one weight per source point, a number a line")
      ->type_name("FILE")
      ->group("Input");
  command.add_option("--json", json, "write the whole result as JSON; - is stdout, with nothing else on it")
      ->type_name("FILE|-")
      ->group("Output");
  command.add_option("--out", out, "write the moved source")->type_name("FILE")->group("Output");
  command.add_option("--pose", pose, "write the pose as a text matrix")->type_name("FILE")->group("Output");
  command.add_flag("--quiet", quiet, "no summary and no progress bar")->group("Output");
  method_flags.add_to(command, "Method");
  goal.add_to(command);
  run_flags.add_to(command, "Run");
}

template <class Options>
int RegisterCommand<Options>::run() {
  Run how;
  how.cancel = &stop_on_interrupt();
  Options options;
  method_flags.apply(options);
  goal.apply(options);
  run_flags.apply(how);
  if (!json.empty() && json != "-") check_writable(json);
  if (!out.empty()) check_point_file(out);
  if (!pose.empty()) check_writable(pose);

  double read_ms = 0;
  const PointCloud moving = goal.read(source, target, read_ms);
  set_starts(how, starts, moving.dimension);
  if (!weights.empty()) how.weights = read_weights(weights);

  Registration result;
  {
    const Progress progress(how, options, quiet);
    result = goal.align(moving, options, how);
  }
  result.time_ms.read = read_ms;
  result.time_ms.total += read_ms;
  write(result, moving);
  return result.usable() ? success : not_usable;
}

template <class Options>
void RegisterCommand<Options>::write(const Registration& result, const PointCloud& moving) const {
  write_json(json, result);
  if (json == "-") {
    if (!quiet) print_warnings(result);
  } else if (!quiet) {
    print_summary(result);
  }
  // A pose that is not to be trusted leaves no file that looks like an aligned cloud; the JSON has it all the same.
  if (!result.usable()) {
    for (const std::string& file : {out, pose}) {
      if (!file.empty()) fmt::print(stderr, "dovetail: {} not written: {}\n", file, result.message);
    }
    return;
  }
  if (!pose.empty()) write_pose(pose, result.target_from_source);
  if (!out.empty()) write_points(out, result.target_from_source * moving);
}

template <class Options>
void add_method(CLI::App& command, Action& action, const char* name, const char* what, const char* examples) {
  CLI::App* const method = command.add_subcommand(name, what);
  method->footer(examples);
  method->allow_extras(false);  // it would inherit that
  const auto state = std::make_shared<RegisterCommand<Options>>();
  state->add_to(*method);
  method->callback([state, &action] { action = [state] { return state->run(); }; });
}

}  // namespace

void require_method(const std::string& name) {
  const std::vector<std::string> names = method_names();
  std::string wanted = name;
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  if (std::find(names.begin(), names.end(), wanted) != names.end()) return;
  throw InvalidArgument(
      fmt::format("there is no method '{}'; there are: {}", name, fmt::format("{}", fmt::join(names, ", "))));
}

void add_register(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("register", "Find the transform that brings a cloud onto another");
  command->footer("Example: dovetail register icp scan2.ply scan1.ply --out aligned.ply --json run.json");
  command->allow_extras();  // a method's name that is none is answered with those there are

  add_method<Icp>(*command, action, "icp", "Iterative closest point",
                  "Examples:\n"
                  "  dovetail register icp scan2.ply scan1.ply --out aligned.ply --json run.json\n"
                  "  dovetail register icp scan2.ply scan1.ply --start guess.txt --metric point_to_plane "
                  "--max-distance 2.5");
  add_method<EmIcp>(*command, action, "em-icp", "Soft correspondence, from any rotation",
                    "Examples:\n"
                    "  dovetail register em-icp scan2.ply scan1.ply --out aligned.ply\n"
                    "  dovetail register em-icp scan2.ply scan1.ply --refine icp --json run.json\n"
                    "  dovetail register em-icp scan2.ply scan1.ply --starts 1 --sigma-start 0.1 --sigma-end 0.003");
  add_method<Softassign>(*command, action, "softassign", "Soft one-to-one correspondence, from any rotation",
                         "Example: dovetail register softassign scan2.ply scan1.ply --out aligned.ply");
  add_method<Chamfer>(*command, action, "chamfer", "Points onto a map, a surface or an image, without correspondences",
                      "Examples:\n"
                      "  dovetail register chamfer detections.csv roads.geojson --model similarity --json run.json\n"
                      "  dovetail register chamfer scan.ply part.stl --model similarity --out aligned.ply\n"
                      "  dovetail field build roads.geojson --out roads.field\n"
                      "  dovetail register chamfer detections.csv roads.field --model projective --search-shift 200");
  command->callback([command, &action] {
    if (!command->get_subcommands().empty()) return;
    const std::vector<std::string> rest = command->remaining();
    action = [rest]() -> int {
      if (rest.empty()) {
        throw InvalidArgument(fmt::format("register: name a method: {}", fmt::join(method_names(), ", ")));
      }
      require_method(rest.front());
      return usage_error;
    };
  });
}

}  // namespace dovetail::app
