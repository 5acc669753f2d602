// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/build_problem.h"
#include "core/random.h"
#include "dovetail/error.h"
#include "spatial/bounds.h"
#include "spatial/parallel.h"
#include "spatial/selection.h"

namespace dovetail {

double ChamferInput::weight_unit() const { return dovetail::weight_unit(weights); }

double ChamferInput::worth() const {
  double sum = 0;
  for (const float w : weights) sum += double{w};
  return weights.empty() ? static_cast<double>(points) : sum * weight_unit();
}

ChamferInput observed_cloud(const PointCloud& cloud, const Run& run) {
  if (cloud.empty()) throw InvalidArgument("observed: there are no points");
  check_weights(run.weights, cloud.size());
  const Selection usable = select_usable(cloud, run.origin_points);
  ChamferInput input;
  input.points = usable.kept.size();
  input.dropped_non_finite = usable.dropped_non_finite;
  input.dropped_at_origin = usable.dropped_at_origin;
  input.origin = main_bounds(cloud.positions, usable.kept).center();
  if (cloud.dimension == 2) input.origin[2] = 0;
  const auto dimension = static_cast<std::size_t>(cloud.dimension);
  input.coordinates.resize(dimension * usable.kept.size());
  parallel_for(usable.kept.size(), 16384, [&](std::size_t i) {
    const Vec3 p = cloud.positions[usable.kept[i]] - input.origin;
    for (std::size_t a = 0; a < dimension; ++a) {
      input.coordinates[dimension * i + a] = static_cast<float>(p[static_cast<int>(a)]);
    }
  });
  if (!run.weights.empty()) {
    for (const std::uint32_t i : usable.kept) input.weights.push_back(static_cast<float>(run.weights[i]));
    input.view.weight = input.weights.data();
  }
  input.view.points = input.coordinates.data();
  input.view.count = usable.kept.size();
  input.view.stride = dimension;
  input.view.dimension = cloud.dimension;
  return input;
}

ChamferInput observed_view(const PointsView& points, const Run& run) {
  if (points.dimension != 2 && points.dimension != 3) {
    throw InvalidArgument(fmt::format("observed: dimension is {}; allowed: 2, 3", points.dimension));
  }
  const auto dimension = static_cast<std::size_t>(points.dimension);
  if (points.count == 0 || points.data == nullptr) throw InvalidArgument("observed: there are no points");
  if (points.stride != 0 && points.stride < dimension) {
    throw InvalidArgument(
        fmt::format("observed: a stride of {} floats is less than the {} of a point", points.stride, dimension));
  }
  if (points.count > 0x7fffffffu) throw InvalidArgument("observed: more than 2^31 points");
  check_weights(run.weights, points.count);
  ChamferInput input;
  input.points = points.count;
  if (!run.weights.empty()) {
    input.weights.assign(run.weights.size(), 0.0f);
    std::transform(run.weights.begin(), run.weights.end(), input.weights.begin(),
                   [](double w) { return static_cast<float>(w); });
    input.view.weight = input.weights.data();
  }
  input.view.points = points.data;
  input.view.count = points.count;
  input.view.stride = points.stride != 0 ? points.stride : dimension;
  input.view.dimension = points.dimension;
  input.view.on_device = points.on_device;
  return input;
}

void pick_sample(ChamferInput& input, std::size_t count, std::uint64_t seed) {
  const std::size_t all = input.view.count, picked = std::min(count, all);
  input.sample.resize(picked);
  for (std::size_t i = 0; i < picked; ++i) {
    const std::size_t first = i * all / picked, last = (i + 1) * all / picked;
    RandomStream random(seed, i);
    input.sample[i] = static_cast<std::uint32_t>(first + random.below(static_cast<std::uint32_t>(last - first)));
  }
  input.view.sample = input.sample;
}

template <int D>
SamplePoints<D> sample_points(const ChamferInput& input, Backend& backend) {
  const std::vector<float> coordinates = backend.read_sample(input.view);
  SamplePoints<D> sample;
  for (std::size_t i = 0; i < input.sample.size(); ++i) {
    const double weight = input.weights.empty() ? 1.0 : double{input.weights[input.sample[i]]};
    Vector<double, D> p{};
    bool number = weight > 0;
    for (int a = 0; a < D; ++a) {
      p[a] = double{coordinates[static_cast<std::size_t>(D) * i + static_cast<std::size_t>(a)]};
      number = number && std::fabs(p[a]) < 1e30;
    }
    if (!number) continue;
    sample.positions.push_back(p);
    if (!input.weights.empty()) sample.weights.push_back(weight);
  }
  return sample;
}

template SamplePoints<2> sample_points<2>(const ChamferInput&, Backend&);
template SamplePoints<3> sample_points<3>(const ChamferInput&, Backend&);

}  // namespace dovetail
