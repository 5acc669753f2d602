// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "pose/rasterise_cases.h"
#include "support/machines.h"

namespace dovetail::test {
namespace {

class RasteriseGpu : public NeedsCuda<testing::Test> {};

TEST_F(RasteriseGpu, HasTheBitsOfTheHost) {
  CpuBackend cpu(0);
  CudaBackend cuda(0);
  for (const int count : {0, 1, 7, 40, 333}) {
    const RasterScene scene = random_scene(static_cast<std::uint64_t>(count), count);
    EXPECT_EQ(drawn_on(cuda, scene), drawn_on(cpu, scene)) << count;
  }
}

TEST_F(RasteriseGpu, LargeTrianglesAreDrawnWhole) {
  RasterScene scene;
  scene.camera = {260, 250, 161.3, 118.6};
  PointCloud plane;
  plane.positions = {{-1e5, -1e5, 0}, {1e5, -1e5, 0}, {1e5, 1e5, 0}, {-1e5, 1e5, 0}};
  plane.faces.add({0, 1, 2, 3});
  scene.add_mesh(plane);
  scene.add_region(0, 0, 320, 240);
  scene.posed.push_back({0, {exp_so3(Vec3{0.5, -0.4, 1.0}), {30, -20, 700}}, 5, 0});
  CpuBackend cpu(0);
  CudaBackend cuda(0);
  const auto drawn = drawn_on(cuda, scene);
  EXPECT_EQ(drawn, drawn_on(cpu, scene));
  for (const raster::Pixel pixel : drawn) ASSERT_EQ(raster::label_of(pixel), 5u);
}

}  // namespace
}  // namespace dovetail::test
