// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "spatial/bounds.h"
#include "spatial/kd_search.h"
#include "spatial/morton.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr double trimmed_ratio = 0.005;  // at either end of each axis; a cloud of under 200 points is not trimmed
constexpr std::size_t spacing_samples = 2048;

/// The nearest point that is elsewhere.
class NearestElsewhere {
 public:
  float worst() const { return best_; }
  bool offer(const Neighbour& candidate) {
    if (candidate.squared_distance == 0 || !(candidate.squared_distance < best_)) return false;
    best_ = candidate.squared_distance;
    return true;
  }

 private:
  float best_ = std::numeric_limits<float>::infinity();
};

double trimmed_length(std::vector<float>& values) {
  const ValueRange range = trimmed_range(values, static_cast<std::size_t>(trimmed_ratio * double(values.size())));
  return range.high - range.low;
}

/// `curve(i)`: the i-th point along the Morton curve.
template <class Curve>
double median_spacing(const KdTree& tree, const Curve& curve) {
  const std::size_t count = tree.size(), samples = std::min(count, spacing_samples);
  std::vector<float> squares(samples);
  parallel_for(samples, 64, [&](std::size_t s) {
    const Vec3f p = curve(s * count / samples);
    NearestElsewhere result;
    search(tree.view(), p[0], p[1], p[2], result);
    squares[s] = result.worst();
  });
  std::erase_if(squares, [](float square) { return !std::isfinite(square); });
  if (squares.empty()) return 0;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  return std::sqrt(double(*middle));
}

}  // namespace

// Spacings are sampled along the curve rather than in the caller's order, so that shuffling a cloud changes no default.

CloudScale measure_scale(const KdTree& tree) {
  if (tree.empty()) return {};
  std::vector<float> axis[3];
  for (auto& values : axis) values.reserve(tree.size());
  for (const TreePoint& p : tree.points()) axis[0].push_back(p.x), axis[1].push_back(p.y), axis[2].push_back(p.z);
  const std::vector<std::uint32_t> curve = morton_order(axis[0], axis[1], axis[2]);
  const Vec3 sides = {trimmed_length(axis[0]), trimmed_length(axis[1]), trimmed_length(axis[2])};
  return {norm(sides), median_spacing(tree, [&](std::size_t i) {
            const TreePoint& p = tree.points()[curve[i]];
            return Vec3f{p.x, p.y, p.z};
          })};
}

CloudScale measure_scale(const KdTree& tree, const LocalCloud& along_curve) {
  if (tree.empty()) return {};
  const std::vector<float>* const from[3] = {&along_curve.x, &along_curve.y, &along_curve.z};
  Vec3 sides{};
  parallel_for(3, 1, [&](std::size_t a) {
    std::vector<float> values = *from[a];
    sides[static_cast<int>(a)] = trimmed_length(values);
  });
  return {norm(sides), median_spacing(tree, [&](std::size_t i) {
            return Vec3f{along_curve.x[i], along_curve.y[i], along_curve.z[i]};
          })};
}

}  // namespace dovetail
