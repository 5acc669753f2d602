// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "chamfer/property_cases.h"
#include "core/ldlt.h"

namespace dovetail {
namespace {

using namespace test;

/// eᵀ C⁻¹ e of an answer's error e: its mean over many trials is the number of parameters where the covariance is
/// right.
template <class Typed>
double squared_error_in_deviations(const Registration& r, const Transform& truth) {
  constexpr int L = Typed::degrees_of_freedom;
  const auto found = Typed::from_matrix(r.target_from_source.matrix2()), right = Typed::from_matrix(truth.matrix2());
  // A left perturbation about the covariance's centre: truth = centre exp(e) centre⁻¹ found.
  const Affine2 to{Mat2::identity(), {-r.covariance_center[0], -r.covariance_center[1]}};
  const Mat3 difference = (to.matrix() * right.matrix() * found.inverse().matrix() * to.inverse().matrix());
  const auto e = Typed::from_matrix(difference * (1 / difference(2, 2))).log();
  Symmetric<double, L> c{};
  for (int i = 0; i < L; ++i) {
    for (int j = i; j < L; ++j) c(i, j) = r.covariance[static_cast<std::size_t>(i * L + j)];
  }
  return dot(e, ldlt(c).solve(e));
}

template <class Typed>
double mean_over_trials(ChamferModel model, ChamferFinish finish) {
  const DistanceField field = build_field(made_up_roads(4));
  double sum = 0;
  constexpr int count = 40;
  for (int i = 0; i < count; ++i) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = 2000;
    settings.clutter = 0.05;
    settings.seed = 300 + static_cast<std::uint64_t>(i);
    const Detections d = detect(made_up_roads(4), settings);
    Run run;
    run.start = d.target_from_source;  // the search is not in question
    Chamfer options = of_model(model);
    options.starts = 1;
    options.cap_start = 15;
    options.finish = finish;
    const Registration r = register_points(d.observed, field, options, run);
    EXPECT_LT(d.error_of(r.target_from_source), 1.0);
    sum += squared_error_in_deviations<Typed>(r, d.target_from_source);
  }
  return sum / count;
}

// The mean of 40 squared errors in deviations, over L parameters, has a deviation of sqrt(2 / 40 L) of itself: 0.1.
// Roads that cross and end make residuals other than a road's own noise, so that up to 1.6 of the ideal is allowed
// above.
TEST(ChamferCovariance, TellsTheErrorsOfASimilarity) {
  for (const ChamferFinish finish : {ChamferFinish::distance, ChamferFinish::likelihood}) {
    const double mean = mean_over_trials<Similarity2>(ChamferModel::similarity, finish);
    EXPECT_GT(mean, 0.7 * 4);
    EXPECT_LT(mean, 1.6 * 4);
  }
}

TEST(ChamferCovariance, TellsTheErrorsOfAProjectiveMap) {
  for (const ChamferFinish finish : {ChamferFinish::distance, ChamferFinish::likelihood}) {
    const double mean = mean_over_trials<Projective2>(ChamferModel::projective, finish);
    EXPECT_GT(mean, 0.7 * 8);
    EXPECT_LT(mean, 1.6 * 8);
  }
}

TEST(ChamferCovariance, AStraightRoadLeavesADirectionWeak) {
  Reference road;
  road.points.dimension = 2;
  road.points.positions = {{-1000, 0, 0}, {1000, 0, 0}};
  road.lines.add({0, 1});
  PointCloud observed;
  observed.dimension = 2;
  for (int i = 0; i < 500; ++i) {
    RandomStream random(3, static_cast<std::uint64_t>(i));
    observed.positions.push_back({random.uniform(-500, 500), 3 + random.normal(), 0});
  }
  Chamfer options;
  options.starts = 1;
  const Registration r = register_points(observed, road, options);
  ASSERT_EQ(r.weak_directions.size(), 1u) << r.message;
  EXPECT_NEAR(std::fabs(r.weak_directions[0].translation[0]), 1, 0.01);
  EXPECT_FALSE(r.usable()) << "nothing tells how far along the road it is";
  EXPECT_NE(r.message.find("does not hold a shift along"), std::string::npos) << r.message;
  EXPECT_NEAR((r.target_from_source * Vec3{0, 3, 0})[1], 0, 0.2);
}

}  // namespace
}  // namespace dovetail
