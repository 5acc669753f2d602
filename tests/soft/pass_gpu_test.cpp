// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"
#include "soft/pass_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

/// The largest walks the tree; below that every pair is computed whatever the tolerance.
class SoftPassOnTheGpu : public NeedsCuda<testing::TestWithParam<std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, SoftPassOnTheGpu, testing::Values(1, 2, 31, 32, 33, 257, 1000, 2049, 10007),
                         testing::PrintToStringParamName());

TEST_P(SoftPassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  expect_updates_match(cuda, GetParam(), false);
}

TEST_P(SoftPassOnTheGpu, MatchesTheReferenceWithWeights) {
  if (GetParam() > 2000) GTEST_SKIP() << "the oracle takes minutes; weights are the same code at any size";
  CudaBackend cuda(0);
  expect_updates_match(cuda, GetParam(), true);
}

}  // namespace
}  // namespace dovetail
