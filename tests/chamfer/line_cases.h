// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <numeric>
#include <vector>

#include "chamfer/pass_cases.h"
#include "chamfer/road_scene.h"
#include "methods/line_rates.h"

// Passes among lines, for any machine.

namespace dovetail::test {

/// Detections on roads, some of them not there, as the map sees them.
inline std::vector<float> detected_points(const Reference& roads, std::size_t count) {
  DetectionSettings settings;
  settings.count = count;
  const Detections d = detect(roads, settings);
  std::vector<float> points;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = d.target_from_source * d.observed.positions[i];
    points.push_back(i % 17 == 5 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(p[0]));
    points.push_back(static_cast<float>(p[1]));
  }
  return points;
}

/// Those on made-up roads, over a field of the roads and their lines.
struct LineCase : ObservedCase<2> {
  LineIndex lines;
  double spread = 0;

  LineCase(std::size_t count, bool weighted)
      : ObservedCase<2>(build_field(made_up_roads(4)), detected_points(made_up_roads(4), count), weighted) {
    const FieldData& data = field.data();
    spread = 2 * data.frame.scale;  // metres of noise, in cells
    std::vector<double> rates;
    for (std::uint32_t i = 0; i < data.lines.stretches; ++i) rates.push_back(1e-5 * (1 + i % 7));
    lines = make_line_index(data.lines, rates, double{chamfer::line_reach} * spread, count);
  }

  /// The same in a machine's memory.
  struct PlacedLines {
    ObservedCase<2>::Placed observed;
    dovetail::Placed<LinesView> lines;

    chamfer::LineData data(Points which) const { return {observed.view(which), lines.view}; }
  };
  PlacedLines on(Backend& backend) const { return {ObservedCase<2>::on(backend), put(backend.memory(), lines)}; }

  chamfer::Params params() const {
    chamfer::Params p;
    p.stages = 1;
    p.stage[0] = {0, 10, 10.0, 1e-3, spread, 1e-8};
    return p;
  }

  static chamfer::StepFrame<2> frame() { return {{30.0, -20.0}, 500.0}; }

  /// A transform that moves the points by some cells.
  template <class Typed>
  static typename Typed::Homogeneous transform() {
    typename Typed::Tangent t{};
    for (int a = 0; a < Typed::degrees_of_freedom; ++a) t[a] = 2e-3 * std::sin(2.3 * a + 0.7);
    return chamfer::stepped<Typed>(frame(), t, Typed::Homogeneous::identity());
  }
};

template <class Typed>
void expect_line_pass_matches(Backend& backend, std::size_t count, bool weighted) {
  using Align = chamfer::AlignToLines<Typed>;
  const LineCase c(count, weighted);
  ReferenceBackend reference;
  const auto here = c.on(reference), there = c.on(backend);
  for (const Points which : {Points::some, Points::all}) {
    chamfer::Params params = c.params();
    params.stage[0].widened = which == Points::all ? 1 : 1.7;
    auto state = Align::start(params, LineCase::transform<Typed>(), LineCase::frame());
    for (const auto wants : {chamfer::Wants::everything, chamfer::Wants::cost}) {
      state.wants = wants;
      const auto right = pass_over<Align>(reference, here.data(which), state, params).sums.front();
      const auto found = pass_over<Align>(backend, there.data(which), state, params).sums.front();
      EXPECT_NEAR(found.weight, right.weight, 1e-6 * (1 + right.weight));
      expect_sums_near(as_doubles(found), as_doubles(right), doubles_in<typename Align::Sums>, right.weight, "lines");
    }
  }
}

inline LineCounts counts_of(const LineCase& c, Points which, Backend& backend) {
  const auto placed = c.on(backend);
  Batch<LineCount> batch;
  batch.params = {c.field.data().lines.stretches, c.spread, 1e-8, 0.7};
  batch.data = {placed.data(which)};
  batch.states.emplace_back().target_from_source = LineCase::transform<Projective2>();
  batch.keeps_bins = true;
  backend.run(batch);
  return {batch.bins, batch.sums.front()};
}

inline void expect_counts_match(Backend& backend, std::size_t count, bool weighted) {
  const LineCase c(count, weighted);
  ReferenceBackend reference;
  for (const Points which : {Points::some, Points::all}) {
    const LineCounts right = counts_of(c, which, reference), found = counts_of(c, which, backend);
    ASSERT_EQ(found.on_stretch.size(), right.on_stretch.size());
    const double points = std::accumulate(right.on_stretch.begin(), right.on_stretch.end(), right.strays);
    EXPECT_GT(points, 0);
    for (std::size_t a = 0; a < right.on_stretch.size(); ++a) {
      EXPECT_NEAR(found.on_stretch[a], right.on_stretch[a], 2e-5 * (0.01 * points + right.on_stretch[a])) << a;
    }
    EXPECT_NEAR(found.strays, right.strays, 2e-5 * points);
    EXPECT_NEAR(found.squared, right.squared, 1e-4 * points * c.spread * c.spread);
  }
}

inline void expect_all_line_passes_match(Backend& backend, std::size_t count) {
  for (const bool weighted : {false, true}) {
    expect_line_pass_matches<Rigid2>(backend, count, weighted);
    expect_line_pass_matches<Similarity2>(backend, count, weighted);
    expect_line_pass_matches<Affine2>(backend, count, weighted);
    expect_line_pass_matches<Projective2>(backend, count, weighted);
  }
}

}  // namespace dovetail::test
