// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <dovetail/bins.h>
#include <dovetail/dovetail.h>
#include <dovetail/pose_evaluation.h>
#include <dovetail/scanner.h>

#include <cmath>
#include <cstdio>

int main() {
  dovetail::PointCloud target;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j) {
      const double x = 0.1 * i, y = 0.1 * j;
      target.positions.push_back({x, y, std::sin(x) * std::cos(1.3 * y)});
    }
  }
  const dovetail::Transform truth = dovetail::Rigid3::exp({0.05, 0.02, -0.1, 0.1, 0.05, 0});
  dovetail::Run run;
  run.machine = dovetail::Machine::cpu;
  const auto result = dovetail::register_points(truth.inverse() * target, target, {}, run);
  std::printf("%s\n", result.message.c_str());
  std::printf("bins %d, VSD %d, scanner %d\n", dovetail::bins_available(), dovetail::vsd_available(),
              dovetail::scanner_available());
  return result.usable() && rotation_angle_between(result.target_from_source, truth) < 1e-3 ? 0 : 1;
}
