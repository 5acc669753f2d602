// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/scanner.h"

namespace dovetail::test {

inline PointCloud table() {
  PointCloud mesh;
  mesh.positions = {{-400, -400, 0}, {400, -400, 0}, {400, 400, 0}, {-400, 400, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

/// A bracket and a t-pipe on a table, seen from above.
struct TableScene {
  PointCloud bracket = built_in_part(BuiltInPart::bracket), pipe = built_in_part(BuiltInPart::t_pipe), top = table();
  Transform on_table = Rigid3{exp_so3(Vec3{0, 0, 0.7}), {-60, -20, 0}};
  Transform pipe_on_table = Rigid3{exp_so3(Vec3{0, 0, -0.4}), {110, 60, 60}};
  ScanOptions options;

  TableScene() {
    options.width = 320, options.height = 240, options.noise = 0.2;
    options.mesh_from_sensor = look_at({250, -420, 480}, {0, 0, 20});
  }
  PointCloud seen() const {
    const std::vector<ScenePart> parts = {{&bracket, on_table}, {&pipe, pipe_on_table}, {&top, Transform()}};
    return scan(parts, options);
  }
  Transform truth() const { return options.mesh_from_sensor.inverse() * on_table; }
};

}  // namespace dovetail::test
