// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/reference/reference_backend.h"
#include "gpicp/gpicp_cases.h"
#include "support/machines.h"

namespace dovetail::test {
namespace {

class GpicpPassOnTheGpu : public NeedsCuda<testing::TestWithParam<std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(Sizes, GpicpPassOnTheGpu, testing::Values(33, 256, 1000, 10007),
                         testing::PrintToStringParamName());

TEST_P(GpicpPassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  ReferenceBackend reference;
  expect_gpicp_passes_match<gpicp::PointToPoint>(cuda, reference, GetParam(), Lookup::tree);
  expect_gpicp_passes_match<gpicp::PointToPlane>(cuda, reference, GetParam(), Lookup::tree);
}

TEST_P(GpicpPassOnTheGpu, GoesDownTheTreeAsTheCpuDoes) {
  CudaBackend cuda(0);
  CpuBackend cpu(2);
  expect_gpicp_passes_match<gpicp::PointToPoint>(cuda, cpu, GetParam(), Lookup::depth_first);
}

using PlacementsOnTheGpu = NeedsCuda<testing::Test>;

TEST_F(PlacementsOnTheGpu, MatchTheReference) {
  CudaBackend cuda(0);
  ReferenceBackend reference;
  expect_placements_match(cuda, reference);
}

}  // namespace
}  // namespace dovetail::test
