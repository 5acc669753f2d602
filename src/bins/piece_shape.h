// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>

#include <cstdint>
#include <vector>

#include "bins/convex_hull.h"

namespace dovetail::bins {

/// A convex piece as Bullet collides it. Bullet's own hulls look at all corners for the one that is farthest along a
/// direction, which is what most of the time goes into where parts are round; here only at the few that can be it for
/// directions nearby.
class PieceShape final : public btConvexInternalShape {
 public:
  PieceShape(const ConvexHull& hull, double margin);

  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override;
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* corners,
                                                         int count) const override;
  void getAabb(const btTransform& pose, btVector3& low, btVector3& high) const override;
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  const char* getName() const override { return "piece"; }
  btVector3 middle() const { return 0.5 * (low_ + high_); }

 private:
  /// Directions are dealt out to the cells of a square, onto which the octahedron is unfolded.
  static constexpr int cells = 16;

  static int cell_of(const btVector3& direction);
  /// The direction that lies at a place of the square, from -1 to 1 each way.
  static btVector3 direction_at(double u, double v);
  void add_farthest(const btVector3 (&bounds)[4]);

  std::vector<btVector3> corners_;
  std::vector<std::uint32_t> first_;     ///< by cell: where its corners begin
  std::vector<std::uint32_t> farthest_;  ///< cell by cell: the corners of which one is farthest, whatever the direction
  btVector3 low_, high_;                 ///< the box about it, margin included
};

}  // namespace dovetail::bins
