// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"
#include "icp/pass_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

class PassOnTheGpu : public NeedsCuda<testing::TestWithParam<std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, PassOnTheGpu,
                         testing::Values(1, 2, 31, 32, 33, 255, 256, 257, 1000, 1024, 1025, 10007),
                         testing::PrintToStringParamName());

TEST_P(PassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  const bool large = GetParam() > 2000;
  const std::vector<PassSetting> few = {{Kernel::geman_mcclure, true}, {Kernel::tukey, false, true}, {Kernel::none}};
  for (const bool weighted : {false, true}) {
    expect_passes_match(cuda, GetParam(), weighted, large ? few : every_setting());
  }
}

TEST_P(PassOnTheGpu, EvaluationMatchesTheReference) {
  CudaBackend cuda(0);
  expect_evaluations_match(cuda, GetParam());
}

using PassOnTheGpuOnce = NeedsCuda<testing::Test>;

TEST_F(PassOnTheGpuOnce, UnknownNormalsMatchTheReference) {
  CudaBackend cuda(0);
  expect_passes_match(cuda, problem_with_unknown_normals(), {{Kernel::none}, {Kernel::geman_mcclure, true}});
}

}  // namespace
}  // namespace dovetail
