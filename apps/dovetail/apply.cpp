// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "input.h"
#include "output.h"

namespace dovetail::app {
namespace {

struct ApplyCommand {
  std::string pose, in, out;
  bool inverse = false;

  void add_to(CLI::App& command);
  PointCloud read(const StoredPose& stored) const;
  int run() const;
};

void ApplyCommand::add_to(CLI::App& command) {
  command.add_option("POSE", pose, "a result JSON, or a text file with the matrix row by row")->required();
  command
      .add_option("IN", in, "the file to move; one in degrees is brought into the frame that the result names first")
      ->required();
  command.add_option("OUT", out, "the file to write; its ending tells the format")->required();
  command.add_flag("--inverse", inverse, "move by the inverse of the pose");
}

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
    print_error("dovetail: warning: {} is taken to be in metres of the pose's source_frame, {}\n", in,
                to_proj_string(*frame));
  }
  return std::move(moving.points);
}

int ApplyCommand::run() const {
  check_point_file(out);
  const StoredPose stored = read_stored_pose(pose);
  const Transform& given = stored.target_from_source;
  const PointCloud cloud = read(stored);
  check_dimension(pose, given.model, in, cloud.dimension);
  if (!stored.usable) print_error("dovetail: warning: {} says that its pose is not usable\n", pose);
  check_points(out, cloud);
  write_points(out, move_points(inverse ? given.inverse() : given, cloud, in));
  return success;
}

}  // namespace

void add_apply(CLI::App& program, Action& action) {
  add_command<ApplyCommand>(program, action, "apply", "Move a point or mesh file by a pose",
                            "Example: dovetail apply run.json scan2.ply aligned.ply");
}

}  // namespace dovetail::app
