// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"
#include "backend/scene_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using SharedSceneOnTheGpu = test::NeedsCuda<testing::Test>;

TEST_F(SharedSceneOnTheGpu, TwentyObjectsAreFoundInOneScene) {
  CudaBackend cuda(0);
  EXPECT_TRUE(cuda.runs_everything());
  test::expect_objects_found_in_one_scene(cuda);
}

}  // namespace
}  // namespace dovetail
