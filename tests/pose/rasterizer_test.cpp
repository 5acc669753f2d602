// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rasterizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/rotation.h"
#include "dovetail/scanner.h"

namespace dovetail::pose {
namespace {

constexpr Pinhole camera{500, 500, 160, 120, 320, 240};

RasterMesh raster_mesh(const PointCloud& mesh) {
  RasterMesh raster;
  raster.points = mesh.positions;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::uint32_t k = mesh.faces.start[f] + 2; k < mesh.faces.start[f + 1]; ++k) {
      raster.triangles.push_back({mesh.faces.index[mesh.faces.start[f]], mesh.faces.index[k - 1], mesh.faces.index[k]});
    }
  }
  return raster;
}

TEST(Rasterizer, draws_what_rays_see) {
  if (!depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  for (const BuiltInPart part : {BuiltInPart::t_pipe, BuiltInPart::bracket, BuiltInPart::mug}) {
    const PointCloud mesh = built_in_part(part);
    const RenderMesh rays(mesh);
    for (const Vec3& turn : {Vec3{0.3, 1.1, 2.4}, Vec3{2.6, 0.4, -0.5}, Vec3{0.13, 0.02, 0.01}}) {
      const Rigid3 pose{exp_so3(turn), {15, -10, 400}};
      const PosedMesh posed{&rays, pose};
      const RenderedSurface drawn = raster_surface(raster_mesh(mesh), pose, camera);
      const RenderedSurface seen = render_surface({&posed, 1}, camera, whole_image(camera));
      long pixels = 0, differ = 0;
      for (int y = 0; y < camera.height; ++y) {
        for (int x = 0; x < camera.width; ++x) {
          const std::size_t at = seen.image.region.offset(x, y);
          const float there = seen.image.depth[at], here = drawn.image.depth_at(x, y);
          if (there == 0 && here == 0) continue;
          ++pixels;
          // A hundredth of a millimetre: float rounding where a surface is seen edge-on.
          if (there == 0 || here == 0 || std::fabs(there - here) > 0.01f) {
            ++differ;
            continue;
          }
          const std::size_t own = drawn.image.region.offset(x, y);
          if (dot(drawn.normal[own], seen.normal[at]) < 0.999f) ++differ;
          EXPECT_EQ(drawn.image.part[own], 0);
        }
      }
      EXPECT_GT(pixels, 2000);
      // Pixels whose centre lies within rounding of an edge may go either way.
      EXPECT_LE(differ, pixels / 500) << to_string(part);
    }
  }
}

TEST(Rasterizer, a_mesh_that_is_out_of_sight_is_not_drawn) {
  const RasterMesh box = raster_mesh(built_in_part(BuiltInPart::box));
  EXPECT_TRUE(raster_surface(box, {Mat3::identity(), {0, 0, -400}}, camera).image.region.empty());
  EXPECT_TRUE(raster_surface(box, {Mat3::identity(), {5000, 0, 400}}, camera).image.region.empty());
  EXPECT_TRUE(raster_solid(box, {Mat3::identity(), {0, 0, -400}}, camera).stretches.empty());
}

TEST(Rasterizer, a_solid_is_as_thick_as_it_is) {
  const RasterMesh box = raster_mesh(built_in_part(BuiltInPart::box));  // 90 x 60 x 40
  const SolidImage solid = raster_solid(box, {Mat3::identity(), {0, 0, 400}}, camera);
  const auto middle = solid.at(160, 120);
  ASSERT_EQ(middle.size(), 1u);
  EXPECT_NEAR(middle[0].from, 380, 1e-3);
  EXPECT_NEAR(middle[0].to, 420, 1e-3);
  EXPECT_TRUE(solid.at(0, 0).empty());
}

TEST(Rasterizer, a_hollow_has_two_walls_and_an_open_mesh_no_inside) {
  RasterMesh pipe = raster_mesh(built_in_part(BuiltInPart::t_pipe));
  // Across an arm, away from the branch: wall, bore, wall. Its axis is 12 below the origin.
  const Rigid3 pose{Mat3{1, 0, 0, 0, 0, 1, 0, -1, 0}, {0, 0, 400}};
  const SolidImage solid = raster_solid(pipe, pose, camera);
  const auto walls = solid.at(110, 105);
  ASSERT_EQ(walls.size(), 2u);
  EXPECT_GT(walls[1].from, walls[0].to + 5);
  pipe.triangles.resize(1);
  EXPECT_TRUE(raster_solid(pipe, pose, camera).stretches.empty());
}

TEST(Rasterizer, solids_that_overlap_are_one) {
  RasterMesh two = raster_mesh(built_in_part(BuiltInPart::box));
  const std::size_t points = two.points.size(), triangles = two.triangles.size();
  for (std::size_t i = 0; i < points; ++i) two.points.push_back(two.points[i] + Vec3{0, 0, 30});
  for (std::size_t i = 0; i < triangles; ++i) {
    auto moved = two.triangles[i];
    for (std::uint32_t& corner : moved) corner += static_cast<std::uint32_t>(points);
    two.triangles.push_back(moved);
  }
  const SolidImage solid = raster_solid(two, {Mat3::identity(), {0, 0, 400}}, camera);
  const auto middle = solid.at(163, 118);
  ASSERT_EQ(middle.size(), 1u);
  EXPECT_NEAR(middle[0].to - middle[0].from, 70, 1);  // a slanted ray's depth, still along z
}

}  // namespace
}  // namespace dovetail::pose
