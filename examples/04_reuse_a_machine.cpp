// SPDX-License-Identifier: MIT
// Part of Dovetail.

// A stream of scans against one reference: the Workspace keeps threads, GPU stream and scratch memory between runs, and
// each answer is the next one's start.

#include <dovetail/dovetail.h>
#include <dovetail/scanner.h>

#include <iostream>

int main() {
  const dovetail::PointCloud reference = dovetail::downsample(dovetail::built_in_part(), 1.0);
  dovetail::Workspace workspace;
  dovetail::Icp options;
  options.starts = 1;
  dovetail::Run run;
  run.workspace = &workspace;
  run.trace = false;
  std::cout << "running on " << workspace.machine_name() << '\n';
  for (int frame = 1; frame <= 5; ++frame) {
    const dovetail::Transform truth = dovetail::Rigid3::exp({0, 0, 0.05 * frame, 1.0 * frame, 0, 0});
    const auto result = dovetail::register_points(truth.inverse() * reference, reference, options, run);
    const double error = distance_between(result.target_from_source, truth);
    std::cout << "frame " << frame << ": " << result.message << ", off by " << error << " mm\n";
    if (!result.usable() || error > 1e-2) return 1;
    run.start = result.target_from_source;
  }
  return 0;
}
