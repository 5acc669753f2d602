// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "chamfer/pass_cases.h"

namespace dovetail {
namespace {

using namespace test;

class ChamferPass : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, ChamferPass, testing::Values(1, 2, 31, 32, 33, 1000, 1025, 10007),
                         testing::PrintToStringParamName());

TEST_P(ChamferPass, OnTheCpuMatchesTheReference) {
  CpuBackend cpu(2);
  expect_all_passes_match(cpu, GetParam());
}

TEST_P(ChamferPass, ResidualsOnTheCpuMatchTheReference) {
  CpuBackend cpu(2);
  expect_misses_match<2>(cpu, GetParam());
  expect_misses_match<3>(cpu, GetParam());
}

}  // namespace
}  // namespace dovetail
