// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>

namespace dovetail::bins {

/// Two convex pieces as Bullet collides them, but for those that are known to be apart. Most pairs whose boxes overlap
/// do not touch, and a plane that separated them at the last step mostly still does: to see that takes two looks.
class PieceCollision final : public btConvexConvexAlgorithm {
 public:
  struct CreateFunc;
  PieceCollision(btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* first,
                 const btCollisionObjectWrapper* second, const CreateFunc& how);

  void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                        const btDispatcherInfo& info, btManifoldResult* result) override;

 private:
  /// Looks for a direction along which the two are farther from each other than that.
  bool apart(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second);

  btScalar gap_;              ///< from which on Bullet makes no contact
  btVector3 along_{0, 0, 0};  ///< the last such direction, in the scene, from the first to the second
};

struct PieceCollision::CreateFunc final : btConvexConvexAlgorithm::CreateFunc {
  using btConvexConvexAlgorithm::CreateFunc::CreateFunc;
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper* first,
                                                 const btCollisionObjectWrapper* second) override;
};

}  // namespace dovetail::bins
