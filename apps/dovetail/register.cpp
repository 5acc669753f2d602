// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "command.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "input.h"
#include "option_flags.h"
#include "output.h"
#include "progress.h"
#include "report_flags.h"
#include "starts.h"
#include "summary.h"
#include "target.h"

namespace dovetail::app {
namespace {

/// `Options` names the method.
template <class Options>
struct RegisterCommand {
  std::string source, target, weights;
  std::vector<std::string> starts;
  std::string start_covariance;
  std::string json, out, pose;
  ReportFlags report;
  bool quiet = false;
  OptionFlags<Options> method_flags;
  OptionFlags<Run> run_flags;
  Target<Options> goal;

  void add_to(CLI::App& command);
  int run();
  int write(const Registration& result, const PointCloud& moving);
};

template <class Options>
void RegisterCommand<Options>::add_to(CLI::App& command) {
  add_input(command, Target<Options>::source_name, source, "the points that move");
  add_input(command, Target<Options>::target_name, target, Target<Options>::target_help);
  add_start_flag(command, starts);
  add_covariance_flag(command, start_covariance);
  add_file_flag(command, "Input", "--weights", weights, "one weight per source point, a number a line");
  add_json_flag(command, json);
  add_file_flag(command, "Output", "--out", out, "write the moved source");
  add_file_flag(command, "Output", "--pose", pose, "write the pose as a text matrix; - is stdout", "FILE|-");
  report.add_to(command);
  command.add_flag("--quiet", quiet, "no summary and no progress bar")->group("Output");
  method_flags.add_to(command, "Method");
  goal.add_to(command);
  run_flags.add_to(command, "Run");
}

template <class Options>
int RegisterCommand<Options>::run() {
  Run how;
  how.cancel = &stop_on_interrupt();
  Options options = goal.defaults();
  method_flags.apply(options);
  goal.apply(options);
  run_flags.apply(how);
  if (!out.empty()) check_point_file(out);
  check_outputs({{"--json", &json}, {"--pose", &pose}, {"--out", &out}, report.output()});
  report.check({source, target, weights});
  check_not_input({"--json", &json}, {source, target, weights});
  check_not_input({"--pose", &pose}, {source, target, weights});

  const auto began = std::chrono::steady_clock::now();
  const PointCloud moving = goal.read(source, target);
  const double read_ms = milliseconds_since(began);
  check_dimensions(source, moving.dimension, target, goal.dimension());
  if (!out.empty()) check_points(out, moving);
  set_starts(how, starts, moving.dimension, start_model(options, moving.dimension));
  set_start_covariance(how, start_covariance, moving.dimension);
  if (!weights.empty()) how.weights = read_weights(weights, moving.size(), source);

  Registration result;
  {
    const Progress progress(how, options, quiet);
    result = goal.align(moving, options, how);
  }
  result.time_ms.read = read_ms;
  result.time_ms.total += read_ms;
  result.source_file = source;
  result.target_file = target;
  result.source_frame = goal.source_frame();
  for (Registration& other : result.alternatives) other.source_frame = result.source_frame;
  return write(result, moving);
}

template <class Options>
int RegisterCommand<Options>::write(const Registration& result, const PointCloud& moving) {
  Attempts attempt;
  attempt([&] { write_json(json, result); });
  if (!quiet) tell(result, json != "-" && pose != "-", attempt);
  attempt([&] { report.write(result, moving, goal.shown()); });
  // A pose that is not to be trusted leaves no file that looks like an aligned cloud; the JSON has it all the same.
  if (result.usable()) {
    attempt([&] { write_pose_to(pose, result.target_from_source); });
    if (!out.empty()) {
      attempt([&] { write_points(out, move_points(result.target_from_source, moving, source)); });
    }
  } else {
    for (const std::string& file : {out, pose}) {
      if (!file.empty()) print_error("dovetail: {} not written: {}\n", file, result.message);
    }
  }
  return exit_code(result, attempt);
}

}  // namespace

void add_register(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("register", "Find the transform that brings a cloud onto another");
  command->footer("Example: dovetail register icp scan2.ply scan1.ply --out aligned.ply --json run.json");
  command->require_subcommand(1);

  add_command<RegisterCommand<Icp>>(
      *command, action, "icp", "Iterative closest point",
      "Examples:\n"
      "  dovetail register icp scan2.ply scan1.ply --out aligned.ply --json run.json\n"
      "  dovetail register icp scan2.ply scan1.ply --start odometry.txt --start-rotation-sigma 2 "
      "--start-shift-sigma 0.1\n"
      "  dovetail register icp scan2.ply scan1.ply --start guess.txt --metric point_to_plane "
      "--max-distance 2.5");
  add_command<RegisterCommand<EmIcp>>(
      *command, action, "em-icp", "Soft correspondence, from any rotation",
      "Examples:\n"
      "  dovetail register em-icp scan2.ply scan1.ply --out aligned.ply\n"
      "  dovetail register em-icp scan2.ply scan1.ply --refine icp --json run.json\n"
      "  dovetail register em-icp scan2.ply scan1.ply --starts 1 --sigma-start 0.1 --sigma-end 0.003");
  add_command<RegisterCommand<Softassign>>(
      *command, action, "softassign", "Soft one-to-one correspondence, from any rotation",
      "Example: dovetail register softassign scan2.ply scan1.ply --out aligned.ply");
  add_command<RegisterCommand<Gpicp>>(
      *command, action, "gpicp", "Thousands of starts at once: any pose, little overlap",
      "Examples:\n"
      "  dovetail register gpicp room2.ply room1.ply --out aligned.ply --json run.json\n"
      "  dovetail register gpicp part.ply scene.ply --starts-from rotations --shift 0.05\n"
      "  dovetail register gpicp part.ply scene.ply --preset thesis --starts 64");
  add_command<RegisterCommand<Chamfer>>(
      *command, action, "chamfer", "Points onto a map, a surface or an image, without correspondences",
      "Examples:\n"
      "  dovetail register chamfer detections.csv roads.geojson --model similarity --json run.json\n"
      "  dovetail register chamfer scan.ply part.stl --model similarity --out aligned.ply\n"
      "  dovetail field build roads.geojson --out roads.field\n"
      "  dovetail register chamfer detections.csv roads.field --model projective --search-shift 200");
}

}  // namespace dovetail::app
