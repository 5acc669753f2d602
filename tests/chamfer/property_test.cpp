// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "chamfer/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

TEST(ChamferProperty, EveryModelIsRecovered) { expect_recovery(Machine::cpu); }
TEST(ChamferProperty, RepeatedRunsGiveTheSameBits) { expect_repeats(Machine::cpu); }
TEST(ChamferProperty, TheTraditionalOrderTakesTheSameSteps) { expect_traditional_takes_the_same_steps(Machine::cpu); }

TEST(ChamferProperty, ThreadsDoNotChangeTheBits) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 5000, 8);
  dovetail::Run one = on(Machine::cpu), two = on(Machine::cpu);
  one.threads = 1;
  two.threads = 2;
  expect_same_answer(register_points(d.observed, roads, of_model(ChamferModel::similarity), one),
                     register_points(d.observed, roads, of_model(ChamferModel::similarity), two));
}

TEST(ChamferProperty, WatchingDoesNotChangeTheBits) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 2000, 8);
  dovetail::Run watched = on(Machine::cpu);
  int seen = 0;
  watched.on_iteration = [&](const Iteration&) { return ++seen > 0; };
  const Registration a = register_points(d.observed, roads, of_model(ChamferModel::similarity), on(Machine::cpu));
  const Registration b = register_points(d.observed, roads, of_model(ChamferModel::similarity), watched);
  expect_same_answer(a, b);
  EXPECT_EQ(static_cast<std::size_t>(seen), b.trace.size());
}

TEST(ChamferProperty, TheReferenceMachineAgrees) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 800, 8);
  Chamfer options = of_model(ChamferModel::similarity);
  options.starts = 16;
  options.field.cell = 4;
  const Registration a = register_points(d.observed, roads, options, on(Machine::reference));
  const Registration b = register_points(d.observed, roads, options, on(Machine::cpu));
  // Both stop when a step is below a thousandth of a cell.
  EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[0]), 0.05);
  EXPECT_NEAR(a.score, b.score, 1e-3);
}

TEST(ChamferProperty, MovingBothMovesTheAnswer) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 2000, 8);
  const Registration here = register_points(d.observed, roads, of_model(ChamferModel::similarity));
  // Far away, as UTM coordinates are: the cells lie elsewhere against the roads, and the answer is as near as they are.
  const Vec3 far{381'234.5, 4'843'210.25, 0};
  Reference moved = roads;
  for (Vec3& p : moved.points.positions) p += far;
  PointCloud observed = d.observed;
  for (Vec3& p : observed.positions) p += far;
  const Registration there = register_points(observed, moved, of_model(ChamferModel::similarity));
  for (const Vec3& p : {d.observed.positions[0], d.observed.positions[7]}) {
    EXPECT_LT(norm(there.target_from_source * (p + far) - far - here.target_from_source * p), 0.1);
  }
}

TEST(ChamferProperty, TheOrderOfPointsDoesNotMatter) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  PointCloud reversed = d.observed;
  std::reverse(reversed.positions.begin(), reversed.positions.end());
  const Registration a = register_points(d.observed, roads, of_model(ChamferModel::similarity));
  const Registration b = register_points(reversed, roads, of_model(ChamferModel::similarity));
  EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[3]), 0.02);
}

TEST(ChamferProperty, UnitsDoNotMatter) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  Reference millimetres = roads;
  for (Vec3& p : millimetres.points.positions) p *= 1000;
  PointCloud observed = d.observed;
  for (Vec3& p : observed.positions) p *= 1000;
  const Registration a = register_points(d.observed, roads, of_model(ChamferModel::similarity));
  const Registration b = register_points(observed, millimetres, of_model(ChamferModel::similarity));
  const Vec3 p = d.observed.positions[3];
  EXPECT_LT(norm((1.0 / 1000) * (b.target_from_source * (1000.0 * p)) - a.target_from_source * p), 0.02);
}

TEST(ChamferProperty, AFieldMadeBeforeGivesTheSameBits) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  const DistanceField field = build_field(roads);
  expect_same_answer(register_points(d.observed, roads, of_model(ChamferModel::similarity)),
                     register_points(d.observed, field, of_model(ChamferModel::similarity)));
}

TEST(ChamferProperty, ABandedFieldGivesTheSameAnswer) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::affine, 2000, 8);
  Chamfer dense = of_model(ChamferModel::affine), banded = of_model(ChamferModel::affine);
  dense.field.cell = banded.field.cell = 1;
  banded.field.storage = FieldStorage::banded;
  const Registration a = register_points(d.observed, roads, dense), b = register_points(d.observed, roads, banded);
  EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[3]), 0.02);
  EXPECT_LT(d.error_of(b.target_from_source), 1.0);
}

TEST(ChamferProperty, AViewOfFloatsGivesTheSameAnswer) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  const DistanceField field = build_field(roads);
  std::vector<float> floats;
  for (const Vec3& p : d.observed.positions) {
    floats.insert(floats.end(), {static_cast<float>(p[0]), static_cast<float>(p[1]), 99.0f});
  }
  PointsView view;
  view.data = floats.data();
  view.count = d.observed.size();
  view.dimension = 2;
  view.stride = 3;
  const Registration a = register_points(d.observed, field, of_model(ChamferModel::similarity));
  const Registration b = register_points(view, field, of_model(ChamferModel::similarity));
  EXPECT_LT(distance_between(a.target_from_source, b.target_from_source, d.observed.positions[3]), 0.02);
}

TEST(ChamferProperty, ATimeLimitEndsWithThePoseReached) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 5000, 8);
  const DistanceField field = build_field(roads);
  for (const double limit : {0.001, 5.0}) {
    dovetail::Run run;
    run.time_limit_ms = limit;
    const Registration r = register_points(d.observed, field, of_model(ChamferModel::similarity), run);
    EXPECT_TRUE(r.termination == Termination::time_limit || limit > 1);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(r.target_from_source.matrix[i]));
  }
  dovetail::Run asked;
  asked.on_iteration = [](const Iteration&) { return false; };
  const Registration stopped = register_points(d.observed, field, of_model(ChamferModel::similarity), asked);
  EXPECT_EQ(stopped.termination, Termination::stopped_by_callback);
  EXPECT_EQ(stopped.trace.size(), 1u);
}

TEST(ChamferProperty, WeightsOfZeroLeaveClutterOut) {
  const Reference roads = made_up_roads(4);
  const Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  dovetail::Run run;
  for (std::size_t i = 0; i < d.on_road.size(); ++i) run.weights.push_back(d.on_road[i] ? 2.0 : 0.0);
  const Registration r = register_points(d.observed, roads, of_model(ChamferModel::similarity), run);
  EXPECT_LT(d.error_of(r.target_from_source), 1.0);
  EXPECT_GT(r.inlier_ratio, 0.9);
}

}  // namespace
}  // namespace dovetail
