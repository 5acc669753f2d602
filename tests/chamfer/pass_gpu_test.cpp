// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"
#include "chamfer/line_cases.h"

namespace dovetail {
namespace {

using namespace test;

class ChamferPassOnTheGpu : public NeedsCuda<testing::TestWithParam<std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, ChamferPassOnTheGpu, testing::Values(1, 2, 31, 33, 255, 1000, 1025, 10007),
                         testing::PrintToStringParamName());

TEST_P(ChamferPassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  expect_all_passes_match(cuda, GetParam());
}

TEST_P(ChamferPassOnTheGpu, FindsTheReferencesResiduals) {
  CudaBackend cuda(0);
  expect_misses_match<2>(cuda, GetParam());
  expect_misses_match<3>(cuda, GetParam());
}

TEST_P(ChamferPassOnTheGpu, AmongLinesMatchesTheReference) {
  CudaBackend cuda(0);
  expect_all_line_passes_match(cuda, GetParam());
}

TEST_P(ChamferPassOnTheGpu, CountsAlongLinesAsTheReferenceDoes) {
  CudaBackend cuda(0);
  for (const bool weighted : {false, true}) expect_counts_match(cuda, GetParam(), weighted);
}

}  // namespace
}  // namespace dovetail
