// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/bits_cases.h"

namespace dovetail {
namespace {

using namespace test;

class BitsOnTheCpu : public testing::TestWithParam<Metric> {};
INSTANTIATE_TEST_SUITE_P(Metrics, BitsOnTheCpu,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(BitsOnTheCpu, DoNotDependOnThreads) {
  auto run = on(Machine::cpu);
  run.threads = 1;
  const Registration one = register_points(bits_source(), bits_target(), with_metric(GetParam()), run);
  for (const int threads : {2, 3, 8}) {
    run.threads = threads;
    SCOPED_TRACE(threads);
    expect_same_bits(register_points(bits_source(), bits_target(), with_metric(GetParam()), run), one);
  }
}

TEST_P(BitsOnTheCpu, AreTheSameEveryTime) { expect_repeats(Machine::cpu, GetParam()); }

TEST_P(BitsOnTheCpu, DoNotDependOnBeingWatched) { expect_watching_changes_nothing(Machine::cpu, GetParam()); }

TEST_P(BitsOnTheCpu, DoNotDependOnTheBatch) { expect_the_batch_changes_nothing(Machine::cpu, GetParam()); }

}  // namespace
}  // namespace dovetail
