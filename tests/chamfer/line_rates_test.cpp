// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/line_rates.h"

#include "backend/cpu/cpu_backend.h"
#include "chamfer/line_cases.h"
#include "prepare/chamfer_plan.h"

namespace dovetail {
namespace {

using namespace test;

TEST(LineCounts, DoNotDependOnTheNumberOfThreads) {
  const LineCase c(100000, true);
  std::vector<LineCounts> found;
  for (const int threads : {1, 2, 7}) {
    CpuBackend cpu(threads);
    found.push_back(counts_of(c, Points::all, cpu));
  }
  for (const LineCounts& other : found) {
    EXPECT_EQ(other.on_stretch, found.front().on_stretch);
    EXPECT_EQ(other.strays, found.front().strays);
    EXPECT_EQ(other.squared, found.front().squared);
  }
}

/// Detections on made-up roads, where they belong.
struct Street {
  Reference roads = made_up_roads(4);
  DistanceField field = build_field(roads);
  const FieldData& data = field.data();
  DetectionSettings settings;
  Detections d;

  explicit Street(std::size_t count) {
    settings.count = count;
    d = detect(roads, settings);
  }

  SamplePoints<2> sample(std::size_t every) const {
    SamplePoints<2> points;
    for (std::size_t i = 0; i < d.observed.size(); i += every) {
      const Vec3 q = data.frame.to_local(d.target_from_source * d.observed.positions[i]);
      points.positions.push_back({q[0], q[1]});
    }
    return points;
  }
};

TEST(LineRates, TellBusyRoadsFromEmptyOnes) {
  const Street street(4000);
  const FieldData& data = street.data;
  const Detections& d = street.d;
  const DetectionSettings& settings = street.settings;
  const SamplePoints<2> points = street.sample(1);
  const double noise = settings.noise * data.frame.scale;
  LineRates rates = no_rates_yet(data.lines, 1.5 * noise, ball_around<2>(points.positions).radius);
  for (int i = 0; i < 3; ++i)
    estimate_rates(data.lines, {points.positions, points.weights}, Homogeneous<2>::identity(), 1, rates);
  EXPECT_NEAR(rates.spread, noise, 0.05 * noise);
  EXPECT_NEAR(rates.stray_share, settings.clutter, 0.03);
  ASSERT_EQ(data.lines.stretches, street.roads.lines.size());  // made-up roads cross without junctions
  const std::vector<double> length = data.lines.stretch_lengths();
  double busy = 0, empty = 0, all = 0;
  for (std::size_t i = 0; i < length.size(); ++i) {
    (d.busy[i] ? busy : empty) += rates.rate[i] * length[i];
    all += rates.rate[i] * length[i];
  }
  EXPECT_NEAR(all, 1 - rates.stray_share, 1e-9);
  EXPECT_LT(empty, 0.03 * busy);
}

// The sample has few points of a short street, and perhaps none; all of them together have many.
TEST(LineRates, OfAllPointsAreThoseOfTheStreets) {
  const Street street(60000);
  const FieldData& data = street.data;
  const Detections& d = street.d;
  const DetectionSettings& settings = street.settings;
  std::vector<float> points;
  for (const Vec3& p : d.observed.positions) {
    const Vec3 q = d.target_from_source * p;
    for (int a = 0; a < 2; ++a) points.push_back(static_cast<float>(q[a]));
  }
  const ObservedCase<2> all(street.field, points, false);
  const SamplePoints<2> sample = street.sample(300);
  CpuBackend cpu(2);
  const auto placed = all.on(cpu);
  LineRates rates =
      no_rates_yet(data.lines, settings.noise * data.frame.scale, ball_around<2>(sample.positions).radius);
  ASSERT_TRUE(estimate_rates(data.lines, {sample.positions, {}}, Homogeneous<2>::identity(), 1, rates));
  const std::vector<double> length = data.lines.stretch_lengths();
  const auto worst = [&] {  // of the busy streets' rates against the one they all have
    double busy = 0, most = 0;
    for (std::size_t i = 0; i < length.size(); ++i) busy += d.busy[i] ? length[i] : 0.0;
    for (std::size_t i = 0; i < length.size(); ++i) {
      if (d.busy[i]) most = std::max(most, std::fabs(rates.rate[i] * busy / (1 - settings.clutter) - 1));
    }
    return most;
  };
  EXPECT_GT(worst(), 0.5);
  give_all_a_rate(data.lines, rates);
  for (int turn = 0; turn < 4; ++turn) {
    const LineIndex index = make_line_index(data.lines, rates.rate, 5.5 * rates.spread, points.size() / 2);
    Batch<LineCount> batch;
    batch.params = {data.lines.stretches, rates.spread, rates.strays(), 1};
    batch.data = {{placed.view(Points::all), index.view()}};
    batch.states.emplace_back();
    batch.keeps_bins = true;
    cpu.run(batch);
    ASSERT_TRUE(learn_rates(data.lines, {batch.bins, batch.sums.front()}, rates));
  }
  EXPECT_LT(worst(), 0.15);  // about a thousand points a street, some of them shared at crossings
  // Strays are taken to be as many beside a street as anywhere. Here they keep off it, so some points are taken for
  // one.
  EXPECT_NEAR(rates.spread, settings.noise * data.frame.scale, 0.03 * settings.noise * data.frame.scale);
  EXPECT_NEAR(rates.stray_share, settings.clutter, 0.015);
}

// Of 20,000 stretches the picture has 84.
TEST(LineRates, ACityAroundThePictureDoesNotMatter) {
  const Reference city = street_grid(100), town = street_grid();
  DetectionSettings settings;
  settings.count = 2000;
  const Detections d = detect(town, settings);
  SamplePoints<2> points;
  for (const Vec3& p : d.observed.positions) {
    const Vec3 q = d.target_from_source * p;
    points.positions.push_back({q[0], q[1]});
  }
  const LineMap map = make_line_map(city, {});
  ASSERT_GT(map.stretches, 19000u);
  LineRates rates = no_rates_yet(map, 3, ball_around<2>(points.positions).radius);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(estimate_rates(map, {points.positions, {}}, Homogeneous<2>::identity(), 1, rates));
  EXPECT_NEAR(rates.spread, settings.noise, 0.1 * settings.noise);
  EXPECT_NEAR(rates.stray_share, settings.clutter, 0.04);
}

}  // namespace
}  // namespace dovetail
