// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <numeric>
#include <vector>

#include "chamfer/pass_cases.h"
#include "chamfer/road_scene.h"

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
    for (std::uint32_t i = 0; i < data.lines.parts; ++i) rates.push_back(1e-5 * (1 + i % 7));
    lines = make_line_index(data.lines, rates, double{chamfer::line_reach} * spread, count);
  }

  void place(Backend& backend) const {
    backend.place(view, field.data());
    backend.place(lines);
  }

  chamfer::Params params(Share share) const {
    chamfer::Params p;
    p.stages = 1;
    p.stage[0] = {observed_level(field.data(), 0, share), 10, 10.0, 1e-3, spread, 1e-8};
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
  using Likely = chamfer::Likely<Typed>;
  const LineCase c(count, weighted);
  ReferenceBackend reference;
  c.place(reference);
  c.place(backend);
  for (const Share share : {Share::sample, Share::all}) {
    chamfer::Params params = c.params(share);
    params.stage[0].widened = share == Share::all ? 1 : 1.7;
    auto state = Likely::start(params, LineCase::transform<Typed>(), LineCase::frame());
    for (const auto wants : {chamfer::Wants::everything, chamfer::Wants::cost}) {
      state.wants = wants;
      const auto right = pass_over<Likely>(reference, state, params).sums.front();
      const auto found = pass_over<Likely>(backend, state, params).sums.front();
      EXPECT_NEAR(found.weight, right.weight, 1e-6 * (1 + right.weight));
      expect_sums_near(as_doubles(found), as_doubles(right), doubles_in<typename Likely::Sums>, right.weight, "lines");
    }
  }
}

inline LineCounting counting_of(const LineCase& c, Share share) {
  LineCounting counting;
  counting.target_from_source = LineCase::transform<Projective2>();
  counting.level = observed_level(c.field.data(), 0, share);
  counting.parts = c.field.data().lines.parts;
  counting.spread = c.spread;
  counting.strays = 1e-8;
  counting.weight_unit = 0.7;
  return counting;
}

inline void expect_counts_match(Backend& backend, std::size_t count, bool weighted) {
  const LineCase c(count, weighted);
  ReferenceBackend reference;
  c.place(reference);
  c.place(backend);
  for (const Share share : {Share::sample, Share::all}) {
    const LineCounting counting = counting_of(c, share);
    const LineCounts right = reference.count(counting), found = backend.count(counting);
    ASSERT_EQ(found.on_part.size(), right.on_part.size());
    const double points = std::accumulate(right.on_part.begin(), right.on_part.end(), right.strays);
    EXPECT_GT(points, 0);
    for (std::size_t a = 0; a < right.on_part.size(); ++a) {
      EXPECT_NEAR(found.on_part[a], right.on_part[a], 2e-5 * (0.01 * points + right.on_part[a])) << a;
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
