// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/shift_votes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dovetail {

namespace {

constexpr float facing_alike = 0.9f;  // cosine between normals of points that vote
constexpr double most_cells = 16e6;

struct Box3f {
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
};

Box3f box_of(const std::vector<gpicp::OrientedPoint>& points) {
  Box3f box;
  for (const gpicp::OrientedPoint& p : points) {
    for (int a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], p.point[a]), box.high[a] = std::max(box.high[a], p.point[a]);
    }
  }
  return box;
}

std::vector<gpicp::OrientedPoint> rotated(const std::vector<gpicp::OrientedPoint>& points, const Mat3& rotation) {
  const FloatPose turn(Similarity3{rotation, {}, 1.0});
  std::vector<gpicp::OrientedPoint> moved(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const gpicp::OrientedPoint& p = points[i];
    turn.rotate(p.point[0], p.point[1], p.point[2], moved[i].point);
    turn.rotate(p.normal[0], p.normal[1], p.normal[2], moved[i].normal);
  }
  return moved;
}

/// Votes for shifts, counted in cells. A block is eight cells that meet in a corner: what falls on both sides of a
/// cell's border is counted together.
class VoteGrid {
 public:
  VoteGrid(const Box3f& source, const Box3f& target, double cell) : cell_(cell) {
    for (;; cell_ *= 2) {
      double all = 1;
      for (int a = 0; a < 3; ++a) {
        const double wide =
            double{target.high[a]} - double{target.low[a]} + double{source.high[a]} - double{source.low[a]};
        cells_[a] = static_cast<std::size_t>(wide / cell_) + 4;
        all *= static_cast<double>(cells_[a]);
      }
      if (all < most_cells) break;
    }
    for (int a = 0; a < 3; ++a) origin_[a] = target.low[a] - source.high[a] - static_cast<float>(1.5 * cell_);
    per_cell_ = static_cast<float>(1 / cell_);
    votes_.assign(cells_[0] * cells_[1] * cells_[2], 0);
  }

  void add(const float* from, const float* onto) {
    std::size_t at[3];
    for (int a = 0; a < 3; ++a) {
      const float offset = (onto[a] - from[a] - origin_[a]) * per_cell_;
      at[a] = std::min(cells_[a] - 2, static_cast<std::size_t>(std::max(0.0f, offset)));
    }
    ++votes_[index(at[0], at[1], at[2])];
  }

  /// The blocks with most votes, no two of them side by side.
  std::vector<Vec3> peaks(std::size_t most) const {
    const std::vector<std::uint32_t> blocks = count_blocks();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i] > 1) order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return blocks[a] != blocks[b] ? blocks[a] > blocks[b] : a < b; });
    std::vector<char> beside(blocks.size(), 0);
    std::vector<Vec3> shifts;
    for (const std::size_t block : order) {
      if (shifts.size() >= most) break;
      if (beside[block] != 0) continue;
      shifts.push_back(middle_of(block));
      const std::size_t x = block % cells_[0], y = block / cells_[0] % cells_[1], z = block / (cells_[0] * cells_[1]);
      for (std::size_t k = 0; k < 27; ++k) beside[index(x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1)] = 1;
    }
    return shifts;
  }

 private:
  std::size_t index(std::size_t x, std::size_t y, std::size_t z) const { return (z * cells_[1] + y) * cells_[0] + x; }

  template <class Body>
  void for_inner(const Body& body) const {
    for (std::size_t z = 1; z + 1 < cells_[2]; ++z) {
      for (std::size_t y = 1; y + 1 < cells_[1]; ++y) {
        for (std::size_t x = 1; x + 1 < cells_[0]; ++x) body(x, y, z);
      }
    }
  }

  std::size_t cell_of_block(std::size_t block, std::size_t k) const {
    return block + (k & 1) + (k >> 1 & 1) * cells_[0] + (k >> 2) * cells_[0] * cells_[1];
  }

  std::vector<std::uint32_t> count_blocks() const {
    std::vector<std::uint32_t> blocks(votes_.size(), 0);
    for_inner([&](std::size_t x, std::size_t y, std::size_t z) {
      const std::size_t block = index(x, y, z);
      for (std::size_t k = 0; k < 8; ++k) blocks[block] += votes_[cell_of_block(block, k)];
    });
    return blocks;
  }

  /// The mean of a block's votes, to the cell's centre each.
  Vec3 middle_of(std::size_t block) const {
    Vec3 sum{};
    double all = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t i = cell_of_block(block, k);
      const std::size_t at[3] = {i % cells_[0], i / cells_[0] % cells_[1], i / (cells_[0] * cells_[1])};
      const double votes = votes_[i];
      for (int a = 0; a < 3; ++a) sum[a] += votes * (double{origin_[a]} + (static_cast<double>(at[a]) + 0.5) * cell_);
      all += votes;
    }
    return (1 / all) * sum;
  }

  double cell_;
  float per_cell_ = 0;
  float origin_[3];
  std::size_t cells_[3];
  std::vector<std::uint32_t> votes_;
};

}  // namespace

std::vector<Vec3> voted_shifts(const Mat3& rotation, const FacingPoints& source, const FacingPoints& target,
                               const ShiftVotes& settings) {
  if (source.points.empty() || target.points.empty()) return {};
  const std::vector<gpicp::OrientedPoint> moved = rotated(source.points, rotation);
  VoteGrid grid(box_of(moved), box_of(target.points), settings.cell);
  for (const gpicp::OrientedPoint& p : moved) {
    for (const gpicp::OrientedPoint& q : target.points) {
      const float c = p.normal[0] * q.normal[0] + p.normal[1] * q.normal[1] + p.normal[2] * q.normal[2];
      if ((source.one_sided ? c : std::fabs(c)) > facing_alike) grid.add(p.point, q.point);
    }
  }
  std::vector<Vec3> shifts = grid.peaks(settings.most);
  for (Vec3& s : shifts) {
    if (source.dimension == 2) s[2] = 0;
  }
  return shifts;
}

}  // namespace dovetail
