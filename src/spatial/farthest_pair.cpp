// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/farthest_pair.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spatial/bounds.h"

namespace dovetail {
namespace {

struct Node {
  Bounds box;
  std::size_t begin, end;
  std::size_t right;  ///< the left child follows its parent; 0 at a leaf
};

/// Boxes in boxes over the points; pairs of boxes too near to each other to hold a farther pair are passed over.
class FarthestPair {
 public:
  explicit FarthestPair(std::span<const Vec3> points) : points_(points.begin(), points.end()) {
    build(0, points_.size());
    // A good pair first spares most of the search: from the point farthest of the first one to the one farthest of it.
    Vec3 at = points_.front();
    for (int i = 0; i < 3; ++i) {
      const Vec3 from = at;
      double far = -1;
      for (const Vec3& p : points_) {
        const double d = squared_norm(p - from);
        if (d > far) far = d, at = p;
      }
      largest_ = std::max(largest_, far);
    }
    search(0, 0);
  }
  double get() const { return std::sqrt(largest_); }

 private:
  static constexpr std::size_t leaf = 8;

  void build(std::size_t begin, std::size_t end) {
    const std::size_t at = nodes_.size();
    nodes_.push_back({{}, begin, end, 0});
    for (std::size_t i = begin; i < end; ++i) nodes_[at].box.add(points_[i]);
    if (end - begin <= leaf) return;
    const Vec3 sides = nodes_[at].box.sides();
    const int axis = sides[0] >= sides[1] && sides[0] >= sides[2] ? 0 : sides[1] >= sides[2] ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto where = [&](std::size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(where(begin), where(middle), where(end),
                     [&](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    build(begin, middle);
    nodes_[at].right = nodes_.size();
    build(middle, end);
  }

  double most(std::size_t a, std::size_t b) const {
    const Bounds &p = nodes_[a].box, &q = nodes_[b].box;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double d = std::max(p.high[i] - q.low[i], q.high[i] - p.low[i]);
      sum += d * d;
    }
    return sum;
  }

  void search(std::size_t a, std::size_t b) {
    if (most(a, b) <= largest_) return;
    const Node &p = nodes_[a], &q = nodes_[b];
    if (p.right == 0 && q.right == 0) {
      for (std::size_t i = p.begin; i < p.end; ++i) {
        for (std::size_t j = q.begin; j < q.end; ++j) {
          largest_ = std::max(largest_, squared_norm(points_[i] - points_[j]));
        }
      }
      return;
    }
    const bool divide_first = q.right == 0 || (p.right != 0 && p.end - p.begin >= q.end - q.begin);
    const std::size_t parent = divide_first ? a : b, other = divide_first ? b : a;
    std::size_t near = parent + 1, far = nodes_[parent].right;
    if (most(near, other) > most(far, other)) std::swap(near, far);
    search(far, other);
    search(near, other);
  }

  std::vector<Vec3> points_;
  std::vector<Node> nodes_;
  double largest_ = 0;
};

}  // namespace

double largest_distance(std::span<const Vec3> points) { return points.empty() ? 0 : FarthestPair(points).get(); }

}  // namespace dovetail
