// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/observed.h"

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "prepare/clouds.h"
#include "spatial/bounds.h"
#include "spatial/selection.h"

namespace dovetail {

double Observed::weight_unit() const { return dovetail::weight_unit(weights); }

double Observed::worth() const {
  double sum = 0;
  for (const float w : weights) sum += double{w};
  return weights.empty() ? static_cast<double>(points) : sum * weight_unit();
}

Observed observe(const PointsView& points, const Run& run) {
  check_view(points, "observed");
  check_weights(run.weights, points.count);
  Observed o;
  o.view = points;
  o.points = points.count;
  const bool looked_through = points.precision == Precision::float64 && !points.on_device;
  if (looked_through) {
    Selection usable = select_usable(points, run.origin_points);
    o.points = usable.kept.size();
    o.dropped_non_finite = usable.dropped_non_finite;
    o.dropped_at_origin = usable.dropped_at_origin;
    o.middle = main_bounds(points, usable.kept).center();
    if (points.dimension == 2) o.middle[2] = 0;
    if (o.points < points.count) o.kept = std::move(usable.kept);
  }
  if (!run.weights.empty()) {
    // As they are, but for those that floats cannot hold, or not their sums.
    const double whole = power_near_largest(run.weights);
    const double unit = whole > 1e9 || whole < 1e-9 ? 1 / whole : 1.0;
    o.weights.reserve(o.points);
    for (std::size_t i = 0; i < o.points; ++i) {
      o.weights.push_back(static_cast<float>(unit * run.weights[o.kept.empty() ? i : o.kept[i]]));
    }
  }
  return o;
}

namespace {

template <int D>
Vec3 mean_of(const SamplePoints<D>& sample) {
  Vec3 sum{};
  for (const auto& p : sample.positions) {
    for (int a = 0; a < D; ++a) sum[a] += p[a] / static_cast<double>(sample.positions.size());
  }
  return sum;
}

}  // namespace

ObservedPoints::ObservedPoints(const Observed& observed, std::size_t sample, std::uint64_t seed, Backend& backend)
    : observed_(observed),
      backend_(backend),
      sample_rows_(static_cast<std::uint32_t>(std::min(sample, observed.points))) {
  Memory& memory = backend.memory();
  const PointsView& view = observed.view;
  if (view.on_device && memory.is_host()) {
    throw InvalidArgument("observed: the points are in a GPU's memory; run on machine cuda");
  }
  const auto* const bytes = static_cast<const std::byte*>(view.data);
  input_.raw = view.on_device ? bytes : memory.put(std::span(bytes, view.size_bytes()), keeper_);
  input_.is_double = view.precision == Precision::float64;
  input_.stride = view.stride_bytes();
  input_.dimension = view.dimension;
  input_.kept = memory.put(observed.kept, keeper_);
  input_.raw_weight = memory.put(observed.weights, keeper_);
  input_.count = static_cast<std::uint32_t>(observed.points);
  input_.seed = seed;
  for (int a = 0; a < 3; ++a) input_.middle[a] = observed.middle[a];
  if (view.on_device && input_.is_double) {  // nobody has looked at them yet
    const auto some = view.dimension == 3 ? mean_of(read_sample<3>()) : mean_of(read_sample<2>());
    for (int a = 0; a < view.dimension; ++a) input_.middle[a] = some[a];
  }
}

LocalPoints::Data ObservedPoints::rows_of(CloudView& view, std::uint32_t rows) {
  Memory& memory = backend_.memory();
  LocalPoints::Data data = input_;
  data.rows = rows;
  if (view.x == nullptr) {
    view.count = rows;
    view.x = memory.room<float>(rows, keeper_);
    view.y = memory.room<float>(rows, keeper_);
    view.z = memory.room<float>(rows, keeper_);
    if (input_.raw_weight != nullptr) view.weight = memory.room<float>(rows, keeper_);
  }
  data.x = const_cast<float*>(view.x);
  data.y = const_cast<float*>(view.y);
  data.z = const_cast<float*>(view.z);
  data.weight = const_cast<float*>(view.weight);
  return data;
}

void ObservedPoints::run(std::vector<LocalPoints::Data> data) {
  Batch<LocalPoints> batch;
  batch.data = std::move(data);
  for (std::uint32_t i = 0; i < batch.data.size(); ++i) batch.states.push_back({i});
  backend_.run(batch);
}

template <int D>
SamplePoints<D> ObservedPoints::read_sample() {
  input_.scale = 1;
  run({rows_of(sample_, sample_rows_)});
  Memory& memory = backend_.memory();
  const std::vector<float> axis[3] = {memory.get(sample_.x, sample_rows_), memory.get(sample_.y, sample_rows_),
                                      memory.get(sample_.z, sample_rows_)};
  SamplePoints<D> sample;
  for (std::uint32_t row = 0; row < sample_rows_; ++row) {
    double weight = 1;
    if (!observed_.weights.empty()) {
      weight = double{observed_.weights[LocalPoints::point_of(input_.seed, input_.count, sample_rows_, row)]};
    }
    Vector<double, D> p{};
    bool number = weight > 0;
    for (int a = 0; a < D; ++a) {
      p[a] = double{axis[a][row]};
      number = number && std::fabs(p[a]) < 1e30;
    }
    if (!number) continue;
    sample.positions.push_back(p);
    if (!observed_.weights.empty()) sample.weights.push_back(weight);
  }
  return sample;
}
template SamplePoints<2> ObservedPoints::read_sample();
template SamplePoints<3> ObservedPoints::read_sample();

void ObservedPoints::localise(const float (&origin)[3], float scale) {
  for (int a = 0; a < 3; ++a) input_.origin[a] = origin[a];
  input_.scale = scale;
  run({rows_of(sample_, sample_rows_), rows_of(all_, input_.count)});
}

}  // namespace dovetail
