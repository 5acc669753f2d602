// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/piece_shape.h"

#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

namespace dovetail::bins {

PieceShape::PieceShape(const ConvexHull& hull, double margin) {
  m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  setMargin(margin);
  low_.setValue(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
  high_ = -low_;
  for (const Vec3& c : hull.corners) {
    corners_.emplace_back(c[0], c[1], c[2]);
    low_.setMin(corners_.back());
    high_.setMax(corners_.back());
  }
  const btVector3 skin(margin, margin, margin);
  low_ -= skin, high_ += skin;
  const auto place = [](int line) { return 2.0 * line / cells - 1; };
  first_.push_back(0);
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      add_farthest({direction_at(place(column), place(row)), direction_at(place(column + 1), place(row)),
                    direction_at(place(column), place(row + 1)), direction_at(place(column + 1), place(row + 1))});
      first_.push_back(static_cast<std::uint32_t>(farthest_.size()));
    }
  }
}

/// The directions of a cell lie between four: a corner that is behind one and the same other along all four of them is
/// behind it along every direction between.
void PieceShape::add_farthest(const btVector3 (&bounds)[4]) {
  const btScalar safe = 1e-12 * (high_ - low_).length();
  for (std::uint32_t i = 0; i < corners_.size(); ++i) {
    const auto beats = [&](const btVector3& other) {
      return std::all_of(std::begin(bounds), std::end(bounds),
                         [&](const btVector3& along) { return (other - corners_[i]).dot(along) > safe; });
    };
    if (std::none_of(corners_.begin(), corners_.end(), beats)) farthest_.push_back(i);
  }
}

btVector3 PieceShape::direction_at(double u, double v) {
  const double z = 1 - std::fabs(u) - std::fabs(v);
  if (z >= 0) return {u, v, z};
  return {std::copysign(1 - std::fabs(v), u), std::copysign(1 - std::fabs(u), v), z};
}

int PieceShape::cell_of(const btVector3& direction) {
  const double x = direction.x(), y = direction.y();
  const double sum = std::fabs(x) + std::fabs(y) + std::fabs(direction.z());
  const double scale = sum > 0 ? 1 / sum : 0;
  double u = scale * x, v = scale * y;
  if (direction.z() < 0) {
    const double folded = std::copysign(1 - std::fabs(v), u);
    v = std::copysign(1 - std::fabs(u), v);
    u = folded;
  }
  const auto line = [](double at) {
    return std::min(static_cast<int>(0.5 * cells * std::max(0.0, at + 1)), cells - 1);
  };
  return line(v) * cells + line(u);
}

btVector3 PieceShape::localGetSupportingVertexWithoutMargin(const btVector3& direction) const {
  const auto cell = static_cast<std::size_t>(cell_of(direction));
  std::uint32_t best = farthest_[first_[cell]];
  btScalar most = corners_[best].dot(direction);
  for (std::uint32_t k = first_[cell] + 1; k < first_[cell + 1]; ++k) {
    const btScalar far = corners_[farthest_[k]].dot(direction);
    if (far > most) most = far, best = farthest_[k];
  }
  return corners_[best];
}

void PieceShape::batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* corners,
                                                                   int count) const {
  for (int i = 0; i < count; ++i) corners[i] = localGetSupportingVertexWithoutMargin(directions[i]);
}

void PieceShape::getAabb(const btTransform& pose, btVector3& low, btVector3& high) const {
  btTransformAabb(low_, high_, 0, pose, low, high);
}

void PieceShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
  const btVector3 side = high_ - low_;
  inertia.setValue(side.y() * side.y() + side.z() * side.z(), side.x() * side.x() + side.z() * side.z(),
                   side.x() * side.x() + side.y() * side.y());
  inertia *= mass / 12;
}

}  // namespace dovetail::bins
