// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>

#include "chamfer/chamfer_cases.h"
#include "chamfer/road_scene.h"
#include "support/truth.h"

namespace dovetail::test {

inline Detections made_up_detections(ChamferModel model, std::size_t count, std::uint64_t seed) {
  DetectionSettings settings;
  settings.model = model;
  settings.count = count;
  settings.seed = seed;
  return detect(made_up_roads(4), settings);
}

inline Chamfer of_model(ChamferModel model) {
  Chamfer options;
  options.model = model;
  return options;
}

constexpr ChamferModel planar_models[] = {ChamferModel::rigid, ChamferModel::similarity, ChamferModel::affine,
                                          ChamferModel::projective};

/// Everything that follows from the passes, bit for bit.
inline void expect_same_answer(const Registration& a, const Registration& b) {
  EXPECT_EQ(a.target_from_source, b.target_from_source);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.termination, b.termination);
  EXPECT_EQ(a.rmse, b.rmse);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.covariance, b.covariance);
  EXPECT_EQ(a.margin, b.margin);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i) {
    EXPECT_EQ(a.trace[i].target_from_source, b.trace[i].target_from_source);
  }
}

/// Made-up roads, 2,000 detections: all models come back within a metre of the truth.
inline void expect_recovery(Machine machine) {
  const Reference roads = made_up_roads(4);
  for (const ChamferModel model : planar_models) {
    const Detections d = made_up_detections(model, 2000, 21);
    const Registration r = register_points(d.observed, roads, of_model(model), on(machine));
    EXPECT_TRUE(r.usable()) << r.message;
    EXPECT_LT(d.error_of(r.target_from_source), 1.0) << static_cast<int>(model);
    EXPECT_EQ(r.target_from_source.model, d.target_from_source.model);
    const auto dof = static_cast<std::size_t>(degrees_of_freedom(r.target_from_source.model));
    EXPECT_EQ(r.covariance.size(), dof * dof);
  }
}

inline void expect_repeats(Machine machine) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::affine, 3000, 5);
  const Registration first = register_points(d.observed, roads, of_model(ChamferModel::affine), on(machine));
  expect_same_answer(first, register_points(d.observed, roads, of_model(ChamferModel::affine), on(machine)));
}

inline void expect_traditional_takes_the_same_steps(Machine machine) {
  const Reference roads = made_up_roads(4);
  for (const ChamferModel model : planar_models) {
    const Detections d = made_up_detections(model, 3000, 5);
    Chamfer pipelined = of_model(model), traditional = of_model(model);
    traditional.order = LmOrder::traditional;
    expect_same_answer(register_points(d.observed, roads, pipelined, on(machine)),
                       register_points(d.observed, roads, traditional, on(machine)));
  }
}

}  // namespace dovetail::test
