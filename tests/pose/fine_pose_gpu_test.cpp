// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/drawn_part_cases.h"
#include "pose/fine_pose_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using FinePassOnTheGpu = test::NeedsCuda<testing::Test>;
using DrawnPartsOnTheGpu = test::NeedsCuda<testing::Test>;

TEST_F(FinePassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  ReferenceBackend reference;
  test::expect_fine_poses_match(cuda, reference);
}

// The terms are the CPU's to the last bit; sums are added in another order.
TEST_F(FinePassOnTheGpu, RefinesAsTheCpuDoes) {
  CudaBackend cuda(0);
  CpuBackend cpu(0);
  test::expect_refined_alike(cuda, cpu, 1e-6);
}

TEST_F(DrawnPartsOnTheGpu, MatchTheReference) {
  CudaBackend cuda(0);
  ReferenceBackend reference;
  test::expect_drawn_parts_match(cuda, reference);
}

TEST_F(DrawnPartsOnTheGpu, ComeBackWhenTheyWereMoved) {
  CudaBackend cuda(0);
  test::expect_parts_come_back(cuda);
}

}  // namespace
}  // namespace dovetail
