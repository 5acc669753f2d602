// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/piece_collision.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <algorithm>

#include "bins/piece_shape.h"

namespace dovetail::bins {

PieceCollision::PieceCollision(btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* first,
                               const btCollisionObjectWrapper* second, const CreateFunc& how)
    : btConvexConvexAlgorithm(info.m_manifold, info, first, second, how.m_pdSolver, how.m_numPerturbationIterations,
                              how.m_minimumPointsPerturbationThreshold) {
  const auto breaking = [](const btCollisionObjectWrapper* of) {
    return of->getCollisionObject()->getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold);
  };
  gap_ = std::max(breaking(first), breaking(second)) + first->getCollisionShape()->getMargin() +
         second->getCollisionShape()->getMargin();
}

bool PieceCollision::apart(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second) {
  const auto& a = static_cast<const PieceShape&>(*first->getCollisionShape());
  const auto& b = static_cast<const PieceShape&>(*second->getCollisionShape());
  const btTransform &from_a = first->getWorldTransform(), &from_b = second->getWorldTransform();
  if (along_.isZero()) along_ = from_b * b.middle() - from_a * a.middle();
  // Chung and Wang 1996: where a direction does not separate, it is mirrored away from what it does not separate.
  constexpr int looks = 4;
  for (int i = 0; i < looks; ++i) {
    const btScalar length = along_.length();
    if (!(length > 0)) return false;
    along_ /= length;
    const btVector3 nearest_a = from_a * a.localGetSupportingVertexWithoutMargin(along_ * from_a.getBasis());
    const btVector3 nearest_b = from_b * b.localGetSupportingVertexWithoutMargin(-along_ * from_b.getBasis());
    const btVector3 between = nearest_b - nearest_a;
    const btScalar distance = along_.dot(between);
    if (distance > gap_) return true;
    const btScalar square = between.length2();
    if (!(square > 0) || distance >= 0) return false;  // touching, or nearly so
    along_ -= (2 * distance / square) * between;
  }
  return false;
}

void PieceCollision::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                      const btDispatcherInfo& info, btManifoldResult* result) {
  // Contacts that have ended are let go of by what the pieces belong to.
  if (result->m_closestPointDistanceThreshold == 0 && apart(first, second)) return;
  btConvexConvexAlgorithm::processCollision(first, second, info, result);
}

btCollisionAlgorithm* PieceCollision::CreateFunc::CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                                           const btCollisionObjectWrapper* first,
                                                                           const btCollisionObjectWrapper* second) {
  void* const room = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(PieceCollision));
  return new (room) PieceCollision(info, first, second, *this);
}

}  // namespace dovetail::bins
