// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dovetail/bins.h"
#include "dovetail/error.h"
#include "dovetail/scanner.h"

// Parts that were dropped lie as parts do.

namespace dovetail::test {
namespace {

class Drop : public testing::Test {
 protected:
  void SetUp() override {
    if (!bins_available()) GTEST_SKIP() << "built without Bullet";
  }
};

PointCloud scaled(PointCloud mesh, double factor) {
  for (Vec3& p : mesh.positions) p *= factor;
  return mesh;
}

/// A ball of triangles: a cube's faces cut into squares and blown up.
PointCloud ball(double radius, int cuts) {
  PointCloud mesh;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = face % 2 == 0 ? -1 : 1;
    for (int i = 0; i < cuts; ++i) {
      for (int k = 0; k < cuts; ++k) {
        const auto first = static_cast<std::uint32_t>(mesh.size());
        for (const auto& [di, dk] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
          Vec3 p{};
          p[axis] = side;
          p[u] = std::tan(M_PI / 4 * (2.0 * (i + di) / cuts - 1));
          p[v] = std::tan(M_PI / 4 * (2.0 * (k + dk) / cuts - 1));
          mesh.positions.push_back(p * (radius / norm(p)));
        }
        if (side > 0) {
          mesh.faces.add({first, first + 1, first + 2, first + 3});
        } else {
          mesh.faces.add({first, first + 3, first + 2, first + 1});
        }
      }
    }
  }
  return mesh;
}

double lowest(const PointCloud& mesh, const Rigid3& pose) {
  double low = 1e300;
  for (const Vec3& p : mesh.positions) low = std::min(low, (pose * p)[2]);
  return low;
}

bool same_bits(const Bin& a, const Bin& b) {
  if (a.parts.size() != b.parts.size() || a.steps != b.steps || a.deepest != b.deepest) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const RestingPart &p = a.parts[i], &q = b.parts[i];
    if (p.part != q.part || !(p.scene_from_part.rotation == q.scene_from_part.rotation) ||
        !(p.scene_from_part.translation == q.scene_from_part.translation)) {
      return false;
    }
  }
  return true;
}

TEST_F(Drop, a_cube_rests_on_a_face) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);  // 60 a side, about its middle
  BinOptions options;
  options.plane = true;
  const BinPart parts[] = {{&cube, 1}};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Bin bin = simulate_bin(parts, options, seed);
    ASSERT_EQ(bin.parts.size(), 1u);
    EXPECT_TRUE(bin.at_rest);
    const Rigid3& pose = bin.parts[0].scene_from_part;
    // Which of its axes stands upright does not matter.
    const double upright =
        std::max({std::fabs(pose.rotation(2, 0)), std::fabs(pose.rotation(2, 1)), std::fabs(pose.rotation(2, 2))});
    EXPECT_GT(upright, std::cos(0.005)) << "within 0.3 degrees";
    // The skin of the simulation is a thousandth of the diameter of 104.
    EXPECT_NEAR(pose.translation[2], 30, 0.2);
    ASSERT_EQ(bin.contacts.size(), 1u);
    EXPECT_EQ(bin.contacts[0].second, BinContact::bin);
    EXPECT_LE(bin.deepest, 0.002);
  }
}

TEST_F(Drop, balls_rest_at_their_radius) {
  const PointCloud mesh = ball(25, 10);
  const BinPart parts[] = {{&mesh, 4}};
  BinOptions options;
  options.plane = true;
  const Bin bin = simulate_bin(parts, options, 5);
  EXPECT_TRUE(bin.at_rest);
  ASSERT_EQ(bin.parts.size(), 4u);
  // A facet's middle is 0.16 nearer to the centre than its corners: 25 (1 − cos(9°/√2)).
  for (const RestingPart& part : bin.parts) EXPECT_NEAR(part.scene_from_part.translation[2], 25, 0.3);
}

TEST_F(Drop, pipes_stay_in_the_bin_and_out_of_each_other) {
  const PointCloud pipe = built_in_part(BuiltInPart::t_pipe);
  const BinPart parts[] = {{&pipe, 10}};
  const Bin bin = simulate_bin(parts, {}, 7);
  EXPECT_EQ(bin.dropped, 10);
  EXPECT_EQ(static_cast<int>(bin.parts.size()) + bin.fell_out + bin.restless + bin.too_deep, 10);
  EXPECT_GE(bin.parts.size(), 9u);
  EXPECT_TRUE(bin.at_rest);
  EXPECT_LE(bin.deepest, 0.01);
  EXPECT_GE(bin.contacts.size(), bin.parts.size()) << "every part lies on something";
  double diameter = 0;
  for (const Vec3& a : pipe.positions) {
    for (const Vec3& b : pipe.positions) diameter = std::max(diameter, norm(a - b));
  }
  for (const RestingPart& part : bin.parts) {
    EXPECT_GT(lowest(pipe, part.scene_from_part), -0.01 * diameter);
    for (const Vec3& p : pipe.positions) {
      const Vec3 at = part.scene_from_part * p;
      if (at[2] > bin.height) continue;
      EXPECT_LT(std::fabs(at[0]), 0.5 * bin.length + 0.01 * diameter);
      EXPECT_LT(std::fabs(at[1]), 0.5 * bin.width + 0.01 * diameter);
    }
  }
}

// Nuts used to tremble for ever, and mugs to fall out of bins that were too small for what is hollow.
TEST_F(Drop, nuts_rest_and_mugs_stay_in) {
  for (const auto& [kind, count] : {std::pair{BuiltInPart::hex_nut, 20}, {BuiltInPart::mug, 10}}) {
    const PointCloud mesh = built_in_part(kind);
    const BinPart parts[] = {{&mesh, count}};
    for (const Bin& bin : simulate_bins(parts, 2, {}, 10)) {
      EXPECT_TRUE(bin.at_rest);
      EXPECT_EQ(bin.parts.size(), static_cast<std::size_t>(count)) << to_string(kind) << ", seed " << bin.seed;
      EXPECT_LE(bin.deepest, 0.01);
    }
  }
}

TEST_F(Drop, whatever_rests_touches_something) {
  const PointCloud bolt = built_in_part(BuiltInPart::hex_bolt);
  const BinPart parts[] = {{&bolt, 12}};
  const Bin bin = simulate_bin(parts, {}, 21);
  ASSERT_TRUE(bin.at_rest);
  // Every part is held up by the floor or by another: it has a contact.
  for (std::size_t i = 0; i < bin.parts.size(); ++i) {
    const auto holds = [&](const BinContact& c) {
      return c.first == static_cast<int>(i) || c.second == static_cast<int>(i);
    };
    EXPECT_TRUE(std::any_of(bin.contacts.begin(), bin.contacts.end(), holds)) << i;
  }
}

TEST_F(Drop, seeds_differ_and_threads_do_not_matter) {
  const PointCloud bolt = built_in_part(BuiltInPart::hex_bolt), nut = built_in_part(BuiltInPart::hex_nut);
  const BinPart parts[] = {{&bolt, 3}, {&nut, 2}};
  BinRun one, two;
  one.threads = 1, two.threads = 2;
  double last = 0;
  two.on_progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
  };
  const std::vector<Bin> a = simulate_bins(parts, 2, {}, 11, one), b = simulate_bins(parts, 2, {}, 11, two);
  EXPECT_EQ(last, 1);
  ASSERT_EQ(a.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << i;
  EXPECT_FALSE(same_bits(a[0], a[1]));
  EXPECT_TRUE(same_bits(simulate_bin(parts, {}, 12), a[1])) << "a bin is its seed's, not its place's";
}

// The simulation's unit is the part: metres and millimetres are the same but for rounding, which piles up in a fall.
TEST_F(Drop, units_do_not_matter) {
  const PointCloud large = built_in_part(BuiltInPart::cube), small = scaled(large, 1.0 / 1024);
  BinOptions options;
  options.plane = true;
  const BinPart in_mm[] = {{&large, 1}}, in_m[] = {{&small, 1}};
  const Bin a = simulate_bin(in_mm, options, 3), b = simulate_bin(in_m, options, 3);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  EXPECT_NEAR(a.parts[0].scene_from_part.translation[2], 1024 * b.parts[0].scene_from_part.translation[2], 1e-6);
  EXPECT_NEAR(a.length, 1024 * b.length, 1e-9);
}

// A face that is turned would take its share of the volume away instead of adding it, one that is there twice add it
// twice.
TEST_F(Drop, a_broken_mesh_falls_as_the_sound_one) {
  const PointCloud sound = built_in_part(BuiltInPart::box);
  PointCloud broken = sound;
  const auto corners = [&](std::size_t face) {
    return std::span(broken.faces.index)
        .subspan(broken.faces.start[face], broken.faces.start[face + 1] - broken.faces.start[face]);
  };
  const std::vector<std::uint32_t> again(corners(1).begin(), corners(1).end());
  std::reverse(corners(0).begin(), corners(0).end());
  broken.faces.index.insert(broken.faces.index.end(), again.begin(), again.end());
  broken.faces.start.push_back(static_cast<std::uint32_t>(broken.faces.index.size()));
  BinOptions options;
  options.plane = true;
  const BinPart parts[] = {{&sound, 1}}, others[] = {{&broken, 1}};
  const Bin a = simulate_bin(parts, options, 4), b = simulate_bin(others, options, 4);
  ASSERT_EQ(a.parts.size(), 1u);
  ASSERT_EQ(b.parts.size(), 1u);
  // Sums over triangles in another order differ in their last digits, which piles up in a fall.
  EXPECT_NEAR(norm(a.parts[0].scene_from_part.translation - b.parts[0].scene_from_part.translation), 0, 1e-6);
}

TEST_F(Drop, what_cannot_be_dropped_is_refused) {
  const auto refusal = [](const BinPart& part, const BinOptions& options) -> std::string {
    try {
      simulate_bin(std::span(&part, 1), options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  BinOptions small;
  small.length = 100;  // its diameter is 104
  EXPECT_NE(refusal({&cube, 1}, small).find("length"), std::string::npos) << refusal({&cube, 1}, small);
  PointCloud flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  EXPECT_NE(refusal({&flat, 1}, {}).find("no faces"), std::string::npos);
  flat.faces.add({0, 1, 2, 3});
  EXPECT_NE(refusal({&flat, 1}, {}).find("no volume"), std::string::npos);
  EXPECT_NE(refusal({&cube, 0}, {}).find("nothing to drop"), std::string::npos);
  EXPECT_NE(refusal({&cube, -1}, {}).find("-1"), std::string::npos);
  BinOptions wrong;
  wrong.friction = -1;
  EXPECT_NE(refusal({&cube, 1}, wrong).find("friction"), std::string::npos);
  EXPECT_THROW(simulate_bin({}, {}), InvalidArgument);
}

TEST_F(Drop, cancelled_bins_say_so) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);
  const BinPart parts[] = {{&cube, 3}};
  const std::atomic<bool> stop = true;
  BinRun run;
  run.cancel = &stop;
  EXPECT_FALSE(simulate_bin(parts, {}, 0, run).at_rest);
}

}  // namespace
}  // namespace dovetail::test
