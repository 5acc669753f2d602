// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>

#include <cstdint>
#include <vector>

#include "bins/convex_hull.h"

namespace dovetail::bins {

/// A convex piece as Bullet collides it. Bullet's own hulls look at all corners for the one that is farthest along a
/// direction, which is what most of the time goes into where parts are round; here the way leads from corner to corner,
/// from one that is farthest along a direction nearby.
class PieceShape final : public btConvexInternalShape {
 public:
  PieceShape(const ConvexHull& hull, double margin);

  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override;
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* corners,
                                                         int count) const override;
  void getAabb(const btTransform& pose, btVector3& low, btVector3& high) const override;
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  const char* getName() const override { return "piece"; }

 private:
  static constexpr int cells = 12;  ///< along either side of each of the cube's faces that directions go through

  static int cell_of(const btVector3& direction);
  int climb(int corner, const btVector3& direction) const;

  std::vector<btVector3> corners_;
  std::vector<std::uint32_t> first_;       ///< by corner: where its neighbours begin
  std::vector<std::uint32_t> neighbours_;  ///< those an edge leads to
  std::vector<int> nearby_;                ///< by cell of directions: the corner that is farthest along its middle
  btVector3 low_, high_;                   ///< the box about it, margin included
};

}  // namespace dovetail::bins
