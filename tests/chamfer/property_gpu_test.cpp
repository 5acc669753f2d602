// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cuda_runtime_api.h>

#include "chamfer/property_cases.h"
#include "support/tolerances.h"

namespace dovetail {
namespace {

using namespace test;

using ChamferOnTheGpu = NeedsCuda<testing::Test>;

TEST_F(ChamferOnTheGpu, EveryModelIsRecovered) { expect_recovery(Machine::cuda); }
TEST_F(ChamferOnTheGpu, RepeatedRunsGiveTheSameBits) { expect_repeats(Machine::cuda); }
TEST_F(ChamferOnTheGpu, TheTraditionalOrderTakesTheSameSteps) {
  expect_traditional_takes_the_same_steps(Machine::cuda);
}

TEST_F(ChamferOnTheGpu, EndsWhereTheCpuEnds) {
  const Reference roads = made_up_roads(4);
  for (const ChamferModel model : planar_models) {
    const Detections d = made_up_detections(model, 3000, 5);
    const Registration a = register_points(d.observed, roads, of_model(model), on(Machine::cpu));
    const Registration b = register_points(d.observed, roads, of_model(model), on(Machine::cuda));
    // Both stop when a step is below a thousandth of a cell (1 m), converging by a third or better a step.
    EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[0]), 0.02);
    EXPECT_NEAR(a.score, b.score, 1e-3);
    ASSERT_TRUE(a.confidence && b.confidence);
    EXPECT_NEAR(*a.confidence, *b.confidence, same_confidence);
    ASSERT_EQ(a.covariance.size(), b.covariance.size());
    for (std::size_t i = 0; i < a.covariance.size(); ++i) {
      EXPECT_NEAR(a.covariance[i], b.covariance[i], 0.02 * std::fabs(a.covariance[i]) + 1e-9);
    }
  }
}

TEST_F(ChamferOnTheGpu, FieldsHaveTheBitsOfTheCpu) {
  const Reference roads = made_up_roads(4);
  for (const FieldStorage storage : {FieldStorage::dense, FieldStorage::banded}) {
    FieldOptions options;
    options.cell = 1.5;
    options.storage = storage;
    const DistanceField a = build_field(roads, options, on(Machine::cpu));
    const DistanceField b = build_field(roads, options, on(Machine::cuda));
    ASSERT_EQ(a.data().levels.size(), b.data().levels.size());
    for (std::size_t i = 0; i < a.data().levels.size(); ++i) {
      const FieldLevel &p = a.data().levels[i], &q = b.data().levels[i];
      // Cells of the last tiles that lie beyond the grid mean nothing: compare what can be looked up.
      const FieldView u = p.view(), v = q.view();
      for (std::uint32_t y = 0; y < p.grid.cells[1]; ++y) {
        for (std::uint32_t x = 0; x < p.grid.cells[0]; ++x) {
          const std::uint64_t at = u.stored_at<2>(x, y, 0);
          ASSERT_EQ(at, v.stored_at<2>(x, y, 0));
          if (at == FieldView::no_cell) continue;
          ASSERT_EQ(u.nearest[at], v.nearest[at]) << x << ", " << y;
        }
      }
    }
  }
}

TEST_F(ChamferOnTheGpu, PointsInDeviceMemoryAreTaken) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  Workspace workspace(Machine::cuda);
  dovetail::Run run;
  run.workspace = &workspace;
  const DistanceField field = build_field(roads, {}, run);
  std::vector<float> floats;
  for (const Vec3& p : d.observed.positions) {
    floats.insert(floats.end(), {static_cast<float>(p[0]), static_cast<float>(p[1])});
  }
  PointsView view;
  view.data = floats.data();
  view.count = d.observed.size();
  view.dimension = 2;
  const Registration host = register_points(view, field, of_model(ChamferModel::similarity), run);
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), floats.size() * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(device, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
  view.data = device;
  view.on_device = true;
  const Registration there = register_points(view, field, of_model(ChamferModel::similarity), run);
  EXPECT_EQ(host.target_from_source, there.target_from_source);
  EXPECT_LT(d.error_of(there.target_from_source), 1.0);
  cudaFree(device);
}

}  // namespace
}  // namespace dovetail
