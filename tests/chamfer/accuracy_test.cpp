// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdlib>
#include <numbers>

#include "chamfer/property_cases.h"
#include "support/test_data.h"

namespace dovetail {
namespace {

using namespace test;

/// Trials of one kind; DOVETAIL_ALL_TRIALS asks for the hundred that the documentation tells of.
int trials(int few) { return std::getenv("DOVETAIL_ALL_TRIALS") != nullptr ? 100 : few; }

/// Shares recovered to under a metre, and what the margin says of the others.
struct Outcome {
  int recovered = 0, tried = 0;
  double worst = 0, squares = 0, highest_wrong_margin = 0;
  double in_least_errors = 0;  ///< sum of the squared errors over what they are at least
};

Outcome try_roads(const DistanceField& field, const Reference& roads, DetectionSettings settings, int count,
                  bool against_least = false) {
  Outcome outcome;
  for (int i = 0; i < count; ++i) {
    settings.seed = 1000 + static_cast<std::uint64_t>(i);
    const Detections d = detect(roads, settings);
    const Registration r = register_points(d.observed, field, of_model(settings.model));
    const double error = d.error_of(r.target_from_source);
    ++outcome.tried;
    if (against_least) outcome.in_least_errors += std::pow(error / least_error(roads, settings, d), 2);
    if (error < 1) {
      ++outcome.recovered;
      outcome.worst = std::max(outcome.worst, error);
      outcome.squares += error * error;
    } else {
      outcome.highest_wrong_margin = std::max(outcome.highest_wrong_margin, r.margin.value_or(1));
    }
  }
  return outcome;
}

void expect_recovered(const char* file, std::size_t points, double shift, int few) {
  const Reference roads = read_reference(data_folder() / "roads" / file);
  const DistanceField field = build_field(roads);
  for (const ChamferModel model : planar_models) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = points;
    settings.shift = shift;
    const Outcome o = try_roads(field, roads, settings, trials(few));
    std::printf("%s, %zu points, shift %.0f m, model %d: %d of %d, rms %.3f m, worst %.3f m\n", file, points, shift,
                static_cast<int>(model), o.recovered, o.tried, std::sqrt(o.squares / std::max(1, o.recovered)),
                o.worst);
    EXPECT_GE(o.recovered, 0.98 * o.tried) << "model " << static_cast<int>(model);
  }
}

class Monaco : public testing::TestWithParam<std::pair<std::size_t, int>> {};
INSTANTIATE_TEST_SUITE_P(Detections, Monaco,
                         testing::Values(std::pair{1000, 20}, std::pair{10000, 10}, std::pair{100000, 3},
                                         std::pair{1000000, 1}),
                         [](const auto& p) { return std::to_string(p.param.first); });

TEST_P(Monaco, IsRecovered) {
  DOVETAIL_NEEDS_DATA();
  expect_recovered("monaco.geojson", GetParam().first, 100, GetParam().second);
}

class WestOaklandsBlocks : public testing::TestWithParam<std::pair<std::size_t, int>> {};
INSTANTIATE_TEST_SUITE_P(Detections, WestOaklandsBlocks,
                         testing::Values(std::pair{10000, 15}, std::pair{100000, 3}, std::pair{1000000, 1}),
                         [](const auto& p) { return std::to_string(p.param.first); });

TEST_P(WestOaklandsBlocks, AreRecovered) {
  DOVETAIL_NEEDS_DATA();
  expect_recovered("west_oakland.geojson", GetParam().first, 15, GetParam().second);
}

// A thousand detections on its straight roads do not hold every model to a metre, whoever fits it: what can be asked
// is that errors are no larger than they must be. The mean of 100 squared errors over their least values is 1 at best;
// it scatters by 0.14 where one direction makes up most of the error.
TEST(WestOakland, IsRecoveredAsExactlyAsAThousandDetectionsAllow) {
  DOVETAIL_NEEDS_DATA();
  const Reference roads = read_reference(data_folder() / "roads" / "west_oakland.geojson");
  const DistanceField field = build_field(roads);
  for (const ChamferModel model : planar_models) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = 1000;
    settings.shift = 15;
    const Outcome o = try_roads(field, roads, settings, 100, true);
    std::printf(
        "West Oakland, 1000 points, model %d: %d of %d within a metre, rms %.2f m, squared errors %.2f of the least\n",
        static_cast<int>(model), o.recovered, o.tried, std::sqrt(o.squares / std::max(1, o.recovered)),
        o.in_least_errors / o.tried);
    EXPECT_LT(o.in_least_errors / o.tried, 1.45);
  }
}

TEST(WestOakland, AWrongAnswerShowsALowMargin) {
  DOVETAIL_NEEDS_DATA();
  const Reference roads = read_reference(data_folder() / "roads" / "west_oakland.geojson");
  const DistanceField field = build_field(roads);
  int wrong = 0;
  for (const ChamferModel model : planar_models) {
    DetectionSettings settings;
    settings.model = model;
    settings.count = 1000;
    const Outcome o = try_roads(field, roads, settings, trials(30));
    std::printf("West Oakland, shift 100 m, model %d: %d of %d within a metre, highest wrong margin %.2f\n",
                static_cast<int>(model), o.recovered, o.tried, o.highest_wrong_margin);
    EXPECT_LT(o.highest_wrong_margin, 0.15);
    wrong += o.tried - o.recovered;
  }
  EXPECT_GT(wrong, 0) << "there was nothing to judge";
}

/// Observed points: samples of the surface with noise and outliers, moved away by the inverse of a similarity.
struct SurfaceScene {
  PointCloud observed;
  Similarity3 truth;
};

SurfaceScene scan_surface(const Reference& part, std::size_t count, std::uint64_t seed) {
  const PointCloud fine = sample_reference(part, std::sqrt(measure_reference(part).area / 400000));
  Vec3 low = fine.positions.front(), high = low;
  for (const Vec3& p : fine.positions) {
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  const double diagonal = norm(high - low);
  const Vec3 centre = 0.5 * (low + high);
  RandomStream random(seed, 1);
  SurfaceScene scene;
  Similarity3::Tangent t{};
  for (int a = 0; a < 3; ++a) t[a] = random.uniform(-0.1, 0.1);
  t[6] = random.uniform(-0.05, 0.05);
  Similarity3 turn = Similarity3::exp(t);
  const Vec3 shift = 0.03 * diagonal * random.unit_vector();
  turn.translation = centre + shift - turn.scale * (turn.rotation * centre);
  scene.truth = turn;
  const Similarity3 away = turn.inverse();
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 p{};
    if (random.uniform() < 0.1) {
      for (int a = 0; a < 3; ++a) p[a] = random.uniform(low[a] - 0.05 * diagonal, high[a] + 0.05 * diagonal);
    } else {
      p = fine.positions[random.below(static_cast<std::uint32_t>(fine.size()))];
      for (int a = 0; a < 3; ++a) p[a] += 0.001 * diagonal * random.normal();
    }
    scene.observed.positions.push_back(away * p);
  }
  return scene;
}

void expect_surface_recovered(const Reference& part, std::size_t points) {
  const SurfaceScene scene = scan_surface(part, points, 3);
  const Registration r = register_points(scene.observed, part, of_model(ChamferModel::similarity));
  EXPECT_TRUE(r.usable()) << r.message;
  const Similarity3 found = r.target_from_source.as<Similarity3>();
  const double angle = rotation_angle_between(r.target_from_source, scene.truth) * 180 / std::numbers::pi;
  const double scale = found.scale / scene.truth.scale - 1;
  std::printf("%zu points: %.4f degrees, scale off by %.1e, %.0f ms\n", points, angle, scale, r.time_ms.total);
  EXPECT_LT(angle, 0.05);
  EXPECT_LT(std::fabs(scale), 1e-4);
}

TEST(ChamferSurface, APartsScanIsRecovered) {
  DOVETAIL_NEEDS_DATA();
  expect_surface_recovered(read_reference(data_folder() / "cad" / "featuretype.STL"), 1'140'703);
}

TEST(ChamferSurface, AnAngleBlocksScanIsRecovered) {
  DOVETAIL_NEEDS_DATA();
  expect_surface_recovered(read_reference(data_folder() / "cad" / "angle_block.STL"), 200'000);
}

/// Reference points at least two cells apart, and the first `observed` of them moved away.
template <class Typed>
void expect_sub_cell(ChamferModel model) {
  constexpr int D = Typed::dimension;
  const double cell = 1;
  PointCloud reference, observed;
  reference.dimension = observed.dimension = D;
  RandomStream random(17, D);
  while (reference.size() < 300) {
    Vec3 p{};
    for (int a = 0; a < D; ++a) p[a] = random.uniform(0, D == 2 ? 80 : 40);
    bool apart = true;
    for (const Vec3& q : reference.positions) apart = apart && norm(p - q) >= 2 * std::sqrt(double{D}) * cell;
    if (apart) reference.positions.push_back(p);
  }
  typename Typed::Tangent t{};
  for (int a = 0; a < Typed::degrees_of_freedom; ++a) t[a] = 0.002 * std::sin(1.0 + 2 * a);
  if constexpr (Typed::model == Model::projective2) t[6] = 1e-5, t[7] = -2e-5;
  for (int a = 0; a < D; ++a) t[(D == 2 ? 1 : 3) + a] = 0.3 - 0.2 * a;
  const Transform truth(Typed::exp(t));
  const Transform away = truth.inverse();
  for (std::size_t i = 0; i < 200; ++i) observed.positions.push_back(away * reference.positions[i]);
  Chamfer options = of_model(model);
  options.field.cell = cell;
  options.starts = 1;
  options.cap_start = 6;
  options.tolerance = 1e-4;
  const Registration r = register_points(observed, reference, options);
  EXPECT_TRUE(r.usable()) << r.message;
  for (const Vec3& p : observed.positions) {
    EXPECT_LT(distance_between(r.target_from_source, truth, p), 0.02 * cell) << to_string(Typed::model);
  }
}

TEST(ChamferAccuracy, NoiseFreePointsComeBackToATinyPartOfACell) {
  expect_sub_cell<Rigid2>(ChamferModel::rigid);
  expect_sub_cell<Similarity2>(ChamferModel::similarity);
  expect_sub_cell<Affine2>(ChamferModel::affine);
  expect_sub_cell<Projective2>(ChamferModel::projective);
  expect_sub_cell<Rigid3>(ChamferModel::rigid);
  expect_sub_cell<Similarity3>(ChamferModel::similarity);
  expect_sub_cell<Affine3>(ChamferModel::affine);
}

/// A bumpy closed surface as a mesh, made here.
Reference bumpy_mesh() {
  Reference mesh;
  constexpr std::uint32_t rings = 60, spokes = 120;
  for (std::uint32_t i = 0; i <= rings; ++i) {
    for (std::uint32_t j = 0; j < spokes; ++j) {
      const double polar = std::numbers::pi * i / rings, around = 2 * std::numbers::pi * j / spokes;
      const Vec3 u{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar)};
      mesh.points.positions.push_back((1 + 0.25 * u[0] * u[1] + 0.15 * std::sin(3 * u[2]) + 0.1 * u[0]) * u);
    }
  }
  const auto vertex = [&](std::uint32_t i, std::uint32_t j) { return i * spokes + j % spokes; };
  for (std::uint32_t i = 0; i < rings; ++i) {
    for (std::uint32_t j = 0; j < spokes; ++j) {
      mesh.points.faces.add({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  }
  return mesh;
}

TEST(ChamferSurface, AMadeUpSurfaceIsRecovered) { expect_surface_recovered(bumpy_mesh(), 100'000); }

}  // namespace
}  // namespace dovetail
