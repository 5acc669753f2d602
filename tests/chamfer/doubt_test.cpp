// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <functional>

#include "chamfer/property_cases.h"
#include "support/messages.h"
#include "support/poses.h"

// What an alignment must not claim.

namespace dovetail {
namespace {

using namespace test;

PointCloud cloud_of(std::size_t count, std::uint64_t seed, const std::function<Vec3(RandomStream&)>& point) {
  PointCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    cloud.positions.push_back(point(random));
  }
  return cloud;
}

Vec3 on_plane(RandomStream& random, double half) {
  return {random.uniform(-half, half), random.uniform(-half, half), 0};
}
Vec3 on_sphere(RandomStream& random) { return random.unit_vector(); }
Vec3 on_line(RandomStream& random) { return random.uniform(-1, 1) * Vec3{1, 2, 3}; }

bool has_warning(const Registration& r, const std::string& text) {
  return std::any_of(r.warnings.begin(), r.warnings.end(), [&](const std::string& w) { return mentions(w, text); });
}

TEST(ChamferDoubt, PointsOnALineHoldNoTransformInSpace) {
  const PointCloud line = cloud_of(500, 1, on_line), other = cloud_of(500, 2, on_line);
  const PointCloud sphere = cloud_of(3000, 3, on_sphere);
  for (const auto& [observed, reference, what] : {std::tuple{&other, &line, "observed points lie on one line"},
                                                  {&other, &sphere, "observed points lie on one line"},
                                                  {&sphere, &line, "reference points lie on one line"}}) {
    const Registration r = register_points(*observed, *reference, Chamfer{});
    EXPECT_EQ(r.termination, Termination::degenerate);
    EXPECT_FALSE(r.usable());
    EXPECT_TRUE(mentions(r.message, what)) << r.message;
  }
}

TEST(ChamferDoubt, APlaneHoldsNoAffineTransformOfSpace) {
  const auto plane = [](RandomStream& random) { return on_plane(random, 1); };
  const Registration r =
      register_points(cloud_of(500, 1, plane), cloud_of(3000, 3, on_sphere), of_model(ChamferModel::affine));
  EXPECT_EQ(r.termination, Termination::degenerate);
  EXPECT_TRUE(mentions(r.message, "in one plane")) << r.message;
}

TEST(ChamferDoubt, PointsOfAPlaneSlideAndThoseOfASphereTurn) {
  const PointCloud plane = cloud_of(3000, 1, [](RandomStream& random) { return on_plane(random, 5); });
  const PointCloud patch = cloud_of(3000, 2, [](RandomStream& random) { return on_plane(random, 2); });
  const Registration flat = register_points(patch, plane, Chamfer{});
  EXPECT_EQ(flat.weak_directions.size(), 3u) << flat.message;
  EXPECT_FALSE(flat.expected_error && *flat.expected_error < 0.1);
  const Registration round = register_points(cloud_of(3000, 4, on_sphere), cloud_of(3000, 3, on_sphere), Chamfer{});
  EXPECT_EQ(round.weak_directions.size(), 3u) << round.message;
  for (const WeakDirection& d : round.weak_directions) EXPECT_LT(norm(d.translation), 0.1);
  EXPECT_FALSE(round.expected_error && *round.expected_error < 0.1);
}

// Points that stand alone hold along the surface only until the next one is as near.
TEST(ChamferDoubt, TheErrorToExpectAmongPointsIsThatOfAnswers) {
  const PointCloud reference = cloud_of(5000, 5, on_bump);
  const DistanceField field = build_field(reference);
  double errors = 0, expected = 0;
  constexpr int trials = 20;
  for (int i = 0; i < trials; ++i) {
    const std::uint64_t seed = 100 + static_cast<std::uint64_t>(i);
    PointCloud observed = cloud_of(1500, seed, on_bump);
    RandomStream random(7, seed);
    for (Vec3& p : observed.positions) {
      for (int a = 0; a < 3; ++a) p[a] += 0.01 * random.normal();
    }
    const Transform truth = motion(random.unit_vector(), 3, {0.02, -0.01, 0.03});
    observed = truth.inverse() * observed;
    Chamfer options;
    options.starts = 1;
    dovetail::Run run;
    run.min_confidence = 0;  // the error of right answers is what this is about
    const Registration r = register_points(observed, field, options, run);
    ASSERT_TRUE(r.usable() && r.expected_error) << r.message;
    double sum = 0;
    for (const Vec3& p : observed.positions) sum += std::pow(distance_between(r.target_from_source, truth, p), 2);
    errors += sum / static_cast<double>(observed.size());
    expected += *r.expected_error * *r.expected_error;
  }
  EXPECT_LT(errors, 3 * expected);
  EXPECT_GT(errors, expected / 10);
}

// Landmarks that each have their own place are held by it in every direction, though they lie along a strip.
TEST(ChamferDoubt, LandmarksInAStripAreHeldAlongIt) {
  PointCloud reference = cloud_of(40, 9, [](RandomStream& random) {
    return Vec3{random.uniform(0, 1000), random.uniform(0, 30), 0};
  });
  reference.dimension = 2;
  PointCloud observed = reference;
  RandomStream random(4, 4);
  for (Vec3& p : observed.positions) p += Vec3{0.3 * random.normal(), 0.3 * random.normal(), 0};
  Chamfer options;
  options.field.cell = 0.5;
  const Registration r = register_points(observed, reference, options);
  EXPECT_TRUE(r.weak_directions.empty()) << r.message;
  ASSERT_TRUE(r.expected_error);
  EXPECT_LT(*r.expected_error, 0.3);
}

TEST(ChamferDoubt, PointsWithoutWeightHoldNothing) {
  const PointCloud reference = cloud_of(5000, 5, on_bump);
  PointCloud all = cloud_of(5000, 77, on_bump), some;
  dovetail::Run run;
  for (std::size_t i = 0; i < all.size(); ++i) {
    run.weights.push_back(i % 10 == 0 ? 1 : 0);
    if (i % 10 == 0) some.positions.push_back(all.positions[i]);
  }
  const Registration weighted = register_points(all, reference, Chamfer{}, run);
  const Registration alone = register_points(some, reference, Chamfer{});
  ASSERT_TRUE(weighted.expected_error && alone.expected_error);
  EXPECT_NEAR(*weighted.expected_error / *alone.expected_error, 1, 0.3);
}

TEST(ChamferDoubt, AFewPointsMayBeAligned) {
  PointCloud triangle;
  triangle.dimension = 2;
  triangle.positions = {{0, 0, 0}, {1, 0.1, 0}, {0.3, 0.8, 0}};
  EXPECT_TRUE(register_points(triangle, triangle, Chamfer{}).usable());
}

TEST(ChamferDoubt, OneInlierIsNoAnswer) {
  PointCloud observed;
  observed.positions = {{0, 0, 1}, {40, 0, 0}, {0, 55, 0}, {0, 0, -60}};
  const Registration r = register_points(observed, cloud_of(3000, 3, on_sphere), Chamfer{});
  EXPECT_FALSE(r.usable()) << r.message;
}

TEST(ChamferDoubt, AnAnswerThatFitsFewPointsIsWarnedOf) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 2000, 3);
  const Registration right = register_points(d.observed, roads, of_model(ChamferModel::similarity));
  EXPECT_FALSE(has_warning(right, "wrong place"));
  PointCloud anywhere = d.observed;
  RandomStream random(2, 2);
  for (Vec3& p : anywhere.positions) p = {random.uniform(-900, 900), random.uniform(-900, 900), 0};
  EXPECT_TRUE(has_warning(register_points(anywhere, roads, Chamfer{}), "wrong place"));
}

TEST(ChamferDoubt, DegreesOnAMapOfMetresAreWarnedOf) {
  Reference roads = made_up_roads(4);
  PointCloud degrees = made_up_detections(ChamferModel::rigid, 500, 3).observed;
  for (Vec3& p : degrees.positions) p = {7.4 + 1e-5 * p[0], 43.7 + 1e-5 * p[1], 0};
  EXPECT_TRUE(has_warning(register_points(degrees, roads, Chamfer{}), "different units"));
  roads.frame = GeoFrame{7.4, 43.7};
  EXPECT_TRUE(has_warning(register_points(degrees, roads, Chamfer{}), "look like degrees"));
  PointCloud metres = made_up_detections(ChamferModel::rigid, 500, 3).observed;
  for (Vec3& p : metres.positions) p *= 0.02;  // a small local survey about its own origin
  EXPECT_FALSE(has_warning(register_points(metres, roads, Chamfer{}), "look like degrees"));
}

TEST(ChamferDoubt, TheResultNamesWhatTheAnswerEndedWith) {
  const Reference roads = made_up_roads(4);
  const PointCloud observed = made_up_detections(ChamferModel::similarity, 600, 3).observed;
  Chamfer options = of_model(ChamferModel::similarity);
  EXPECT_EQ(register_points(observed, roads, options).finished_by, "likelihood");
  options.finish = ChamferFinish::distance;
  EXPECT_EQ(register_points(observed, roads, options).finished_by, "distance");
  PointCloud few = observed;
  few.positions.resize(40);
  options.finish = ChamferFinish::automatic;
  EXPECT_EQ(register_points(few, roads, options).finished_by, "distance");
}

TEST(ChamferDoubt, PointsDroppedFromTheReferenceAreCounted) {
  PointCloud reference = cloud_of(3000, 3, on_sphere);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 5; ++i) reference.positions.push_back({nan, 0, 0});
  PointCloud observed = cloud_of(500, 4, on_sphere);
  observed.positions.push_back({0, nan, 0});
  EXPECT_EQ(register_points(observed, reference, Chamfer{}).points.dropped_non_finite, 6u);
}

}  // namespace
}  // namespace dovetail
