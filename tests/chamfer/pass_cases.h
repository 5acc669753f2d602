// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/reference/reference_backend.h"
#include "chamfer/chamfer_cases.h"
#include "prepare/observed.h"
#include "support/problems.h"
#include "support/tolerances.h"

// One pass of a machine against the oracle, for any machine.

namespace dovetail::test {

/// Which points a pass looks at.
enum class Points { some, all };

/// Observed points over a field.
template <int D>
struct ObservedCase {
  DistanceField field;
  std::vector<float> points;
  Observed observed;

  ObservedCase(DistanceField over, std::vector<float> given, bool weighted)
      : field(std::move(over)), points(std::move(given)) {
    const std::size_t count = points.size() / D;
    Run run;
    if (weighted) run.weights = some_weights(count);
    observed = observe(PointsView(points.data(), count, D), run);
  }
  ObservedCase(const ObservedCase&) = delete;

  /// The same in a machine's memory.
  struct Placed {
    ObservedPoints points;
    std::shared_ptr<const FieldData::PlacedLevels> levels;

    const CloudView& view(Points which) const { return which == Points::all ? points.all() : points.sample(); }
    /// At the finest level.
    chamfer::Data data(Points which) const { return {view(which), levels->back().view}; }
  };
  Placed on(Backend& backend) const {
    Placed placed{ObservedPoints(observed, (observed.points + 2) / 3, 7, backend), field.data().in(backend.memory())};
    // The field's frame is about the middle of its domain, which is not the origin.
    float origin[3] = {0, 0, 0};
    for (int a = 0; a < D; ++a) origin[a] = static_cast<float>(field.data().frame.origin[a]);
    placed.points.localise(origin, static_cast<float>(field.data().frame.scale));
    return placed;
  }
};

template <int D>
struct PassCase : ObservedCase<D> {
  PassCase(std::size_t count, FieldStorage storage, bool weighted)
      : ObservedCase<D>(case_field<D>(storage), case_points<D>(count, 9), weighted) {}
};

template <class M>
Batch<M> pass_over(Backend& backend, const typename M::Data& data, typename M::State state,
                   const typename M::Params& params) {
  Batch<M> batch;
  batch.params = params;
  batch.data = {data};
  batch.states = {state};
  backend.run(batch);
  return batch;
}

/// Float terms of up to `size`, some hundred units of rounding each (a moved point of some 100 cells carries 1e-5
/// cells, against caps of some cells), and now and then a point that rounding puts into another cell: one of its
/// neighbours' sites is then looked at, nearly as near.
inline void expect_sums_near(const double* found, const double* right, int count, double points, const char* what) {
  double size = 0;
  for (int k = 0; k < count; ++k) size = std::max(size, std::fabs(right[k]));
  for (int k = 0; k < count; ++k) {
    EXPECT_NEAR(found[k], right[k], 2e-4 * std::max(size, points)) << what << ", sum " << k;
  }
}

/// The sample's residuals, point by point; one that rounding puts into another cell may look at another site.
template <int D>
void expect_misses_match(Backend& backend, std::size_t count) {
  using Typed = std::conditional_t<D == 2, Projective2, Affine3>;
  using Misses = chamfer::Misses<D>;
  for (const FieldStorage storage : {FieldStorage::dense, FieldStorage::banded}) {
    const PassCase<D> c(count, storage, false);
    ReferenceBackend reference;
    const auto misses = [&](Backend& machine) {
      const auto placed = c.on(machine);
      Keeper keeper;
      const std::size_t rows = placed.points.sample().count;
      const typename Misses::Data data{placed.data(Points::some),
                                       machine.memory().template room<chamfer::Miss>(rows, keeper)};
      typename Misses::State state;
      state.target_from_source = case_transform<Typed>(0.05);
      pass_over<Misses>(machine, data, state, {});
      return machine.memory().template get<chamfer::Miss>(data.rows, rows);
    };
    const auto right = misses(reference), found = misses(backend);
    ASSERT_EQ(right.size(), (count + 2) / 3);
    ASSERT_EQ(found.size(), right.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      double off = 0;
      for (int a = 0; a < 3; ++a) {
        off = std::max(off, std::fabs(double{found[i].place[a]} - double{right[i].place[a]}));
        off = std::max(off, std::fabs(double{found[i].miss[a]} - double{right[i].miss[a]}));
      }
      different += off > 1e-3 ? 1 : 0;
    }
    EXPECT_LE(different, right.size() / 500);
    const auto far = [](const chamfer::Miss& m) { return m.miss[0] != 0 || m.miss[1] != 0 || m.miss[2] != 0; };
    EXPECT_TRUE(count < 100 || std::any_of(right.begin(), right.end(), far));
  }
}

template <class Typed>
void expect_pass_matches(Backend& backend, std::size_t count, FieldStorage storage, bool weighted) {
  constexpr int D = Typed::dimension;
  using Align = chamfer::Align<Typed>;
  const PassCase<D> c(count, storage, weighted);
  ReferenceBackend reference;
  const auto here = c.on(reference), there = c.on(backend);
  const double radius = c.field.data().frame.scale;  // a unit, in cells
  chamfer::StepFrame<D> frame;
  frame.radius = radius;
  for (const Points which : {Points::some, Points::all}) {
    const chamfer::Data right_data = here.data(which), found_data = there.data(which);
    chamfer::Params params;
    params.stages = 1;
    params.stage[0] = {0, 10, 6.0, 1e-3};
    auto t = case_transform<Typed>(0.02);
    for (int i = 0; i < D; ++i) t(i, D) *= radius;  // of a transform between units
    if constexpr (Align::projective) t(2, 0) /= radius, t(2, 1) /= radius;
    auto state = Align::start(params, t, frame);
    for (const auto wants : {chamfer::Wants::everything, chamfer::Wants::cost}) {
      state.wants = wants;
      const auto right = pass_over<Align>(reference, right_data, state, params).sums.front();
      const auto found = pass_over<Align>(backend, found_data, state, params).sums.front();
      EXPECT_NEAR(found.weight, right.weight, 1e-6 * (1 + right.weight));
      expect_sums_near(as_doubles(found), as_doubles(right), doubles_in<typename Align::Sums>, right.weight, "align");
    }
    using Scatter = chamfer::Scatter<Typed>;
    typename Scatter::State scatter;
    scatter.target_from_source = t;
    scatter.frame = frame;
    const auto right = pass_over<Scatter>(reference, right_data, scatter, {6.0}).sums.front();
    const auto found = pass_over<Scatter>(backend, found_data, scatter, {6.0}).sums.front();
    expect_sums_near(as_doubles(found), as_doubles(right), doubles_in<typename Scatter::Sums>, right.kernel, "scatter");
  }
}

template <int D>
void expect_fit_matches(Backend& backend, std::size_t count, FieldStorage storage) {
  const PassCase<D> c(count, storage, false);
  ReferenceBackend reference;
  const auto here = c.on(reference), there = c.on(backend);
  using Fit = chamfer::Fit<D>;
  const typename Fit::State state;
  const typename Fit::Params params{4.0, 3.0, 6.0};
  const auto right = pass_over<Fit>(reference, here.data(Points::all), state, params);
  const auto found = pass_over<Fit>(backend, there.data(Points::all), state, params);
  const auto &a = found.states.front(), &b = right.states.front();
  EXPECT_EQ(a.points, b.points);
  const double one = 1.0 / std::max(1.0, b.points);  // a point may lie right on a limit
  EXPECT_NEAR(a.inlier_ratio, b.inlier_ratio, 2 * one);
  EXPECT_NEAR(a.overlap, b.overlap, 2 * one);
  EXPECT_NEAR(a.score, b.score, one + 1e-5);
  EXPECT_NEAR(a.rmse, b.rmse, 0.01 * (1 + b.rmse));
  EXPECT_NEAR(a.median, b.median, 0.05 * (0.1 + b.median));
}

inline void expect_all_passes_match(Backend& backend, std::size_t count) {
  for (const FieldStorage storage : {FieldStorage::dense, FieldStorage::banded}) {
    for (const bool weighted : {false, true}) {
      expect_pass_matches<Rigid2>(backend, count, storage, weighted);
      expect_pass_matches<Similarity2>(backend, count, storage, weighted);
      expect_pass_matches<Affine2>(backend, count, storage, weighted);
      expect_pass_matches<Projective2>(backend, count, storage, weighted);
      expect_pass_matches<Rigid3>(backend, count, storage, weighted);
      expect_pass_matches<Similarity3>(backend, count, storage, weighted);
      expect_pass_matches<Affine3>(backend, count, storage, weighted);
    }
    expect_fit_matches<2>(backend, count, storage);
    expect_fit_matches<3>(backend, count, storage);
  }
}

}  // namespace dovetail::test
