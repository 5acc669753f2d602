// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "pose/depth_renderer.h"
#include "support/bop_dataset.h"

namespace dovetail::pose {
namespace {

using test::at;

class Renderer : public testing::Test {
 protected:
  void SetUp() override {
    if (!depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  }
  const Pinhole camera_{260, 250, 161.3, 118.6, 320, 240};
};

PointCloud square(double half) {
  PointCloud mesh;
  mesh.positions = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

/// A sphere of rings and segments, its vertices on it.
PointCloud sphere(double radius, std::uint32_t rings, std::uint32_t segments) {
  PointCloud mesh;
  for (std::uint32_t r = 0; r <= rings; ++r) {
    for (std::uint32_t s = 0; s < segments; ++s) {
      const double down = std::numbers::pi * r / rings, around = 2 * std::numbers::pi * s / segments;
      mesh.positions.push_back(
          radius * Vec3{std::sin(down) * std::cos(around), std::sin(down) * std::sin(around), std::cos(down)});
    }
  }
  for (std::uint32_t r = 0; r < rings; ++r) {
    for (std::uint32_t s = 0; s < segments; ++s) {
      const std::uint32_t a = r * segments + s, b = r * segments + (s + 1) % segments;
      mesh.faces.add({a, b, b + segments});
      mesh.faces.add({a, b + segments, a + segments});
    }
  }
  return mesh;
}

TEST_F(Renderer, APlaneIsWhereItsEquationSays) {
  const RenderMesh mesh(square(1e5));
  const Rigid3 pose{exp_so3(Vec3{0.5, -0.4, 1.0}), {30, -20, 700}};
  const Vec3 normal = pose.rotation * Vec3{0, 0, 1};
  const PosedMesh posed{&mesh, pose};
  const RenderedDepth image = render_depth({&posed, 1}, camera_);
  ASSERT_EQ(image.depth.size(), 320u * 240u);
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 320; ++x) {
      const Vec3 ray = {(x + 0.5 - 161.3) / 260, (y + 0.5 - 118.6) / 250, 1};
      const double expected = dot(normal, pose.translation) / dot(normal, ray);
      // Depth is a float made of a double: half a unit in its last place.
      ASSERT_NEAR(image.depth_at(x, y), expected, 1e-7 * expected) << x << ' ' << y;
    }
  }
}

TEST_F(Renderer, ASphereIsWhereItsEquationSays) {
  const double radius = 80;
  const RenderMesh mesh(sphere(radius, 180, 360));
  const Vec3 center = {40, 25, 600};
  const PosedMesh posed{&mesh, {exp_so3(Vec3{1, 2, 3}), center}};
  const RenderedDepth image = render_depth({&posed, 1}, camera_);
  int inside = 0;
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 320; ++x) {
      const Vec3 ray = camera_.direction(x + 0.5, y + 0.5);
      const double along = dot(ray, center) / squared_norm(ray);
      const double miss = norm(along * ray - center);
      if (miss > radius) {
        ASSERT_EQ(image.depth_at(x, y), 0) << "the mesh lies within the sphere";
      } else if (miss < 0.9 * radius) {
        ++inside;
        const double expected = along - std::sqrt((radius * radius - miss * miss) / squared_norm(ray));
        // Facets of a degree lie up to radius × (1 − cos 1°) = 0.012 within the sphere, seen at up to 64° (sin = 0.9).
        ASSERT_GE(image.depth_at(x, y), expected - 1e-5 * expected);
        ASSERT_LE(image.depth_at(x, y), expected + 0.012 / std::cos(std::asin(0.9)) + 1e-5 * expected);
      }
    }
  }
  EXPECT_GT(inside, 2500);
}

TEST_F(Renderer, TheNearestOfSeveralIsSeenAndNamed) {
  const RenderMesh small(square(20)), large(square(200));
  const std::vector<PosedMesh> scene = {{&large, at(0, 0, 500)}, {&small, at(0, 0, 400)}, {&small, at(100, 0, -400)}};
  const RenderedDepth image = render_depth(scene, camera_);
  EXPECT_EQ(image.depth_at(161, 118), 400.0f);
  EXPECT_EQ(image.part[image.region.offset(161, 118)], 1);
  EXPECT_EQ(image.depth_at(200, 118), 500.0f);
  EXPECT_EQ(image.part[image.region.offset(200, 118)], 0);
  // 200 × 260 / 500 = 104 pixels to either side of 161.3, so that the centre at 57.5 is in and that at 56.5 is not.
  EXPECT_EQ(image.depth_at(57, 118), 500.0f);
  EXPECT_EQ(image.depth_at(56, 118), 0.0f);
  EXPECT_EQ(image.part[image.region.offset(56, 118)], -1);
  for (const std::int32_t part : image.part) ASSERT_NE(part, 2) << "it lies behind the camera";
}

TEST_F(Renderer, ARegionHasTheBitsOfTheWhole) {
  const RenderMesh mesh(test::box_mesh({40, 60, 80}));
  const PosedMesh posed{&mesh, {exp_so3(Vec3{0.3, 0.8, -0.2}), {-60, 40, 500}}};
  const RenderedDepth whole = render_depth({&posed, 1}, camera_);
  const PixelRegion region = region_of(posed, camera_);
  EXPECT_LT(region.pixels(), 60u * 80u);
  const RenderedDepth part = render_depth({&posed, 1}, camera_, region);
  EXPECT_EQ(part.region, region);
  int seen = 0;
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 320; ++x) {
      ASSERT_EQ(part.depth_at(x, y), whole.depth_at(x, y)) << "what is seen lies within the region";
      seen += whole.depth_at(x, y) > 0;
    }
  }
  EXPECT_GT(seen, 500);
}

TEST_F(Renderer, RegionsAtTheEdges) {
  const RenderMesh mesh(test::box_mesh({40, 60, 80}));
  EXPECT_EQ(region_of({&mesh, at(0, 0, 20)}, camera_), whole_image(camera_)) << "the box is about the camera";
  EXPECT_TRUE(region_of({&mesh, at(5000, 0, 500)}, camera_).empty());
  const PosedMesh posed{&mesh, at(0, 0, 500)};
  EXPECT_TRUE(render_depth({&posed, 1}, camera_, {400, 300, 10, 10}).depth.empty()) << "outside of the image";
  EXPECT_EQ(render_depth({&posed, 1}, camera_, {-10, -10, 12, 12}).region, (PixelRegion{0, 0, 2, 2}));
  for (const float depth : render_depth({}, camera_).depth) ASSERT_EQ(depth, 0);
}

TEST_F(Renderer, RefusesWhatCannotBeSeen) {
  EXPECT_THROW(RenderMesh{PointCloud{}}, InvalidArgument);
  PointCloud wrong = square(1);
  wrong.faces.index[2] = 9;
  EXPECT_THROW(RenderMesh{wrong}, InvalidArgument);
  PointCloud broken = square(1);
  broken.positions[1][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(RenderMesh{broken}, InvalidArgument);
  PointCloud line = square(1);
  line.faces = Faces{};
  line.faces.add({0, 1});
  EXPECT_THROW(RenderMesh{line}, InvalidArgument);
  Pinhole flat = camera_;
  flat.fx = 0;
  EXPECT_THROW(render_depth({}, flat), InvalidArgument);
  flat = camera_;
  flat.width = 100000;
  EXPECT_THROW(render_depth({}, flat), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::pose
