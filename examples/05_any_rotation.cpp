// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No start at all: the part may lie any way round. EM-ICP tries rotations all over, and ICP polishes what it finds.

#include <dovetail/dovetail.h>
#include <dovetail/scanner.h>

#include <iostream>

int main() {
  const dovetail::PointCloud part = dovetail::downsample(dovetail::built_in_part(), 1.0);
  const dovetail::Transform truth = dovetail::Rigid3::exp({2.0, -1.0, 1.5, 10, -40, 25});  // 154 degrees
  dovetail::EmIcp method;
  method.refine = dovetail::Refinement::icp;
  const auto result = dovetail::register_points(part, truth * part, method);
  const double error = rotation_angle_between(result.target_from_source, truth);
  std::cout << result.message << "\nmargin " << result.margin.value_or(0) << " over " << result.alternatives.size()
            << " other answers, rotation error " << error << " rad\n";
  for (const auto& row : result.trace) {  // how it got there: data for a convergence plot
    if (row.sigma > 0) std::cout << "  sigma " << row.sigma << ", matched " << row.used_ratio << '\n';
  }
  return result.usable() && error < 1e-3 ? 0 : 1;
}
