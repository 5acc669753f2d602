// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/backend.h"
#include "dovetail/points_view.h"
#include "dovetail/run.h"

namespace dovetail {

/// Observed points as the caller holds them, and what of them counts.
struct Observed {
  PointsView view;
  std::vector<std::uint32_t> kept;  ///< the points that count; empty: all
  std::vector<float> weights;       ///< of those; empty: all 1
  Vec3 middle{};                    ///< what doubles are counted from
  std::size_t points = 0, dropped_non_finite = 0, dropped_at_origin = 0;

  /// What weights are multiplied by so that they add up to the number of points they are worth.
  double weight_unit() const;
  /// That number.
  double worth() const;
};

/// Throws InvalidArgument where there are no points, the view makes no sense or the weights do not fit. Doubles in host
/// memory are looked through for what cannot be used; of others, what is no number is passed over by every pass.
Observed observe(const PointsView& points, const Run& run);

/// Points of a sample on the host.
template <int D>
struct SamplePoints {
  std::vector<Vector<double, D>> positions;
  std::vector<double> weights;  ///< empty: all 1
};

/// Observed points in a machine's memory: all, and a sample of about as many as asked for, one at random out of each
/// run of equally many. What it was made from must outlive it.
class ObservedPoints {
 public:
  ObservedPoints(const Observed& observed, std::size_t sample, std::uint64_t seed, Backend& backend);

  /// Those of the sample that are numbers and have weight, before localise(): in the coordinates that it takes.
  template <int D>
  SamplePoints<D> read_sample();

  /// Brings the points into local coordinates, (point − origin) × scale.
  void localise(const float (&origin)[3], float scale);

  /// What doubles are counted from, before they become floats.
  Vec3 middle() const { return {input_.middle[0], input_.middle[1], input_.middle[2]}; }

  const CloudView& sample() const { return sample_; }  ///< after localise()
  const CloudView& all() const { return all_; }

 private:
  LocalPoints::Data rows_of(CloudView& view, std::uint32_t rows);
  void run(std::vector<LocalPoints::Data> data);

  const Observed& observed_;
  Backend& backend_;
  LocalPoints::Data input_{};
  std::uint32_t sample_rows_;
  CloudView sample_, all_;
  Keeper keeper_;
};

}  // namespace dovetail
