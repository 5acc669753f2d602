// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "command.h"
#include "dovetail/pose_evaluation.h"
#include "input.h"
#include "option_flags.h"
#include "output.h"
#include "pose_build.h"
#include "pose_find.h"
#include "pose_tables.h"
#include "report_flags.h"

namespace dovetail::app {
namespace {

struct PoseEvaluateCommand {
  std::string results, folder, split, targets, detection_targets, camera, json;
  bool quiet = false;
  ReportFlags report;
  OptionFlags<PoseEvaluationOptions> evaluation_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command) {
    add_input(command, "RESULTS", results, "a results CSV of the BOP benchmark");
    command.add_option("--dataset", folder, "the data set's folder, in BOP's layout")
        ->required()
        ->type_name("FOLDER")
        ->group("Data set");
    command.add_option("--split", split, "the folder in it that has the scenes (default test)")
        ->type_name("NAME")
        ->group("Data set");
    add_file_flag(command, "Data set", "--targets", targets,
                  "what is to be localised, in the folder or elsewhere (default test_targets_bop19.json)");
    add_file_flag(command, "Data set", "--detection-targets", detection_targets,
                  "in which images to detect (default test_targets_bop24.json, else the images of --targets)");
    add_file_flag(command, "Data set", "--camera", camera,
                  "tells the width of the images (default camera.json, else the depth images)");
    evaluation_flags.add_to(command, "Scores");
    add_json_flag(command, json);
    report.add_to(command);
    command.add_flag("--quiet", quiet, "no tables")->group("Output");
    run_flags.add_to(
        command, "Run",
        {"machine", "device", "start_at_centroid", "seed", "time_limit_ms", "trace", "inlier_distance",
         "min_confidence", "min_inlier_ratio", "origin_points", "start_rotation_sigma", "start_shift_sigma"});
  }

  PoseDataset dataset() const {
    PoseDataset set;
    set.folder = folder;
    if (!split.empty()) set.split = split;
    if (!targets.empty()) set.targets = targets;
    if (!detection_targets.empty()) set.detection_targets = detection_targets;
    if (!camera.empty()) set.camera = camera;
    return set;
  }

  int run() const {
    PoseEvaluationOptions options;
    Run how;
    evaluation_flags.apply(options);
    run_flags.apply(how);
    check_outputs({{"--json", &json}, report.output()});
    report.check({results});
    check_not_input({"--json", &json}, {results});
    const PoseEvaluation evaluation = evaluate_pose_estimates(results, dataset(), options, how);
    Attempts attempt;
    if (json == "-") attempt([&] { fmt::print("{}\n", to_json(evaluation)); });
    if (!json.empty() && json != "-") attempt([&] { write_pose_evaluation(json, evaluation); });
    attempt([&] { report.write(ReportedScores{scores_name(results, folder), to_json(evaluation), {}}); });
    if (!quiet && json != "-") print_pose_evaluation(evaluation);
    return attempt.failed() ? world_failure : success;
  }
};

}  // namespace

void add_pose(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("pose", "Poses of known parts in range images: databases of views, searches, and scores");
  command->footer("Example: dovetail pose evaluate results.csv --dataset lmo");
  command->require_subcommand(1);
  add_pose_build(*command, action);
  add_pose_find(*command, action);
  add_command<PoseEvaluateCommand>(
      *command, action, "evaluate", "Score estimated poses against a data set's truth, as the BOP benchmark does",
      "Examples:\n"
      "  dovetail pose evaluate results.csv --dataset lmo\n"
      "  dovetail pose evaluate results.csv --dataset tless --split test_primesense --camera camera_primesense.json\n"
      "  dovetail pose evaluate results.csv --dataset bins --no-vsd --json scores.json");
}

}  // namespace dovetail::app
