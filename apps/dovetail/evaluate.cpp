// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "command.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "option_flags.h"
#include "output.h"
#include "summary.h"

namespace dovetail::app {
namespace {

struct EvaluateCommand {
  std::string pose, source, target, json;
  bool quiet = false;
  OptionFlags<Run> run_flags;

  int run() const {
    Run how;
    run_flags.apply(how);
    if (!json.empty() && json != "-") check_writable(json);
    const Transform target_from_source = read_pose(pose);
    double read_ms = 0;
    const PointCloud moving = timed_read(source, read_ms);
    const PointCloud fixed = timed_read(target, read_ms);
    Registration result = evaluate_pose(moving, fixed, target_from_source, how);
    result.time_ms.read = read_ms;
    result.time_ms.total += read_ms;
    write_json(json, result);
    if (json == "-") {
      if (!quiet) print_warnings(result);
    } else if (!quiet) {
      print_summary(result);
    }
    return result.usable() ? success : not_usable;
  }
};

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("evaluate", "Tell how well a given pose fits, without moving anything");
  command->footer("Example: dovetail evaluate run.json scan2.ply scan1.ply --inlier-distance 0.5");
  const auto state = std::make_shared<EvaluateCommand>();
  command->add_option("POSE", state->pose, "a result JSON, or a text file with the matrix row by row")
      ->required()
      ->group("Input");
  command->add_option("SOURCE", state->source, "the points the pose moves")->required()->group("Input");
  command->add_option("TARGET", state->target, "the points it brings them onto")->required()->group("Input");
  command->add_option("--json", state->json, "write the whole result as JSON; - is stdout, with nothing else on it")
      ->type_name("FILE|-")
      ->group("Output");
  command->add_flag("--quiet", state->quiet, "no summary")->group("Output");
  state->run_flags.add_to(*command, "Run", {"start_at_centroid", "seed", "time_limit_ms", "trace"});
  command->callback([state, &action] { action = [state] { return state->run(); }; });
}

}  // namespace dovetail::app
