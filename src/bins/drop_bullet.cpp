// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <set>

#include "bins/drop.h"
#include "bins/piece_collision.h"
#include "bins/piece_shape.h"

namespace dovetail::bins {
namespace {

/// A skin about each convex piece, as a share of the part's diameter: so far apart are surfaces that rest on another.
constexpr double skin = 0.001;

btVector3 to_bullet(const Vec3& v) { return {v[0], v[1], v[2]}; }

btTransform to_bullet(const Rigid3& pose) {
  const Mat3& r = pose.rotation;
  return btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                     to_bullet(pose.translation));
}

Rigid3 from_bullet(const btTransform& pose) {
  const btMatrix3x3 r(pose.getRotation().normalized());
  const btVector3& t = pose.getOrigin();
  Rigid3 result = Rigid3::identity();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) result.rotation(i, k) = r[i][k];
  }
  result.translation = {t.x(), t.y(), t.z()};
  return result;
}

/// How much room Bullet keeps at hand for what collides two pieces: without it every pair is allocated.
btDefaultCollisionConstructionInfo with_room_for_pieces() {
  btDefaultCollisionConstructionInfo info;
  info.m_customCollisionAlgorithmMaxElementSize = sizeof(PieceCollision);
  return info;
}

/// What a kind of part collides as.
struct Shape {
  std::vector<std::unique_ptr<PieceShape>> pieces;
  std::unique_ptr<btCompoundShape> whole;

  explicit Shape(const Body& body) : whole(std::make_unique<btCompoundShape>()) {
    for (const ConvexHull& hull : body.pieces) {
      auto piece = std::make_unique<PieceShape>(hull, skin * body.diameter);
      whole->addChildShape(btTransform::getIdentity(), piece.get());
      pieces.push_back(std::move(piece));
    }
    whole->setMargin(skin * body.diameter);
  }
};

}  // namespace

struct DropWorld::World {
  const Bodies& bodies;
  const BinOptions& options;
  btDefaultCollisionConfiguration configuration{with_room_for_pieces()};
  btGjkEpaPenetrationDepthSolver depth_solver;
  PieceCollision::CreateFunc piece_collision{&depth_solver};
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<Shape> shapes;
  std::vector<std::unique_ptr<btCollisionShape>> bin_shapes;
  std::vector<std::unique_ptr<btRigidBody>> bin;
  std::vector<std::unique_ptr<btRigidBody>> parts;  ///< by number; none where it was removed
  std::vector<std::size_t> kinds;                   ///< by number
  std::vector<int> present;

  World(const Bodies& all, const BinSize& size, const BinOptions& how) : bodies(all), options(how) {
    constexpr int piece = CUSTOM_CONVEX_SHAPE_TYPE;
    dispatcher.registerCollisionCreateFunc(piece, piece, &piece_collision);
    dispatcher.registerClosestPointsCreateFunc(piece, piece, &piece_collision);
    world.setGravity({0, 0, -9.81});
    world.setForceUpdateAllAabbs(false);
    btContactSolverInfo& info = world.getSolverInfo();
    info.m_numIterations = 60;
    // What overlaps is pushed apart without gaining speed by it, however little it is.
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_erp2 = 0.4;
    // With one direction of friction parts tremble and creep for ever: of ten bolts in a bin eight never rested.
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (const Body& body : bodies.bodies) shapes.emplace_back(body);
    add_bin(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0), {});
    if (size.plane) return;
    const double x = 0.5 * size.length, y = 0.5 * size.width, z = 0.5 * size.height, w = 0.5 * size.wall;
    for (const double side : {-1.0, 1.0}) {
      add_bin(std::make_unique<btBoxShape>(btVector3(w, y + 2 * w, z)), {side * (x + w), 0, z});
      add_bin(std::make_unique<btBoxShape>(btVector3(x + 2 * w, w, z)), {0, side * (y + w), z});
    }
  }

  ~World() {
    for (const auto& part : parts) {
      if (part) world.removeRigidBody(part.get());
    }
    for (const auto& body : bin) world.removeRigidBody(body.get());
  }

  void add_bin(std::unique_ptr<btCollisionShape> shape, const Vec3& at) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape.get());
    info.m_startWorldTransform = to_bullet(Rigid3{Mat3::identity(), at});
    auto body = std::make_unique<btRigidBody>(info);
    set_surface(*body);
    body->setUserIndex(BinContact::bin);
    world.addRigidBody(body.get());
    bin_shapes.push_back(std::move(shape));
    bin.push_back(std::move(body));
  }

  void set_surface(btRigidBody& body) const {
    // Bullet multiplies the two coefficients of a contact.
    body.setFriction(std::sqrt(options.friction));
    body.setRestitution(std::sqrt(options.restitution));
  }
};

DropWorld::DropWorld(const Bodies& bodies, const BinSize& size, const BinOptions& options)
    : world_(std::make_unique<World>(bodies, size, options)) {}
DropWorld::~DropWorld() = default;

int DropWorld::add(std::size_t kind, const Rigid3& scene_from_body) {
  const Body& body = world_->bodies.bodies[kind];
  btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, world_->shapes[kind].whole.get(),
                                                to_bullet(body.inertia));
  info.m_startWorldTransform = to_bullet(scene_from_body);
  auto rigid = std::make_unique<btRigidBody>(info);
  world_->set_surface(*rigid);
  // Round parts roll on in theory for ever.
  rigid->setRollingFriction(0.003 * body.diameter);
  rigid->setSpinningFriction(0.003 * body.diameter);
  rigid->setDamping(0.05, 0.1);
  rigid->setActivationState(DISABLE_DEACTIVATION);
  // Else friction acts on speeds alone, and parts creep: of 120 T-pipes three never rested, and the rest took twice as
  // long.
  rigid->setCollisionFlags(rigid->getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
  const int number = static_cast<int>(world_->parts.size());
  rigid->setUserIndex(number);
  world_->world.addRigidBody(rigid.get());
  world_->parts.push_back(std::move(rigid));
  world_->kinds.push_back(kind);
  world_->present.push_back(number);
  return number;
}

void DropWorld::remove(int number) {
  auto& part = world_->parts[static_cast<std::size_t>(number)];
  world_->world.removeRigidBody(part.get());
  part.reset();
  std::erase(world_->present, number);
}

void DropWorld::step() { world_->world.stepSimulation(world_->options.time_step, 0, world_->options.time_step); }

void DropWorld::set_damping(double linear, double angular) {
  for (const int number : world_->present) {
    world_->parts[static_cast<std::size_t>(number)]->setDamping(linear, angular);
  }
}

const std::vector<int>& DropWorld::present() const { return world_->present; }
std::size_t DropWorld::body_of(int number) const { return world_->kinds[static_cast<std::size_t>(number)]; }
Rigid3 DropWorld::pose(int number) const {
  return from_bullet(world_->parts[static_cast<std::size_t>(number)]->getWorldTransform());
}
double DropWorld::speed(int number) const {
  const btRigidBody& part = *world_->parts[static_cast<std::size_t>(number)];
  return part.getLinearVelocity().length() +
         part.getAngularVelocity().length() * world_->bodies.bodies[body_of(number)].radius;
}
void DropWorld::set_asleep(int number, bool asleep) {
  btRigidBody& part = *world_->parts[static_cast<std::size_t>(number)];
  const Body& body = world_->bodies.bodies[body_of(number)];
  part.setMassProps(asleep ? 0 : body.mass, asleep ? btVector3(0, 0, 0) : to_bullet(body.inertia));
  part.updateInertiaTensor();
  part.setLinearVelocity({0, 0, 0});
  part.setAngularVelocity({0, 0, 0});
  part.forceActivationState(asleep ? ISLAND_SLEEPING : DISABLE_DEACTIVATION);
}
bool DropWorld::asleep(int number) const { return world_->parts[static_cast<std::size_t>(number)]->isStaticObject(); }
Bounds DropWorld::box(int number) const {
  btVector3 low, high;
  world_->parts[static_cast<std::size_t>(number)]->getAabb(low, high);
  Bounds box;
  box.add({low.x(), low.y(), low.z()});
  box.add({high.x(), high.y(), high.z()});
  return box;
}

std::vector<std::pair<int, int>> DropWorld::touching(double gap) const {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < world_->dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold* const manifold = world_->dispatcher.getManifoldByIndexInternal(i);
    bool touch = false;
    for (int k = 0; k < manifold->getNumContacts(); ++k) touch |= manifold->getContactPoint(k).getDistance() <= gap;
    if (!touch) continue;
    const int a = manifold->getBody0()->getUserIndex(), b = manifold->getBody1()->getUserIndex();
    if (a == BinContact::bin || b == BinContact::bin) {
      pairs.insert({std::max(a, b), BinContact::bin});
    } else {
      pairs.insert({std::min(a, b), std::max(a, b)});
    }
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace dovetail::bins
