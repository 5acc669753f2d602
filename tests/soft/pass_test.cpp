// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "soft/pass_cases.h"

namespace dovetail {
namespace {

using namespace test;

class SoftPassOnTheCpu : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, SoftPassOnTheCpu, testing::Values(1, 2, 31, 32, 33, 1000, 1024, 1025, 3000),
                         testing::PrintToStringParamName());

TEST_P(SoftPassOnTheCpu, MatchesTheReference) {
  CpuBackend cpu(2);
  for (const bool weighted : {false, true}) expect_updates_match(cpu, GetParam(), weighted);
}

}  // namespace
}  // namespace dovetail
