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

double median_spacing(const KdTree& tree, const std::vector<std::uint32_t>& curve) {
  const std::size_t samples = std::min(curve.size(), spacing_samples);
  std::vector<float> squares;
  for (std::size_t s = 0; s < samples; ++s) {
    const TreePoint& p = tree.points()[curve[s * curve.size() / samples]];
    NearestElsewhere result;
    search(tree.view(), p.x, p.y, p.z, result);
    if (std::isfinite(result.worst())) squares.push_back(result.worst());
  }
  if (squares.empty()) return 0;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  return std::sqrt(double(*middle));
}

}  // namespace

CloudScale measure_scale(const KdTree& tree) {
  if (tree.empty()) return {};
  std::vector<float> axis[3];
  for (auto& values : axis) values.reserve(tree.size());
  for (const TreePoint& p : tree.points()) axis[0].push_back(p.x), axis[1].push_back(p.y), axis[2].push_back(p.z);
  // Sampled along the curve rather than in the caller's order, so that shuffling a cloud changes no default.
  const std::vector<std::uint32_t> curve = morton_order(axis[0], axis[1], axis[2]);
  const Vec3 sides = {trimmed_length(axis[0]), trimmed_length(axis[1]), trimmed_length(axis[2])};
  return {norm(sides), median_spacing(tree, curve)};
}

}  // namespace dovetail
