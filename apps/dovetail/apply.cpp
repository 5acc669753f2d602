// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "move.h"
#include "observed.h"
#include "output.h"

namespace dovetail::app {
namespace {

struct ApplyCommand {
  std::string pose, in, out;
  bool inverse = false;

  PointCloud read(const StoredPose& stored) const;
  int run() const;
};

/// Reads the file to move, in the frame that the pose starts from.
PointCloud ApplyCommand::read(const StoredPose& stored) const {
  const auto& frame = inverse ? stored.target_frame : stored.source_frame;
  if (takes_degrees_as_numbers(stored)) return read_points(in);
  Observed moving = read_observed(in, {}, frame);
  if (moving.frame && !frame) {
    throw FileError(fmt::format("{} holds longitudes and latitudes, and {} names no {} to bring them into", in, pose,
                                inverse ? "target_frame" : "source_frame"));
  }
  if (!moving.frame && frame && !inverse) {
    fmt::print(stderr, "dovetail: warning: {} is taken to be in metres of the pose's source_frame, {}\n", in,
               to_proj_string(*frame));
  }
  return std::move(moving.points);
}

int ApplyCommand::run() const {
  check_point_file(out);
  const StoredPose stored = read_stored_pose(pose);
  const Transform& given = stored.target_from_source;
  const PointCloud cloud = read(stored);
  if (dimension(given.model) != cloud.dimension) {
    throw FileError(fmt::format("{} is a pose in {} dimensions ({}), and {} has {}", pose, dimension(given.model),
                                to_string(given.model), in, cloud.dimension));
  }
  check_points(out, cloud);
  write_points(out, move_points(inverse ? given.inverse() : given, cloud, in));
  return success;
}

}  // namespace

void add_apply(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("apply", "Move a point or mesh file by a pose");
  command->footer("Example: dovetail apply run.json scan2.ply aligned.ply");
  const auto state = std::make_shared<ApplyCommand>();
  command->add_option("POSE", state->pose, "a result JSON, or a text file with the matrix row by row")->required();
  command
      ->add_option("IN", state->in,
                   "the file to move; one in degrees is brought into the frame that the result names first")
      ->required();
  command->add_option("OUT", state->out, "the file to write; its ending tells the format")->required();
  command->add_flag("--inverse", state->inverse, "move by the inverse of the pose");
  command->callback([state, &action] { action = [state] { return state->run(); }; });
}

}  // namespace dovetail::app
