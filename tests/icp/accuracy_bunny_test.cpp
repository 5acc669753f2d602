// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/property_cases.h"
#include "support/truth.h"

// The bunny's range scans with default options. The bar, 0.2 degrees and 0.3 mm, is what the scans' own ground truth is
// good for (all points within 2 mm of the mesh) and a third of their spacing.

namespace dovetail {
namespace {

using namespace test;

void expect_all_starts_succeed(const std::string& source_file, const std::string& target_file, std::uint64_t seed) {
  const PointCloud source = data_points("stanford_bunny/" + source_file);
  const PointCloud target = data_points("stanford_bunny/" + target_file);
  const Transform truth = bunny_truth(target_file, source_file);
  const Vec3 middle = centroid(source), place = truth * middle;
  constexpr int starts = 40;
  int good = 0;
  PoseError worst;
  for (int i = 0; i < starts; ++i) {
    RandomStream random(seed, static_cast<std::uint64_t>(i));
    auto run = on(Machine::cpu);
    run.trace = false;
    run.start = random_motion(random, 45, 0.02, place) * truth;
    const Registration r = register_points(source, target, {}, run);
    const PoseError e = pose_error(r.target_from_source, truth, middle);
    const bool fine = r.usable() && e.degrees <= 0.2 && e.shift <= 0.3e-3;
    good += fine ? 1 : 0;
    worst = {std::max(worst.degrees, e.degrees), std::max(worst.shift, e.shift)};
    EXPECT_TRUE(fine) << "start " << i << ", " << pose_error(*run.start, truth, middle).degrees
                      << " degrees off: ended " << e.degrees << " degrees and " << 1000 * e.shift << " mm off; "
                      << r.message;
  }
  EXPECT_EQ(good, starts);
  report(source_file + "_worst", worst.degrees, worst.shift);
}

TEST(AccuracyBunny, ScanFrom45DegreesFromFortyStarts) {
  DOVETAIL_NEEDS_DATA();
  expect_all_starts_succeed("bun045.ply", "bun000.ply", 1);
}

TEST(AccuracyBunny, ScanFrom90DegreesFromFortyStarts) {
  DOVETAIL_NEEDS_DATA();
  expect_all_starts_succeed("bun090.ply", "bun045.ply", 2);
}

TEST(AccuracyBunny, EveryMetric) {
  DOVETAIL_NEEDS_DATA();
  const PointCloud source = data_points("stanford_bunny/bun045.ply"), target = data_points("stanford_bunny/bun000.ply");
  const Transform truth = bunny_truth("bun000.ply", "bun045.ply");
  for (const Metric metric : {Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane}) {
    auto run = on(Machine::cpu);
    run.start = motion({1, 1, 1}, 20, {0.005, 0, 0.005}, truth * centroid(source)) * truth;
    const Registration r = register_points(source, target, with_metric(metric), run);
    SCOPED_TRACE(testing::PrintToString(metric));
    const PoseError e = pose_error(r.target_from_source, truth, source);
    report("bun045_" + testing::PrintToString(metric), e.degrees, e.shift);
    // Points are pulled towards each other where only one scan has any; planes are not.
    const double allowance = metric == Metric::point_to_point ? 3 : 1;
    expect_near(r, truth, source, 0.2 * allowance, 0.3e-3 * allowance);
  }
}

/// Coordinates of a map projection: millions of metres from the origin, where a float is half a metre wide.
TEST(AccuracyBunny, FarFromTheOrigin) {
  DOVETAIL_NEEDS_DATA();
  const PointCloud source = data_points("stanford_bunny/bun045.ply"), target = data_points("stanford_bunny/bun000.ply");
  const Transform truth = bunny_truth("bun000.ply", "bun045.ply");
  auto run = on(Machine::cpu);
  run.start = motion({1, 1, 1}, 20, {0.005, 0, 0.005}, truth * centroid(source)) * truth;
  const Registration near = register_points(source, target, {}, run);
  const Transform shift = motion({0, 0, 1}, 0, {4.5e5, 5.4e6, 300});
  run.start = shift * *run.start * shift.inverse();
  const PointCloud far_source = shift * source, far_target = shift * target;
  const Registration far = register_points(far_source, far_target, {}, run);
  // Coordinates of 5.4e6 in double are rounded to 9e-10, the bunny is 0.15 across; the result is to be as near.
  const double extent = measure_scale(source).extent;
  EXPECT_LE(distance_between(far.target_from_source * shift, shift * near.target_from_source, centroid(source)),
            1e-6 * extent);
  EXPECT_LE(rotation_angle_between(far.target_from_source, near.target_from_source), 1e-6);
  EXPECT_NEAR(far.rmse, near.rmse, 1e-6 * extent);
}

}  // namespace
}  // namespace dovetail
