// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "pose/depth_renderer.h"
#include "pose/rasterise_cases.h"
#include "pose/rasterizer.h"
#include "pose/verified_pose.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using FindPartsOnTheGpu = test::NeedsCuda<testing::Test>;

/// T-pipes over a floor.
RangeImage heap(const PointCloud& part, const std::vector<Rigid3>& poses) {
  RangeImage image{{320, 240, 350, 350, 160, 120, 0, 0.5, {}}, std::vector<float>(320 * 240, 640.0f)};
  const TriangleMesh triangles = test::triangle_mesh(part);
  const pose::RasterMesh mesh{part.positions, triangles.triangles};
  for (const Rigid3& pose : poses) {
    const pose::RenderedDepth seen = pose::raster_surface(mesh, pose, pose::pinhole_of(image.camera)).image;
    for (int y = 0; y < 240; ++y) {
      for (int x = 0; x < 320; ++x) {
        float& depth = image.depth[static_cast<std::size_t>(y * 320 + x)];
        if (seen.depth_at(x, y) > 0) depth = std::min(depth, seen.depth_at(x, y));
      }
    }
  }
  return image;
}

TEST_F(FindPartsOnTheGpu, TheListIsTheCpus) {
  if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  const PointCloud tee = built_in_part(BuiltInPart::t_pipe);
  PoseDatabaseOptions build;
  build.references = 500;
  build.image_size = 32;
  build.sampling = OrientationSampling::uniform;
  const PosePart parts[] = {{"tee", &tee, {}, {}}};
  const PoseDatabase database = build_pose_database(parts, build);
  const RangeImage image = heap(tee, {{exp_so3(Vec3{2.6, 0.4, -0.5}), {-70, -20, 560}},
                                      {exp_so3(Vec3{0.3, 1.1, 2.4}), {75, 30, 570}},
                                      {exp_so3(Vec3{1.3, -0.4, 0.2}), {0, 50, 530}}});
  FindParts options;
  options.machine = Machine::cpu;
  const Found cpu = find_parts(image, database, options);
  options.machine = Machine::cuda;
  const Found cuda = find_parts(image, database, options);
  ASSERT_GE(cpu.objects.size(), 2u);
  ASSERT_EQ(cpu.objects.size(), cuda.objects.size());
  for (std::size_t i = 0; i < cpu.objects.size(); ++i) {
    SCOPED_TRACE("part " + std::to_string(i));
    for (int k = 0; k < 16; ++k) {  // sums in double, added in another order
      EXPECT_NEAR(cpu.objects[i].scene_from_object.matrix[k], cuda.objects[i].scene_from_object.matrix[k], 1e-6);
    }
    EXPECT_NEAR(*cpu.objects[i].confidence, *cuda.objects[i].confidence, 1e-6);
    EXPECT_EQ(cpu.objects[i].image->explained, cuda.objects[i].image->explained);
  }
}

}  // namespace
}  // namespace dovetail
