// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Points that were seen on streets, and the streets as lines: no correspondences, another scale, clutter. The field is
// built once; as many observations as there are can be aligned to it.

#include <dovetail/dovetail.h>

#include <cmath>
#include <iostream>

int main() {
  dovetail::Reference streets;  // read_reference("roads.geojson") reads a map
  streets.points.dimension = 2;
  dovetail::PointCloud seen;
  seen.dimension = 2;
  for (unsigned i = 0; i < 30; ++i) {
    const double turn = 2.4 * i, x = 900 * std::cos(5.0 * i), y = 900 * std::sin(3.0 * i);
    streets.points.positions.push_back({x, y, 0});
    streets.points.positions.push_back({x + 400 * std::cos(turn), y + 400 * std::sin(turn), 0});
    streets.lines.add({2 * i, 2 * i + 1});
    for (int k = 0; k < 60; ++k) {  // a little beside the street, and every tenth somewhere else
      const double along = (k + 0.5) / 60, off = k % 10 == 9 ? 150 : 2 * std::sin(7.0 * k + i);
      seen.positions.push_back({x + 400 * along * std::cos(turn) - off * std::sin(turn),
                                y + 400 * along * std::sin(turn) + off * std::cos(turn), 0});
    }
  }
  const dovetail::Transform truth = dovetail::Similarity2::exp({0.06, 40, -60, -0.04});
  const dovetail::DistanceField field = build_field(streets);  // save_field() keeps it in a file

  dovetail::Chamfer method;
  method.model = dovetail::ChamferModel::similarity;
  const auto result = dovetail::register_points(truth.inverse() * seen, field, method);
  const double error = distance_between(result.target_from_source, truth, {500, 500, 0});
  std::cout << result.message << "\nmargin " << result.margin.value_or(0) << ", " << error << " from the truth where "
            << result.expected_error.value_or(0) << " is to be expected\n";
  return result.usable() && error < 1 ? 0 : 1;
}
