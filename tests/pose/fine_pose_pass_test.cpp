// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <hwy/highway.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/fine_pose_cases.h"

namespace dovetail::test {
namespace {

TEST(FinePass, MatchesTheReference) {
  CpuBackend cpu(2);
  ReferenceBackend reference;
  expect_fine_poses_match(cpu, reference);
}

TEST(FinePass, RefinesAsTheReferenceDoes) {
  CpuBackend cpu(2);
  ReferenceBackend reference;
  expect_refined_alike(cpu, reference, 0.05);
}

TEST(FinePass, TheSameBitsForAnyNumberOfThreadsAndInAnyBatch) {
  const FineCase c(1025, 40);
  CpuBackend one(1), three(3);
  Keeper keeper;
  Batch<fine::FinePose> first = c.batch(one.memory(), keeper), second = first, alone = first;
  alone.states = {first.states[17]};
  one.run(first), three.run(second), three.run(alone);
  for (std::size_t s = 0; s < first.states.size(); ++s) {
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(first.states[s].camera_from_part.rotation[i], second.states[s].camera_from_part.rotation[i]);
    }
    EXPECT_EQ(first.states[s].verdict.explained, second.states[s].verdict.explained);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(first.states[17].camera_from_part.translation[i], alone.states[0].camera_from_part.translation[i]);
  }
}

TEST(FinePass, TheSameBitsWithAnyInstructions) {
  const FineCase c(1000, 3);
  CpuBackend cpu(1);
  Keeper keeper;
  Batch<fine::FinePose> best = c.batch(cpu.memory(), keeper);
  cpu.run(best);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    Batch<fine::FinePose> batch = c.batch(cpu.memory(), keeper);
    cpu.run(batch);
    for (std::size_t s = 0; s < batch.states.size(); ++s) {
      for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(batch.states[s].camera_from_part.rotation[i], best.states[s].camera_from_part.rotation[i])
            << hwy::TargetName(target);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(FinePass, IsStopped) {
  const FineCase c(100, 3);
  CpuBackend cpu(1);
  Keeper keeper;
  Batch<fine::FinePose> batch = c.batch(cpu.memory(), keeper);
  const std::atomic<bool> cancel{true};
  batch.control.cancel = &cancel;
  cpu.run(batch);
  EXPECT_EQ(batch.stopped, StopRequest::cancelled);
}

}  // namespace
}  // namespace dovetail::test
