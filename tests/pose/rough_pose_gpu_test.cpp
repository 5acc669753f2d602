// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/rough_pose_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using RoughPassOnTheGpu = test::NeedsCuda<testing::Test>;

TEST_F(RoughPassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  ReferenceBackend reference;
  test::expect_rough_poses_match(cuda, reference);
}

TEST_F(RoughPassOnTheGpu, MatchesTheCpu) {
  CudaBackend cuda(0);
  CpuBackend cpu(0);
  test::expect_rough_poses_match(cuda, cpu);
}

TEST_F(RoughPassOnTheGpu, IsStopped) {
  const test::RoughCase c(64);
  CudaBackend cuda(0);
  Keeper keeper;
  Batch<rough::RoughPose> batch = c.batch(cuda.memory(), keeper);
  const std::atomic<bool> cancel{true};
  batch.control.cancel = &cancel;
  cuda.run(batch);  // a loop this short may end before it sees the request
  EXPECT_TRUE(batch.stopped == StopRequest::cancelled || batch.stopped == StopRequest::none);
}

}  // namespace
}  // namespace dovetail
