// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/kd_tree.h"

#include <algorithm>
#include <numeric>

#include "dovetail/error.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr std::uint32_t parallel_threshold = 4096;  // below this a task costs more than it brings
constexpr std::size_t copy_grain = 1 << 16;

std::uint32_t widest_axis(std::span<const TreePoint> points) {
  TreePoint low = points[0], high = points[0];
  for (const TreePoint& p : points) {
    low.x = std::min(low.x, p.x), high.x = std::max(high.x, p.x);
    low.y = std::min(low.y, p.y), high.y = std::max(high.y, p.y);
    low.z = std::min(low.z, p.z), high.z = std::max(high.z, p.z);
  }
  const float length[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
  const auto widest = std::max_element(length, length + 3);
  return *widest > 0 ? static_cast<std::uint32_t>(widest - length) : KdNode::uniform;
}

// While building, a point's `index` is its position in the caller's arrays; `Name` gives the caller's index, which
// decides between equal coordinates.
template <class Name>
class Builder {
 public:
  Builder(std::span<TreePoint> points, std::span<KdNode> nodes, int depth, Name name)
      : points_(points),
        nodes_(nodes),
        tree_{points.data(), nodes.data(), std::uint32_t(points.size()), depth},
        name_(name) {}

  void build(std::uint32_t node = 1, int node_depth = 0) {
    const SlotRange slots = tree_.slots(node, node_depth);
    const auto range = points_.subspan(slots.begin, slots.end - slots.begin);
    if (node_depth == tree_.depth) return sort_by_name(range);

    const std::uint32_t axis = widest_axis(range);
    if (axis == KdNode::uniform) {
      nodes_[node] = {range[0].x, KdNode::uniform};
      return sort_by_name(range);
    }
    const std::uint32_t middle = tree_.slots(2 * node, node_depth + 1).end - slots.begin;
    const float split = axis == 0   ? split_at<&TreePoint::x>(range, middle)
                        : axis == 1 ? split_at<&TreePoint::y>(range, middle)
                                    : split_at<&TreePoint::z>(range, middle);
    nodes_[node] = {split, axis};
    const auto left = [this, node, node_depth] { build(2 * node, node_depth + 1); };
    const auto right = [this, node, node_depth] { build(2 * node + 1, node_depth + 1); };
    if (range.size() >= parallel_threshold) {
      parallel_both(left, right);
    } else {
      left();
      right();
    }
  }

 private:
  template <float TreePoint::*Coordinate>
  float split_at(std::span<TreePoint> range, std::uint32_t middle) const {
    std::nth_element(range.begin(), range.begin() + middle, range.end(), [this](const auto& a, const auto& b) {
      return a.*Coordinate != b.*Coordinate ? a.*Coordinate < b.*Coordinate : name_(a.index) < name_(b.index);
    });
    return range[middle].*Coordinate;
  }

  // The order inside a bucket is then no matter of how the standard library partitions.
  void sort_by_name(std::span<TreePoint> range) const {
    std::sort(range.begin(), range.end(),
              [this](const auto& a, const auto& b) { return name_(a.index) < name_(b.index); });
  }

  std::span<TreePoint> points_;
  std::span<KdNode> nodes_;
  KdTreeView tree_;
  Name name_;
};

int depth_for(std::size_t count) {
  int depth = 0;
  while (((count + (std::size_t{1} << depth) - 1) >> depth) > KdTree::bucket_size) ++depth;
  return depth;
}

void require(bool good, const char* message) {
  if (!good) throw InvalidArgument(message);
}

}  // namespace

KdTree::KdTree(std::span<const float> x, std::span<const float> y, std::span<const float> z,
               std::span<const std::uint32_t> index) {
  require(x.size() == y.size() && x.size() == z.size(), "kd-tree: x, y and z must be of one length");
  points_.resize(x.size());
  parallel_for(x.size(), copy_grain, [&](std::size_t i) { points_[i] = {x[i], y[i], z[i], std::uint32_t(i)}; });
  build(index);
}

KdTree::KdTree(std::span<const Vec3f> points, std::span<const std::uint32_t> index) {
  points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points_[i] = {points[i][0], points[i][1], points[i][2], std::uint32_t(i)};
  }
  build(index);
}

void KdTree::build(std::span<const std::uint32_t> index) {
  require(points_.size() < UINT32_MAX, "kd-tree: at most 2^32 - 2 points");
  require(index.empty() || index.size() == points_.size(), "kd-tree: index must be empty or one a point");
  if (points_.empty()) return;
  depth_ = depth_for(points_.size());
  nodes_.assign(std::size_t{1} << depth_, KdNode{0, KdNode::uniform});
  if (index.empty()) {
    Builder(std::span(points_), std::span(nodes_), depth_, [](std::uint32_t i) { return i; }).build();
  } else {
    Builder(std::span(points_), std::span(nodes_), depth_, [index](std::uint32_t i) { return index[i]; }).build();
  }
  order_.resize(points_.size());
  parallel_for(points_.size(), copy_grain, [&](std::size_t slot) {
    order_[slot] = points_[slot].index;
    if (!index.empty()) points_[slot].index = index[order_[slot]];
  });
}

}  // namespace dovetail
