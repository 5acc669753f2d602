// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "dovetail/bins.h"
#include "dovetail/scanner.h"

#ifdef DOVETAIL_WITH_BULLET
#include "bins/convex_pieces.h"
#include "bins/penetration.h"

// What parts collide as, and how it is measured that they do not cross.

namespace dovetail::bins {
namespace {

TEST(Solid, of_a_box) {
  const auto triangles = triangles_of(built_in_part(BuiltInPart::box), "box");  // 90 x 60 x 40
  const Mass mass = mass_of(triangles);
  EXPECT_NEAR(mass.volume, 90 * 60 * 40, 1e-6);
  EXPECT_NEAR(norm(mass.center), 0, 1e-9);
  EXPECT_NEAR(mass.second_moments(0, 0) / mass.volume, 90 * 90 / 12.0, 1e-6);
  EXPECT_NEAR(mass.second_moments(2, 2) / mass.volume, 40 * 40 / 12.0, 1e-6);
  EXPECT_NEAR(mass.second_moments(0, 1) / mass.volume, 0, 1e-6);
}

TEST(Interior, of_every_part) {
  for (const BuiltInPart part : built_in_parts()) {
    const PointCloud mesh = built_in_part(part);
    const auto triangles = triangles_of(mesh, "part");
    const Interior interior(triangles);
    // Just inside and just outside of each face, as its normal says.
    int wrong = 0, faces = 0;
    for (const Triangle& t : triangles) {
      const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
      if (norm(normal) < 1e-9) continue;
      const Vec3 middle = (t[0] + t[1] + t[2]) * (1.0 / 3), step = normal * (1e-7 / norm(normal));
      wrong += !interior.contains(middle - step);
      ++faces;
    }
    EXPECT_EQ(wrong, 0) << to_string(part) << " of " << faces;
    EXPECT_FALSE(interior.contains({1000, 0, 0}));
    EXPECT_FALSE(interior.contains({0, 0, 1000}));
  }
  const Interior box(triangles_of(built_in_part(BuiltInPart::box), "box"));
  const auto inside = box.stretches(10, 5);  // 40 high
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_EQ(inside[0].low, -20);
  EXPECT_EQ(inside[0].high, 20);
}

TEST(ConvexPieces, a_convex_part_stays_whole) {
  const auto pieces = convex_pieces(triangles_of(built_in_part(BuiltInPart::box), "box"), 24);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, 90 * 60 * 40, 1e-6);
}

TEST(ConvexPieces, cover_every_part) {
  for (const BuiltInPart part : built_in_parts()) {
    const PointCloud mesh = built_in_part(part);
    const auto pieces = convex_pieces(triangles_of(mesh, "part"), 24);
    EXPECT_LE(pieces.size(), 24u);
    for (const Vec3& p : mesh.positions) {
      double outside = 1e300;
      for (const ConvexHull& piece : pieces) outside = std::min(outside, piece.outside(p));
      ASSERT_LT(outside, 0.02) << to_string(part);  // of about 100: the hull's arithmetic has 14 bits
    }
  }
}

TEST(ConvexPieces, follow_concave_parts) {
  const auto volume = [](const std::vector<ConvexHull>& pieces) {
    double sum = 0;
    for (const ConvexHull& piece : pieces) sum += piece.volume;
    return sum;
  };
  for (const BuiltInPart part : {BuiltInPart::t_pipe, BuiltInPart::elbow_pipe, BuiltInPart::hex_bolt}) {
    const auto triangles = triangles_of(built_in_part(part), "part");
    EXPECT_LT(volume(convex_pieces(triangles, 24)), 0.72 * volume(convex_pieces(triangles, 1))) << to_string(part);
  }
}

TEST(Penetration, of_two_cubes) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 2}};
  const Bodies bodies = make_bodies(parts, 24);
  const Body& body = bodies.bodies[0];
  const double side = 60 / bodies.unit;
  const Rigid3 here = Rigid3::identity(), beside{Mat3::identity(), {0.98 * side, 0.3 * side, 0.2 * side}};
  EXPECT_NEAR(penetration(body, here, body, beside), 0.02 * side, 1e-3 * side);
  const Rigid3 apart{Mat3::identity(), {1.001 * side, 0.3 * side, 0.2 * side}};
  EXPECT_EQ(penetration(body, here, body, apart), 0);
  const BinSize bin{3, 3, 2, 0.15, false};
  EXPECT_NEAR(penetration(body, {Mat3::identity(), {0, 0, 0.45 * side}}, bin), 0.05 * side, 1e-9);
  EXPECT_NEAR(penetration(body, {Mat3::identity(), {1.5 - 0.4 * side, 0, side}}, bin), 0.1 * side, 1e-9);
  EXPECT_EQ(penetration(body, {Mat3::identity(), {0, 0, 0.5 * side}}, bin), 0);
}

// Measured on the surface, not on the pieces: what is in a pipe's bore is not in the pipe, though a piece may span it.
TEST(Penetration, of_a_bolt_in_a_pipe) {
  const PointCloud pipe = built_in_part(BuiltInPart::t_pipe), bolt = built_in_part(BuiltInPart::hex_bolt);
  PointCloud pin = bolt;  // a tenth as thick
  for (Vec3& p : pin.positions) p = {0.1 * p[0], 0.1 * p[1], p[2]};
  const BinPart parts[] = {{&pipe, 1}, {&pin, 1}};
  const Bodies bodies = make_bodies(parts, 1);
  const auto depth_at = [&](const Vec3& shift) {
    const auto in_scene = [&](const Body& body, const Vec3& at) -> Rigid3 {
      // So that the part's own frame is the scene's, moved.
      return {body.part_from_body, (body.center + at) * (1 / bodies.unit)};
    };
    return penetration(bodies.bodies[0], in_scene(bodies.bodies[0], {}), bodies.bodies[1],
                       in_scene(bodies.bodies[1], shift));
  };
  // Along the bore of the arm in z, from its mouth; then moved aside into its wall.
  double top = 0;
  for (const Vec3& p : pipe.positions) top = std::max(top, p[2]);
  double low = 0;
  for (const Vec3& p : pin.positions) low = std::min(low, p[2]);
  EXPECT_EQ(depth_at({0, 0, top - low - 10}), 0);
  double bore = 1e300;
  for (const Vec3& p : pipe.positions) {
    if (p[2] > top - 1e-6) bore = std::min(bore, std::hypot(p[0], p[1]));
  }
  EXPECT_GT(depth_at({bore + 1, 0, top - low - 10}), 0.5 / bodies.unit);
}

// What is told of a bin would be told otherwise if parts did cross: the same poses with parts that are 3% larger.
TEST(Penetration, of_parts_that_grow_in_their_bin) {
  PointCloud pipe = built_in_part(BuiltInPart::t_pipe);
  const BinPart parts[] = {{&pipe, 8}};
  const Bin bin = simulate_bin(parts, {}, 2);
  const double unit = make_bodies(parts, 1).unit;
  const Vec3 center = make_bodies(parts, 1).bodies[0].center;
  for (Vec3& p : pipe.positions) p = center + 1.03 * (p - center);
  const Bodies grown = make_bodies(parts, 1);
  EXPECT_NEAR(grown.unit, 1.03 * unit, 1e-9 * unit);
  const Body& body = grown.bodies[0];
  const auto pose_of = [&](int i) -> Rigid3 {
    const Rigid3& pose = bin.parts[static_cast<std::size_t>(i)].scene_from_part;
    return {pose.rotation * body.part_from_body, pose * body.center * (1 / grown.unit)};
  };
  int pairs = 0, crossing = 0;
  for (const BinContact& contact : bin.contacts) {
    EXPECT_LE(contact.depth, 0.01);
    if (contact.second == BinContact::bin) continue;
    ++pairs;
    crossing += penetration(body, pose_of(contact.first), body, pose_of(contact.second)) > 0.001;
  }
  ASSERT_GT(pairs, 3);
  // Where a collar hooks behind another, growing does not bring them nearer.
  EXPECT_GE(crossing, pairs / 2) << "of " << pairs;
}

}  // namespace
}  // namespace dovetail::bins
#endif
