// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Two files in, a transform out: 01_register [SOURCE TARGET]
// Without arguments it makes two files itself: a part, and the same part turned and moved.

#include <dovetail/dovetail.h>
#include <dovetail/scanner.h>

#include <iostream>

int main(int argc, char** argv) {
  std::string source_file = "moved_part.ply", target_file = "part.ply";
  if (argc == 3) {
    source_file = argv[1];
    target_file = argv[2];
  } else {
    const dovetail::PointCloud part = dovetail::built_in_part();
    const dovetail::Transform moved = dovetail::Rigid3::exp({0.1, -0.2, 0.3, 5, -3, 2});  // radians, millimetres
    dovetail::write_points(target_file, part);
    dovetail::write_points(source_file, moved.inverse() * part);
  }

  const auto source = dovetail::read_points(source_file), target = dovetail::read_points(target_file);
  const auto result = dovetail::register_points(source, target);
  std::cout << result.message << '\n';
  if (!result.usable()) return 1;
  dovetail::write_points("aligned.ply", result.target_from_source * source);
  return 0;
}
