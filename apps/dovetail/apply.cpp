// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "command.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "output.h"

namespace dovetail::app {
namespace {

struct ApplyCommand {
  std::string pose, in, out;
  bool inverse = false;

  int run() const {
    check_point_file(out);
    const Transform given = read_pose(pose);
    write_points(out, (inverse ? given.inverse() : given) * read_points(in));
    return success;
  }
};

}  // namespace

void add_apply(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("apply", "Move a point or mesh file by a pose");
  command->footer("Example: dovetail apply run.json scan2.ply aligned.ply");
  const auto state = std::make_shared<ApplyCommand>();
  command->add_option("POSE", state->pose, "a result JSON, or a text file with the matrix row by row")->required();
  command->add_option("IN", state->in, "the file to move")->required();
  command->add_option("OUT", state->out, "the file to write; its ending tells the format")->required();
  command->add_flag("--inverse", state->inverse, "move by the inverse of the pose");
  command->callback([state, &action] { action = [state] { return state->run(); }; });
}

}  // namespace dovetail::app
