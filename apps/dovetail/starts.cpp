// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "starts.h"

#include "dovetail/pose_file.h"

namespace dovetail::app {

void add_start_flag(CLI::App& command, std::vector<std::string>& starts) {
  command
      .add_option("--start", starts,
                  "where the source is placed first: a result JSON, a text file with the matrix row by row, identity "
                  "(the default) or centroid; repeat it to try several")
      ->type_name("FILE|identity|centroid")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Input");
}

void set_starts(Run& run, const std::vector<std::string>& starts, int dimension) {
  std::vector<Transform> poses;
  for (const std::string& start : starts) {
    if (start == "centroid") {
      run.start_at_centroid = true;
    } else if (start == "identity") {
      poses.push_back(Transform::identity(dimension == 2 ? Model::rigid2 : Model::rigid3));
    } else {
      poses.push_back(read_pose(start));
    }
  }
  // A single pose is the start; several are refined side by side, ranked, and none goes before the others.
  if (starts.size() == 1 && poses.size() == 1) {
    run.start = poses.front();
  } else {
    run.starts = std::move(poses);
  }
}

}  // namespace dovetail::app
