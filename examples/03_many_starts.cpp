// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Several possible starts in one call: all are refined as one batch, the answers come ranked and without duplicates.

#include <dovetail/dovetail.h>
#include <dovetail/scanner.h>

#include <iostream>
#include <numbers>

int main() {
  const dovetail::PointCloud part = dovetail::downsample(dovetail::built_in_part(), 1.0);
  const dovetail::Transform truth = dovetail::Rigid3::exp({0, 0, 2.0, 10, 0, 0});
  dovetail::Run run;
  for (int i = 0; i < 6; ++i) {  // the part lies on a table, turned by an unknown angle
    run.starts.push_back(dovetail::Rigid3::exp({0, 0, i * std::numbers::pi / 3, 0, 0, 0}));
  }
  const auto result = dovetail::register_points(part, truth * part, {}, run);
  const double error = rotation_angle_between(result.target_from_source, truth);
  std::cout << result.message << "\nscore " << result.score << ", margin " << result.margin.value_or(0) << ", "
            << result.alternatives.size() << " other answers, rotation error " << error << " rad\n";
  return result.usable() && error < 1e-3 ? 0 : 1;
}
