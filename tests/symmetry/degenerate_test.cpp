// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <limits>

#include "dovetail/dovetail.h"
#include "symmetry/symmetry_parts.h"

namespace dovetail::test {
namespace {

PointCloud points(std::vector<Vec3> positions) {
  PointCloud cloud;
  cloud.positions = std::move(positions);
  return cloud;
}

std::string refusal(const PointCloud& part, const SymmetryOptions& options = {}) {
  try {
    find_symmetry(part, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

void expect_finite(const Symmetry& s) {
  for (const Transform& t : s.rotations) {
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(t.matrix[i]));
  }
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(s.center[i]));
  EXPECT_TRUE(std::isfinite(s.deviation) && std::isfinite(s.diameter) && std::isfinite(s.radius));
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(SymmetryOfLittle, NothingIsRefused) {
  EXPECT_NE(refusal(points({})).find("none of its 0 points is finite"), std::string::npos) << refusal(points({}));
  EXPECT_NE(refusal(points({{nan, 0, 0}, {0, nan, 1}})).find("none of its 2 points"), std::string::npos);
  PointCloud planar = points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  planar.dimension = 2;
  EXPECT_NE(refusal(planar).find("2 dimensions"), std::string::npos);
  EXPECT_NE(refusal(cube(), {.tolerance = -1}).find("tolerance"), std::string::npos);
  EXPECT_NE(refusal(cube(), {.max_order = 1}).find("max_order"), std::string::npos);
}

TEST(SymmetryOfLittle, OnePointIsASphere) {
  for (const PointCloud& part : {points({{3, 4, 5}}), points({{3, 4, 5}, {3, 4, 5}})}) {
    const Symmetry s = find_symmetry(part);
    EXPECT_EQ(s.kind, SymmetryKind::sphere);
    EXPECT_EQ(s.center, (Vec3{3, 4, 5}));
    EXPECT_EQ(s.diameter, 0);
    expect_finite(s);
  }
}

TEST(SymmetryOfLittle, PointsOnALineTurnAboutIt) {
  std::vector<Vec3> even, uneven;
  for (int i = 0; i <= 200; ++i) even.push_back((0.01 * i) * Vec3{1, 2, 2});
  for (int i = 0; i <= 200; ++i) uneven.push_back((i < 120 ? 0.01 * i : 0.02 * i) * Vec3{1, 2, 2});
  const Symmetry s = find_symmetry(points(even)), u = find_symmetry(points(uneven));
  EXPECT_EQ(s.kind, SymmetryKind::revolution_with_flips);
  EXPECT_LT(norm(cross(s.axes.front().direction, (1.0 / 3) * Vec3{1, 2, 2})), 1e-6);
  EXPECT_EQ(u.kind, SymmetryKind::revolution) << "a gap off the middle tells the ends apart";
  expect_finite(s), expect_finite(u);
  const Symmetry two = find_symmetry(points({{0, 0, 0}, {0, 0, 2}}));
  EXPECT_EQ(two.kind, SymmetryKind::revolution_with_flips);
  expect_finite(two);
}

TEST(SymmetryOfLittle, PlanesTurnOver) {
  std::vector<Vec3> square, rectangle;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 40; ++j) {
      square.push_back({0.1 * i, 0.1 * j, 7});
      rectangle.push_back({0.1 * i, 0.06 * j, 7});
    }
  }
  EXPECT_EQ(group_name(find_symmetry(points(square))), "D4");
  EXPECT_EQ(group_name(find_symmetry(points(rectangle))), "D2");
  PointCloud triangle = points({{0, 0, 0}, {6, 0, 0}, {0, 3, 0}});
  triangle.faces.add({0, 1, 2});
  EXPECT_EQ(group_name(find_symmetry(triangle)), "C1");
  EXPECT_TRUE(find_symmetry(triangle).mirror) << "at its own plane";
}

TEST(SymmetryOfLittle, InvalidPointsAndEmptyFacesDoNotCount) {
  PointCloud part = cube();
  part.positions.push_back({nan, 1, 2});
  const auto last = static_cast<std::uint32_t>(part.size() - 1);
  part.faces.add({0, 1, last});
  part.faces.add({0, 0, 1});
  EXPECT_EQ(group_name(find_symmetry(part)), "O");
  PointCloud flat = points({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
  flat.faces.add({0, 1, 2});
  EXPECT_EQ(find_symmetry(flat).kind, SymmetryKind::revolution_with_flips) << "faces without area: points on a line";
}

}  // namespace
}  // namespace dovetail::test
