// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/rough_pose_cases.h"

namespace dovetail::test {
namespace {

TEST(RoughPass, MatchesTheReference) {
  CpuBackend cpu(2);
  ReferenceBackend reference;
  expect_rough_poses_match(cpu, reference);
}

TEST(RoughPass, TheSameBitsForAnyNumberOfThreads) {
  const RoughCase c(64);
  CpuBackend one(1), three(3);
  Keeper keeper;
  Batch<rough::RoughPose> first = c.batch(one.memory(), keeper), second = first;
  one.run(first), three.run(second);
  for (std::size_t i = 0; i < first.states.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(first.states[i].corner[k], second.states[i].corner[k]);
      EXPECT_EQ(first.states[i].error[k], second.states[i].error[k]);
    }
  }
}

TEST(RoughPass, AReferenceIsFoundWhereItWasCutOut) {
  RoughCase c(64);
  CpuBackend cpu(2);
  Keeper keeper;
  Batch<rough::RoughPose> batch = c.batch(cpu.memory(), keeper);
  cpu.run(batch);
  // It has holes, which are unknown to the reference alone.
  EXPECT_EQ(batch.states[0].error[0], 0);
  EXPECT_EQ(rough::RoughPose::shift_of(c.references.view(), batch.states[0], batch.states[0].corner[0]),
            (LaidShift{0, 0, 0}));
}

TEST(RoughPass, IsStopped) {
  const RoughCase c(64);
  CpuBackend cpu(1);
  Keeper keeper;
  Batch<rough::RoughPose> batch = c.batch(cpu.memory(), keeper);
  std::atomic<bool> cancel{true};
  batch.control.cancel = &cancel;
  cpu.run(batch);
  EXPECT_EQ(batch.stopped, StopRequest::cancelled);
  batch.control = {};
  batch.control.deadline = std::chrono::steady_clock::now();
  cpu.run(batch);
  EXPECT_EQ(batch.stopped, StopRequest::time_limit);
}

}  // namespace
}  // namespace dovetail::test
