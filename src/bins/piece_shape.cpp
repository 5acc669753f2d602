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
  std::vector<std::vector<std::uint32_t>> neighbours(corners_.size());
  for (const auto& [a, b] : hull.edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  first_.push_back(0);
  for (const auto& of_corner : neighbours) {
    neighbours_.insert(neighbours_.end(), of_corner.begin(), of_corner.end());
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }
  for (int face = 0; face < 6; ++face) {
    for (int row = 0; row < cells; ++row) {
      for (int column = 0; column < cells; ++column) {
        btVector3 middle;
        const int axis = face / 2;
        middle[axis] = face % 2 == 0 ? 1 : -1;
        middle[(axis + 1) % 3] = (2.0 * column + 1) / cells - 1;
        middle[(axis + 2) % 3] = (2.0 * row + 1) / cells - 1;
        int best = 0;
        for (int i = 1; i < static_cast<int>(corners_.size()); ++i) {
          if (corners_[static_cast<std::size_t>(i)].dot(middle) > corners_[static_cast<std::size_t>(best)].dot(middle))
            best = i;
        }
        nearby_.push_back(best);
      }
    }
  }
}

int PieceShape::cell_of(const btVector3& direction) {
  const int axis = direction.absolute().maxAxis();
  const btScalar along = direction[axis];
  const btScalar scale = 0.5 * cells / (std::fabs(along) > 0 ? std::fabs(along) : 1);
  const auto place = [&](btScalar across) {
    return std::clamp(static_cast<int>(0.5 * cells + scale * across), 0, cells - 1);
  };
  const int face = 2 * axis + (along < 0 ? 1 : 0);
  return (face * cells + place(direction[(axis + 2) % 3])) * cells + place(direction[(axis + 1) % 3]);
}

int PieceShape::climb(int corner, const btVector3& direction) const {
  btScalar best = corners_[static_cast<std::size_t>(corner)].dot(direction);
  for (bool higher = true; higher;) {
    higher = false;
    const auto at = static_cast<std::size_t>(corner);
    for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k) {
      const btScalar far = corners_[neighbours_[k]].dot(direction);
      if (far > best) best = far, corner = static_cast<int>(neighbours_[k]), higher = true;
    }
  }
  return corner;
}

btVector3 PieceShape::localGetSupportingVertexWithoutMargin(const btVector3& direction) const {
  return corners_[static_cast<std::size_t>(climb(nearby_[static_cast<std::size_t>(cell_of(direction))], direction))];
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
