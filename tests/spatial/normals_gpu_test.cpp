// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "dovetail/error.h"
#include "spatial/normal_cases.h"

namespace dovetail {
namespace {

class NormalsGpu : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no CUDA device here";
  }
};

// The same neighbours in the same order; only fused multiply-adds in the double sums differ. That moves a normal by
// some 1e-16 over the relative gap of the two smallest eigenvalues, so isotropic neighbourhoods need the slack.
constexpr double tolerance = 1e-5;

TEST_F(NormalsGpu, AgreeWithTheCpu) {
  CpuBackend cpu(0);
  CudaBackend cuda(0);
  for (const test::Shape& shape : test::shapes()) {
    // A normal is only defined where the smallest eigenvalue stands apart: not on a symmetric grid.
    if (shape.name == "coarse grid") continue;
    for (const std::size_t size : test::awkward_sizes) {
      for (const int dimension : {2, 3}) {
        SCOPED_TRACE(shape.name + " of " + std::to_string(size) + " in " + std::to_string(dimension) + "D");
        const KdTree tree{test::make_points(shape, size), test::scrambled_indices(size)};
        const NormalSettings settings{.neighbours = 16, .dimension = dimension};
        const test::Normals expected = test::normals_on(cpu, tree, settings);
        const test::Normals found = test::normals_on(cuda, tree, settings);
        EXPECT_LT(test::largest_difference(expected, found), tolerance);
      }
    }
  }
}

TEST_F(NormalsGpu, AgreeWithTheCpuOnASphereSeenFromAViewpoint) {
  const KdTree tree{test::sphere_points(100'000, 0.5)};
  const NormalSettings settings{.neighbours = 32, .has_viewpoint = true, .viewpoint = {0.1f, 0, 0}};
  CpuBackend cpu(0);
  CudaBackend cuda(0);
  const test::Normals expected = test::normals_on(cpu, tree, settings), found = test::normals_on(cuda, tree, settings);
  EXPECT_LT(test::largest_difference(expected, found), tolerance);
}

TEST_F(NormalsGpu, AreTheSameEveryTime) {
  const KdTree tree{test::make_points(test::shapes()[0], 10007)};
  CudaBackend cuda(0);
  EXPECT_EQ(test::normals_on(cuda, tree, {}), test::normals_on(cuda, tree, {}));
}

TEST_F(NormalsGpu, ADeviceThatIsNotThereIsNamed) {
  try {
    CudaBackend(9999);
    FAIL() << "no exception";
  } catch (const MachineError& error) {
    EXPECT_NE(std::string(error.what()).find("9999"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dovetail
