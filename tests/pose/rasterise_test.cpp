// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/depth_renderer.h"
#include "pose/rasterise_cases.h"

namespace dovetail::test {
namespace {

using raster::depth_of;
using raster::label_of;

TEST(Rasterise, MachinesDrawTheSameBits) {
  ReferenceBackend reference;
  CpuBackend one(1), two(2);
  for (const int count : {0, 1, 7, 40}) {
    const RasterScene scene = random_scene(static_cast<std::uint64_t>(count), count);
    const auto expected = drawn_on(reference, scene);
    EXPECT_EQ(drawn_on(one, scene), expected) << count;
    EXPECT_EQ(drawn_on(two, scene), expected) << count;
  }
}

TEST(Rasterise, BitsDoNotDependOnInstructions) {
  ReferenceBackend reference;
  CpuBackend cpu(1);
  const RasterScene scene = random_scene(23, 30);
  const auto expected = drawn_on(reference, scene);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(drawn_on(cpu, scene), expected) << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
}

// Embree sends rays in single precision, so that a pixel whose centre lies on an outline may go either way; where both
// see the same part, depths are doubles made floats on both sides.
TEST(Rasterise, AgreesWithEmbreePixelByPixel) {
  if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  CpuBackend machine(0);
  const RasterScene scene = random_scene(99, 60);
  std::vector<pose::RenderMesh> meshes;
  for (const PointCloud& cloud : scene.clouds) meshes.emplace_back(cloud);
  const raster::Camera& c = scene.camera;
  const pose::Pinhole camera{c.fx, c.fy, c.cx, c.cy, 640, 480};
  const auto drawn = drawn_on(machine, scene);
  std::size_t seen = 0, differ = 0;
  for (std::uint32_t r = 0; r < scene.regions.size(); ++r) {
    const raster::Region& region = scene.regions[r];
    std::vector<pose::PosedMesh> posed;
    for (const auto& p : scene.posed) {
      if (p.region == r) posed.push_back({&meshes[p.mesh], p.camera_from_mesh});
    }
    const pose::RenderedDepth image =
        pose::render_depth(posed, camera, {region.left, region.top, region.width, region.height});
    for (int y = region.top; y < std::min(480, region.top + region.height); ++y) {
      for (int x = region.left; x < std::min(640, region.left + region.width); ++x) {
        const raster::Pixel pixel = drawn[region.at(x, y)];
        const double cast = image.depth_at(x, y), depth = depth_of(pixel);
        const std::int32_t part = image.part[image.region.offset(x, y)];
        seen += cast > 0;
        const bool same = part == static_cast<std::int32_t>(label_of(pixel)) && std::fabs(depth - cast) <= 2e-6 * cast;
        differ += !same;
      }
    }
  }
  EXPECT_GT(seen, 40'000u);
  // Outlines and edges between facets: one pixel in ten thousand.
  EXPECT_LE(differ, seen / 10'000) << "of " << seen;
}

TEST(Rasterise, APlaneIsWhereItsEquationSays) {
  RasterScene scene;
  scene.camera = {260, 250, 161.3, 118.6};
  PointCloud plane;
  plane.positions = {{-1e5, -1e5, 0}, {1e5, -1e5, 0}, {1e5, 1e5, 0}, {-1e5, 1e5, 0}};
  plane.faces.add({0, 1, 2, 3});
  scene.add_mesh(plane);
  scene.add_region(0, 0, 320, 240);
  // It passes behind the camera too.
  const Rigid3 pose{exp_so3(Vec3{0.5, -0.4, 1.0}), {30, -20, 700}};
  scene.posed.push_back({0, pose, 5, 0});
  CpuBackend machine(0);
  const auto drawn = drawn_on(machine, scene);
  const Vec3 normal = pose.rotation * Vec3{0, 0, 1};
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 320; ++x) {
      const double expected = dot(normal, pose.translation) / dot(normal, scene.camera.direction(x, y));
      const raster::Pixel pixel = drawn[scene.regions[0].at(x, y)];
      ASSERT_EQ(label_of(pixel), 5u);
      // A float made of a double: half a unit in its last place.
      ASSERT_NEAR(depth_of(pixel), expected, 1e-7 * expected) << x << ' ' << y;
    }
  }
}

TEST(Rasterise, NearestWinsAndTiesGoToTheLowerLabel) {
  RasterScene scene;
  scene.camera = {100, 100, 10, 10};
  PointCloud square;
  square.positions = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
  square.faces.add({0, 1, 2, 3});
  scene.add_mesh(square);
  scene.add_region(0, 0, 20, 20);
  scene.add_region(0, 0, 20, 20);
  scene.add_region(3, 4, 0, 0);
  const auto at = [](double z) { return Rigid3{Mat3::identity(), {0, 0, z}}; };
  scene.posed = {{0, at(500), 1, 0}, {0, at(400), 7, 0}, {0, at(-300), 0, 0}, {0, at(400), 4, 1}, {0, at(400), 3, 1}};
  CpuBackend machine(0);
  const auto drawn = drawn_on(machine, scene);
  EXPECT_EQ(drawn[scene.regions[0].at(10, 10)], raster::make_pixel(400, 7));
  EXPECT_EQ(drawn[scene.regions[1].at(10, 10)], raster::make_pixel(400, 3));
  // 50 x 100 / 400 = 12.5 pixels to either side of 10: all of the first rows is seen.
  EXPECT_EQ(drawn[scene.regions[0].at(0, 0)], raster::make_pixel(400, 7));
  EXPECT_EQ(depth_of(raster::nothing), 0);
  EXPECT_EQ(label_of(raster::nothing), raster::no_label);
}

// Every pixel within a closed outline is hit: neighbours leave no gap between them, wherever their edges lie.
TEST(Rasterise, NeighboursLeaveNoGap) {
  RasterScene scene;
  scene.camera = {300, 300, 50, 50};
  PointCloud fan;
  fan.positions.push_back({0, 0, 0});
  constexpr std::uint32_t spokes = 37;
  for (std::uint32_t i = 0; i < spokes; ++i) {
    const double a = 2 * M_PI * i / spokes;
    fan.positions.push_back({100 * std::cos(a), 100 * std::sin(a), 0});
    fan.faces.add({0, 1 + i, 1 + (i + 1) % spokes});
  }
  scene.add_mesh(fan);
  scene.add_region(0, 0, 100, 100);
  for (int trial = 0; trial < 50; ++trial) {
    // About a pixel's centre, so that spokes pass through many of them exactly or nearly so.
    scene.posed = {{0, {exp_so3(Vec3{0, 0, 0.01 * trial}), {0, 0, 300}}, 0, 0}};
    scene.camera.cx = 50.5, scene.camera.cy = 50.5;
    CpuBackend machine(1);
    const auto drawn = drawn_on(machine, scene);
    for (const raster::Pixel pixel : drawn) ASSERT_EQ(pixel, raster::make_pixel(300, 0)) << trial;
  }
}

}  // namespace
}  // namespace dovetail::test
