// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/spoil.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dovetail/prepare.h"
#include "dovetail/rotation.h"

namespace dovetail::bench::scenes {
namespace {

/// Drops the `share` of the points with the smallest value.
template <class Value>
void drop_smallest(PointCloud& cloud, double share, const Value& value) {
  std::vector<double> values;
  for (const Vec3& p : cloud.positions) values.push_back(value(p));
  std::vector<double> sorted = values;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at), sorted.end());
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= sorted[at]) kept.push_back(cloud.positions[i]);
  }
  cloud.positions = std::move(kept);
}

/// In the plane where the cloud is.
Vec3 direction_for(const PointCloud& cloud, RandomStream& random) {
  Vec3 direction = random.unit_vector();
  if (cloud.dimension == 3) return direction;
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  return {std::cos(angle), std::sin(angle), 0};
}

}  // namespace

Vec3 centroid_of(const PointCloud& cloud) {
  Vec3 sum{};
  for (const Vec3& p : cloud.positions) sum += p;
  return (1.0 / static_cast<double>(cloud.size())) * sum;
}

double radius_of(const PointCloud& cloud) {
  const Vec3 centroid = centroid_of(cloud);
  double sum = 0;
  for (const Vec3& p : cloud.positions) sum += squared_norm(p - centroid);
  return std::sqrt(sum / static_cast<double>(cloud.size()));
}

double spacing_of(const PointCloud& cloud) { return measure_scale(cloud).spacing; }

PointCloud thinned(const PointCloud& cloud, std::size_t count, RandomStream& random) {
  PointCloud result = cloud;
  if (cloud.size() <= count) return result;
  result.positions.clear();
  std::size_t wanted = count, left = cloud.size();
  for (const Vec3& p : cloud.positions) {  // each stays with the chance that leaves `wanted` in the end
    if (random.uniform() * static_cast<double>(left--) >= static_cast<double>(wanted)) continue;
    result.positions.push_back(p);
    --wanted;
  }
  return result;
}

void add_noise(PointCloud& cloud, double deviation, RandomStream& random) {
  for (Vec3& p : cloud.positions) {
    for (int k = 0; k < cloud.dimension; ++k) p[k] += deviation * random.normal();
  }
}

void add_outliers(PointCloud& cloud, double share, RandomStream& random) {
  Vec3 low = cloud.positions.at(0), high = low;
  for (const Vec3& p : cloud.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  const auto more = static_cast<std::size_t>(share * static_cast<double>(cloud.size()));
  const Vec3 margin = 0.125 * (high - low);
  for (std::size_t i = 0; i < more; ++i) {
    Vec3 p{};
    for (int k = 0; k < cloud.dimension; ++k) p[k] = random.uniform(low[k] - margin[k], high[k] + margin[k]);
    cloud.positions.push_back(p);
  }
}

void cut_half_space(PointCloud& cloud, double share, RandomStream& random) {
  const Vec3 direction = direction_for(cloud, random);
  drop_smallest(cloud, share, [&](const Vec3& p) { return dot(p, direction); });
}

void cut_ball(PointCloud& cloud, double share, RandomStream& random) {
  const Vec3 center = cloud.positions[random.below(static_cast<std::uint32_t>(cloud.size()))];
  drop_smallest(cloud, share, [&](const Vec3& p) { return squared_norm(p - center); });
}

Transform turned_and_shifted(const Transform& pose, const Vec3& center, double degrees, double shift,
                             RandomStream& random) {
  const double angle = degrees * std::numbers::pi / 180;
  const Vec3 about = pose * center;
  if (dimension(pose.model) == 2) {
    const double sign = random.uniform() < 0.5 ? -1 : 1, heading = random.uniform(0, 2 * std::numbers::pi);
    const Mat2 turn = exp_so2(sign * angle);
    const Vec2 middle = {about[0], about[1]};
    return Transform(Rigid2{turn, middle - turn * middle + shift * Vec2{std::cos(heading), std::sin(heading)}}) * pose;
  }
  const Mat3 turn = exp_so3(angle * random.unit_vector());
  return Transform(Rigid3{turn, about - turn * about + shift * random.unit_vector()}) * pose;
}

}  // namespace dovetail::bench::scenes
