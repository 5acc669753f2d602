// SPDX-License-Identifier: MIT
// Part of Dovetail.

#ifdef DOVETAIL_WITH_BULLET

#include "bins/piece_collision.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <btBulletCollisionCommon.h>
#include <gtest/gtest.h>

#include <vector>

#include "bins/piece_shape.h"
#include "core/random.h"

namespace dovetail::bins {
namespace {

/// Two pieces that move past each other, as parts of bodies, and what touches.
class Pair {
 public:
  Pair(const ConvexHull& a, const ConvexHull& b, bool by_ours) : pieces_{{a, 0.001}, {b, 0.001}} {
    if (by_ours) dispatcher_.registerCollisionCreateFunc(CUSTOM_CONVEX_SHAPE_TYPE, CUSTOM_CONVEX_SHAPE_TYPE, &ours_);
    for (std::size_t i = 0; i < 2; ++i) {
      wholes_[i].addChildShape(btTransform::getIdentity(), &pieces_[i]);
      objects_[i].setCollisionShape(&wholes_[i]);
      world_.addCollisionObject(&objects_[i]);
    }
  }
  ~Pair() {
    for (btCollisionObject& object : objects_) world_.removeCollisionObject(&object);
  }

  /// Distances of all contacts.
  std::vector<double> look(const btTransform& first, const btTransform& second) {
    objects_[0].setWorldTransform(first), objects_[1].setWorldTransform(second);
    world_.performDiscreteCollisionDetection();
    std::vector<double> distances;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold.getNumContacts(); ++k) {
        distances.push_back(manifold.getContactPoint(k).getDistance());
      }
    }
    return distances;
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btGjkEpaPenetrationDepthSolver depth_;
  PieceCollision::CreateFunc ours_{&depth_};
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
  PieceShape pieces_[2];
  btCompoundShape wholes_[2];
  btCollisionObject objects_[2];
};

ConvexHull random_hull(RandomStream& random, int corners) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) points.push_back(random.uniform(0.3, 0.5) * (random.rotation() * Vec3{1, 0, 0}));
  return convex_hull(points);
}

btTransform placed(RandomStream& random, const Vec3& at) {
  const Mat3 r = random.rotation();
  return btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                     btVector3(at[0], at[1], at[2]));
}

// Step by step, for the direction that separated at the last step is tried first.
TEST(PieceCollision, what_touches_is_what_bullet_says) {
  RandomStream random(7, 0);
  int touching = 0, near_misses = 0;
  for (int pair = 0; pair < 60; ++pair) {
    const ConvexHull a = random_hull(random, 30), b = random_hull(random, 12);
    Pair ours(a, b, true), bullets(a, b, false);
    btTransform first = placed(random, {0, 0, 0}), second = placed(random, {});
    const double aside = random.uniform(0, 1);
    for (int step = 0; step < 60; ++step) {
      second.setOrigin(btVector3(1.2 - 0.04 * step, aside, 0));
      first.setRotation(btQuaternion(btVector3(0, 0.6, 0.8), 0.05) * first.getRotation());
      const std::vector<double> found = ours.look(first, second), expected = bullets.look(first, second);
      ASSERT_EQ(found.size(), expected.size()) << "pair " << pair << ", step " << step;
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
      touching += !expected.empty();
      near_misses += expected.empty() && second.getOrigin().length() < 1;
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(near_misses, 300) << "boxes that overlap";
}

}  // namespace
}  // namespace dovetail::bins

#endif
