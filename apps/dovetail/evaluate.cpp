// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <cmath>

#include "command.h"
#include "dovetail/dovetail.h"
#include "dovetail/error.h"
#include "dovetail/pose_file.h"
#include "input.h"
#include "option_flags.h"
#include "output.h"
#include "report_flags.h"
#include "summary.h"

namespace dovetail::app {
namespace {

/// Points that a reference of lines or of a surface is evaluated by.
constexpr double samples = 200'000;

struct EvaluateCommand {
  std::string pose, source, target, json;
  ReportFlags report;
  bool quiet = false;
  ReferenceFlags reference_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command);
  Reference read_target(const StoredPose& stored) const;
  int run() const;
};

void EvaluateCommand::add_to(CLI::App& command) {
  add_input(command, "POSE", pose, "a result JSON, or a text file with the matrix row by row");
  add_input(command, "SOURCE", source, "the points the pose moves");
  add_input(command, "TARGET", target, "what it brings them onto: points, lines, an image; no field");
  reference_flags.add_to(command);
  add_json_flag(command, json);
  report.add_to(command);
  command.add_flag("--quiet", quiet, "no summary")->group("Output");
  run_flags.add_to(
      command, "Run",
      {"start_at_centroid", "start_rotation_sigma", "start_shift_sigma", "seed", "time_limit_ms", "trace"});
}

/// What the pose brings the source onto, as points: those of lines, and of a surface that a chamfer alignment went to.
Reference EvaluateCommand::read_target(const StoredPose& stored) const {
  if (is_field(target)) {
    const std::string made_from = load_field(target).source();
    throw InvalidArgument(fmt::format("{} is a distance field; evaluate needs the reference it was made from{}", target,
                                      made_from.empty() ? "" : ", " + made_from));
  }
  Reference reference = read_in_frame(target, reference_flags.options, stored.target_frame);
  if (reference.frame && reference.lines.empty() && takes_degrees_as_numbers(stored)) {
    return {read_points(target), {}, {}};
  }
  const bool surface = stored.method == "chamfer" && !reference.points.faces.empty();
  if (reference.lines.empty() && !surface) return reference;
  const ReferenceMeasure measure = measure_reference(reference);
  const double spacing = surface ? std::sqrt(measure.area / samples) : measure.length / samples;
  if (spacing > 0) reference.points = sample_reference(reference, spacing);
  return reference;
}

int EvaluateCommand::run() const {
  Run how;
  run_flags.apply(how);
  check_outputs({{"--json", &json}, report.output()});
  report.check({pose, source, target});
  check_not_input({"--json", &json}, {pose, source, target});
  reference_flags.check({source, target});
  const StoredPose stored = read_stored_pose(pose);
  const Transform& target_from_source = stored.target_from_source;
  // A chamfer alignment has its own measure of inliers; the others have the one that comes without being asked for.
  if (stored.method == "chamfer" && how.inlier_distance == 0) how.inlier_distance = stored.inlier_distance;
  const auto began = std::chrono::steady_clock::now();
  const Reference fixed = read_target(stored);
  const auto& frame = stored.source_frame ? stored.source_frame : fixed.frame;
  Observed moving = read_observed(source, reference_flags.for_observed(), frame);
  if (moving.frame && !fixed.frame && takes_degrees_as_numbers(stored)) moving = {read_points(source), {}};
  const double read_ms = milliseconds_since(began);
  check_dimensions(source, moving.points.dimension, target, fixed.points.dimension);
  check_dimension(pose, target_from_source.model, source, moving.points.dimension);
  Registration result = evaluate_pose(moving.points, fixed.points, target_from_source, how);
  result.source_file = source;
  result.target_file = target;
  result.target_frame = fixed.frame;
  result.source_frame = moving.frame;
  result.time_ms.read = read_ms;
  result.time_ms.total += read_ms;
  Attempts attempt;
  attempt([&] { write_json(json, result); });
  if (!quiet) tell(result, json != "-", attempt);
  attempt([&] { report.write(result, moving.points, fixed); });
  return exit_code(result, attempt);
}

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  add_command<EvaluateCommand>(program, action, "evaluate", "Tell how well a given pose fits, without moving anything",
                               "Examples:\n"
                               "  dovetail evaluate run.json scan2.ply scan1.ply --inlier-distance 0.5\n"
                               "  dovetail evaluate run.json detections.csv roads.geojson");
}

}  // namespace dovetail::app
