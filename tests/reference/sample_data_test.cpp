// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dovetail/reference.h"
#include "reference/surface.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

class Part : public testing::TestWithParam<const char*> {};

TEST_P(Part, IsCoveredByPointsOfItsSurface) {
  DOVETAIL_NEEDS_DATA();
  const Reference part = read_reference(data_folder() / "cad" / GetParam());
  const std::vector<Triangle> triangles = triangles_of(part.points);
  ASSERT_FALSE(triangles.empty());
  double area = 0;
  for (const Triangle& t : triangles) area += t.area();
  EXPECT_NEAR(measure_reference(part).area, area, 1e-9 * area);  // of thousands of triangles, each to rounding

  double size = 0;
  for (const Vec3& p : part.points.positions) size = std::max(size, norm(p));
  for (const double fraction : {0.02, 0.1}) {
    const double spacing = fraction * std::sqrt(area);
    const std::vector<Vec3> samples = sample_reference(part, spacing).positions;
    ASSERT_GE(samples.size(), part.points.size());
    EXPECT_TRUE(std::equal(part.points.positions.begin(), part.points.positions.end(), samples.begin()));
    for (const Vec3& p : random_surface_points(part.points, 300, 5)) {
      ASSERT_LE(squared_distance_to_points(p, samples), spacing * spacing);
    }
    const std::size_t step = std::max<std::size_t>(1, samples.size() / 150);
    for (std::size_t i = 0; i < samples.size(); i += step) {
      double distance = HUGE_VAL;
      for (const Triangle& t : triangles) distance = std::min(distance, distance_to_triangle(samples[i], t));
      ASSERT_LE(distance, 1e-9 * size) << "sample " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cad, Part,
                         testing::Values("angle_block.STL", "bin_exterior.stl", "bolt_m16.obj", "cycloidal.ply",
                                         "featuretype.STL", "idler_riser.STL", "plate_holes.STL", "pump_base.stl",
                                         "regulator_collision.stl", "sensor_collision.stl", "tube.obj"),
                         [](const auto& part) {
                           std::string name = part.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace dovetail::test
