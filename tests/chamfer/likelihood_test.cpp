// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "chamfer/line_cases.h"
#include "chamfer/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

class LinePass : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, LinePass, testing::Values(1, 2, 31, 33, 1000, 1025, 5003),
                         testing::PrintToStringParamName());

TEST_P(LinePass, OnTheCpuMatchesTheReference) {
  CpuBackend cpu(2);
  expect_all_line_passes_match(cpu, GetParam());
}

TEST_P(LinePass, CountsOnTheCpuMatchTheReference) {
  CpuBackend cpu(2);
  for (const bool weighted : {false, true}) expect_counts_match(cpu, GetParam(), weighted);
}

template <class Typed>
class LineModelTest : public testing::Test {};
using PlaneModels = testing::Types<Rigid2, Similarity2, Affine2, Projective2>;
TYPED_TEST_SUITE(LineModelTest, PlaneModels);

TYPED_TEST(LineModelTest, TheGradientIsTheCosts) {
  constexpr int L = TypeParam::degrees_of_freedom;
  using Align = chamfer::AlignToLines<TypeParam>;
  const LineCase c(2000, true);
  ReferenceBackend reference;
  const auto placed = c.on(reference);
  const chamfer::Params params = c.params();
  const auto t = LineCase::transform<TypeParam>();
  const auto sums_at = [&](const typename TypeParam::Homogeneous& at) {
    const auto state = Align::start(params, at, LineCase::frame());
    return pass_over<Align>(reference, placed.data(Points::all), state, params).sums.front();
  };
  const auto here = sums_at(t);
  const double h = 1e-6, radius = LineCase::frame().radius;
  for (int a = 0; a < L; ++a) {
    typename TypeParam::Tangent step{};
    step[a] = h;
    const double after = sums_at(chamfer::stepped<TypeParam>(LineCase::frame(), step, t)).cost;
    step[a] = -h;
    const double before = sums_at(chamfer::stepped<TypeParam>(LineCase::frame(), step, t)).cost;
    // Where a point crosses a line's reach, or comes to another cell of the index, the cost jumps by a millionth.
    EXPECT_NEAR((after - before) / (2 * h), radius * here.gradient[a],
                2e-3 * radius * std::sqrt(here.hessian(a, a)) + 1e-6)
        << a;
  }
}

TYPED_TEST(LineModelTest, TheDivergenceIsTheJacobians) {
  constexpr int L = TypeParam::degrees_of_freedom;
  constexpr auto spreads = chamfer::Divergence<TypeParam>::of_model();
  const Vector<double, 2> u{0.3, -0.7};
  for (int a = 0; a < L; ++a) {
    double right = 0;
    for (int i = 0; i < 2; ++i) {
      Vector<double, 2> before = u, after = u;
      before[i] -= 1e-3;
      after[i] += 1e-3;
      right += (TypeParam::action_jacobian(after)(i, a) - TypeParam::action_jacobian(before)(i, a)) / 2e-3;
    }
    EXPECT_NEAR(spreads.constant[a] + spreads.slope[a][0] * u[0] + spreads.slope[a][1] * u[1], right, 1e-9) << a;
  }
}

TEST(SegmentDensity, HoldsAPointAUnitOfLength) {
  const PeopledSegment s{1, 2, 0.6f, 0.8f, 7, 1};
  const double spread = 0.8, step = 0.05;
  double sum = 0;
  for (double x = -10; x < 20; x += step) {
    for (double y = -10; y < 20; y += step) {
      const double at[2] = {x, y};
      sum += step * step * chamfer::SegmentDensity<double>(s, at, 1 / spread).value;
    }
  }
  EXPECT_NEAR(sum, 7, 7 * 2e-5);  // lowered by its value at the reach, all over ten deviations
}

TEST(SegmentDensity, HasTheGradientItSays) {
  const PeopledSegment s{1, 2, 0.6f, 0.8f, 7, 1};
  const auto density = [&](double x, double y) {
    const double at[2] = {x, y};
    return chamfer::SegmentDensity<double>(s, at, 1 / 0.8);
  };
  for (const double along : {-1.0, 0.2, 3.0, 6.9, 8.0}) {
    for (const double across : {-1.5, 0.0, 0.7}) {
      const double x = 1 + 0.6 * along - 0.8 * across, y = 2 + 0.8 * along + 0.6 * across, h = 1e-5;
      const auto here = density(x, y);
      EXPECT_NEAR(here.slope[0], (density(x + h, y).value - density(x - h, y).value) / (2 * h), 1e-7);
      EXPECT_NEAR(here.slope[1], (density(x, y + h).value - density(x, y - h).value) / (2 * h), 1e-7);
      EXPECT_NEAR(here.squared, across * across, 1e-6);
    }
  }
}

/// Signed errors of scale, in standard deviations of their mean, and how large errors are against what they must be.
struct GridErrors {
  double bias = 0, in_least_errors = 0;
};

GridErrors errors_on_the_grid(ChamferModel model, ChamferFinish finish, int scenes) {
  const Reference roads = street_grid();
  const DistanceField field = build_field(roads);
  double sum = 0, squares = 0, ratios = 0;
  for (int i = 0; i < scenes; ++i) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = 8000;
    settings.noise = 5;
    settings.clutter = 0.01;  // it ends where the streets do, and so draws the outer ones
    settings.shift = 15;
    settings.seed = 50 + static_cast<std::uint64_t>(i);
    const Detections d = detect(roads, settings);
    dovetail::Run run;
    run.start = d.target_from_source;  // the search is not in question
    Chamfer options = of_model(model);
    options.starts = 1;
    options.cap_start = 15;
    options.finish = finish;
    const Registration r = register_points(d.observed, field, options, run);
    ratios += std::pow(d.error_of(r.target_from_source) / least_error(roads, settings, d), 2);
    const Mat3 found = r.target_from_source.matrix2(), right = d.target_from_source.matrix2();
    const auto size = [](const Mat3& m) { return 0.5 * std::log(m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)); };
    const double scale = size(found) - size(right);
    sum += scale;
    squares += scale * scale;
  }
  const double mean = sum / scenes, variance = squares / scenes - mean * mean;
  return {mean / std::sqrt(variance / scenes), ratios / scenes};
}

// Noise in the observed points makes an answer by distance a little small, as it does slopes in a regression.
TEST(ChamferFinish, ByLikelihoodNoiseDoesNotShrinkTheAnswer) {
  const GridErrors by_distance = errors_on_the_grid(ChamferModel::similarity, ChamferFinish::distance, 30);
  const GridErrors by_likelihood = errors_on_the_grid(ChamferModel::similarity, ChamferFinish::automatic, 30);
  EXPECT_LT(by_distance.bias, -4);
  EXPECT_LT(std::fabs(by_likelihood.bias), 3.5);
}

TEST(ChamferFinish, ByLikelihoodErrorsAreAsSmallAsTheyCanBe) {
  for (const ChamferModel model : planar_models) {
    const GridErrors found = errors_on_the_grid(model, ChamferFinish::automatic, 20);
    EXPECT_LT(found.in_least_errors, 1.6) << static_cast<int>(model);  // 1, and scatters by up to 0.2
  }
  EXPECT_GT(errors_on_the_grid(ChamferModel::projective, ChamferFinish::distance, 20).in_least_errors, 3);
}

TEST(ChamferFinish, PointsThatLieAboutNoLinesEndByDistance) {
  PointCloud anywhere;
  anywhere.dimension = 2;
  RandomStream random(5, 5);
  for (int i = 0; i < 500; ++i) anywhere.positions.push_back({random.uniform(0, 670), random.uniform(0, 860), 0});
  const Registration r = register_points(anywhere, street_grid(), of_model(ChamferModel::rigid));
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings.front().find("the answer is by distance"), std::string::npos) << r.warnings.front();
  ASSERT_FALSE(r.trace.empty());
  EXPECT_EQ(r.trace.back().target_from_source, r.target_from_source);
}

TEST(ChamferFinish, StoppedOnItsWayTheAnswerIsByDistance) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 3000, 5);
  Chamfer by_distance = of_model(ChamferModel::similarity);
  by_distance.finish = ChamferFinish::distance;
  const Registration whole = register_points(d.observed, roads, by_distance);
  dovetail::Run run;
  std::size_t seen = 0;
  run.on_iteration = [&](const Iteration&) { return ++seen < whole.trace.size() + 3; };
  const Registration r = register_points(d.observed, roads, of_model(ChamferModel::similarity), run);
  EXPECT_EQ(r.termination, Termination::stopped_by_callback);
  EXPECT_EQ(r.target_from_source, whole.target_from_source);
  EXPECT_EQ(r.covariance, whole.covariance);
  EXPECT_EQ(r.trace.size(), whole.trace.size());
}

TEST(ChamferFinish, TheUnitOfWeightsDoesNotMatter) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 600, 3);
  const auto with_weights = [&](double unit) {
    dovetail::Run run;
    for (std::size_t i = 0; i < d.observed.size(); ++i) run.weights.push_back(unit * (i % 3 == 0 ? 2 : 1));
    return register_points(d.observed, roads, of_model(ChamferModel::similarity), run);
  };
  const Registration a = with_weights(1), b = with_weights(1.0 / 1024);
  EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[0]), 1e-3);
  EXPECT_NEAR(*a.expected_error, *b.expected_error, 1e-3 * *a.expected_error);
}

// How far off answers are is what they say, in the root mean square over scenes.
TEST(ChamferFinish, ErrorsAreAsExpected) {
  const Reference roads = made_up_roads(4);
  const DistanceField field = build_field(roads);
  for (const ChamferModel model : planar_models) {
    double sum = 0;
    constexpr int scenes = 30;
    for (int i = 0; i < scenes; ++i) {
      const Detections d = made_up_detections(model, 2000, 700 + static_cast<std::uint64_t>(i));
      const Registration r = register_points(d.observed, field, of_model(model));
      ASSERT_TRUE(r.expected_error);
      sum += std::pow(d.error_of(r.target_from_source) / *r.expected_error, 2);
    }
    EXPECT_GT(sum / scenes, 0.6) << static_cast<int>(model);  // 1, and scatters by up to 0.15
    EXPECT_LT(sum / scenes, 1.6) << static_cast<int>(model);
  }
}

TEST(ChamferFinish, AVagueAnswerIsWarnedOf) {
  const Reference roads = street_grid();
  const auto warnings = [&](std::size_t count) {
    DetectionSettings settings;
    settings.model = ChamferModel::projective;
    settings.count = count;
    settings.shift = 15;
    const Registration r = register_points(detect(roads, settings).observed, roads, of_model(settings.model));
    EXPECT_TRUE(r.expected_error);
    return r.warnings;
  };
  ASSERT_EQ(warnings(80).size(), 1u);
  EXPECT_NE(warnings(80).front().find("hold this projective transform to about"), std::string::npos);
  EXPECT_TRUE(warnings(5000).empty());
}

TEST(ChamferFinish, LikelihoodNeedsLines) {
  const Detections d = made_up_detections(ChamferModel::rigid, 300, 3);
  Chamfer options = of_model(ChamferModel::rigid);
  options.finish = ChamferFinish::likelihood;
  EXPECT_NO_THROW(register_points(d.observed, made_up_roads(4), options));
  PointCloud points = made_up_roads(4).points;
  try {
    register_points(d.observed, Reference{points, {}, {}}, options);
    FAIL() << "points were taken for lines";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("needs a reference of lines"), std::string::npos) << error.what();
  }
}

// What counts twice is there twice.
TEST(ChamferFinish, WeightsCountAsPointsDo) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 600, 3);
  PointCloud twice = d.observed;
  dovetail::Run weighted;
  for (std::size_t i = 0; i < d.observed.size(); ++i) {
    weighted.weights.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 == 0) twice.positions.push_back(d.observed.positions[i]);
  }
  const Registration a = register_points(d.observed, roads, of_model(ChamferModel::similarity), weighted);
  const Registration b = register_points(twice, roads, of_model(ChamferModel::similarity));
  for (const Vec3& p : d.observed.positions) {
    EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, p), 0.05);
  }
}

// Detections that cover a corner of the map: roads are cut where the picture ends.
TEST(ChamferFinish, APictureOfAPartOfTheMapIsRecovered) {
  const Reference roads = street_grid();
  const DistanceField field = build_field(roads);
  for (const ChamferModel model : {ChamferModel::similarity, ChamferModel::affine}) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = 20000;
    settings.shift = 15;
    Detections d = detect(roads, settings);
    Detections cut;
    cut.target_from_source = d.target_from_source;
    cut.observed.dimension = 2;
    for (std::size_t i = 0; i < d.observed.size(); ++i) {
      const Vec3 y = d.target_from_source * d.observed.positions[i];
      if (y[0] > 390 || y[1] > 500) continue;  // in the middle of streets
      cut.observed.positions.push_back(d.observed.positions[i]);
      cut.on_road.push_back(d.on_road[i]);
    }
    const Registration r = register_points(cut.observed, field, of_model(model));
    EXPECT_TRUE(r.usable()) << r.message;
    EXPECT_LT(cut.error_of(r.target_from_source), 0.4);
  }
}

}  // namespace
}  // namespace dovetail
