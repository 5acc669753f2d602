// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/left_balanced_tree.h"

#include <algorithm>
#include <bit>

#include "dovetail/error.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr std::size_t parallel_threshold = 4096;  // below this a task costs more than it brings

std::uint8_t widest_axis(std::span<const TreePoint> points) {
  TreePoint low = points[0], high = points[0];
  for (const TreePoint& p : points) {
    low.x = std::min(low.x, p.x), high.x = std::max(high.x, p.x);
    low.y = std::min(low.y, p.y), high.y = std::max(high.y, p.y);
    low.z = std::min(low.z, p.z), high.z = std::max(high.z, p.z);
  }
  const float length[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
  return static_cast<std::uint8_t>(std::max_element(length, length + 3) - length);
}

/// How many of `count` nodes lie to the left of the root.
std::size_t left_of_root(std::size_t count) {
  const std::size_t last = std::bit_floor(count);  // places in the last level, were it full
  const std::size_t above = last - 1;              // nodes of all levels over it
  return above / 2 + std::min(count - above, last / 2);
}

class Builder {
 public:
  Builder(std::span<TreePoint> nodes, std::span<std::uint8_t> axes) : nodes_(nodes), axes_(axes) {}

  void build(std::span<TreePoint> points, std::size_t node) {
    if (points.empty()) return;
    axes_[node] = widest_axis(points);
    const std::size_t middle = left_of_root(points.size());
    switch (axes_[node]) {
      case 0:
        split_at<&TreePoint::x>(points, middle);
        break;
      case 1:
        split_at<&TreePoint::y>(points, middle);
        break;
      default:
        split_at<&TreePoint::z>(points, middle);
        break;
    }
    nodes_[node] = points[middle];
    const auto left = [=, this] { build(points.first(middle), 2 * node + 1); };
    const auto right = [=, this] { build(points.subspan(middle + 1), 2 * node + 2); };
    if (points.size() >= parallel_threshold) {
      parallel_both(left, right);
    } else {
      left();
      right();
    }
  }

 private:
  template <float TreePoint::*Coordinate>
  static void split_at(std::span<TreePoint> points, std::size_t middle) {
    const auto before = [](const TreePoint& a, const TreePoint& b) {
      return a.*Coordinate != b.*Coordinate ? a.*Coordinate < b.*Coordinate : a.index < b.index;
    };
    std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(middle), points.end(), before);
  }

  std::span<TreePoint> nodes_;
  std::span<std::uint8_t> axes_;
};

void require(bool good, const char* message) {
  if (!good) throw InvalidArgument(message);
}

}  // namespace

LeftBalancedTree::LeftBalancedTree(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                                   std::span<const std::uint32_t> index) {
  require(x.size() == y.size() && x.size() == z.size(), "left-balanced tree: x, y and z must be of one length");
  require(index.empty() || index.size() == x.size(), "left-balanced tree: index must be empty or one a point");
  std::vector<TreePoint> points(x.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {x[i], y[i], z[i], index.empty() ? static_cast<std::uint32_t>(i) : index[i]};
  }
  build(std::move(points));
}

LeftBalancedTree::LeftBalancedTree(std::span<const Vec3f> from, std::span<const std::uint32_t> index) {
  require(index.empty() || index.size() == from.size(), "left-balanced tree: index must be empty or one a point");
  std::vector<TreePoint> points(from.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {from[i][0], from[i][1], from[i][2], index.empty() ? static_cast<std::uint32_t>(i) : index[i]};
  }
  build(std::move(points));
}

LeftBalancedTree::LeftBalancedTree(const KdTree& tree) {
  std::vector<TreePoint> points(tree.points().begin(), tree.points().end());
  for (std::uint32_t slot = 0; slot < tree.size(); ++slot) points[slot].index = slot;
  build(std::move(points));
}

void LeftBalancedTree::build(std::vector<TreePoint> points) {
  // Children that are not there have numbers too.
  require(points.size() < (std::size_t{1} << 31) - 1, "left-balanced tree: fewer than 2^31 - 1 points");
  points_.resize(points.size());
  axes_.resize(points.size());
  Builder(points_, axes_).build(points, 0);
}

}  // namespace dovetail
