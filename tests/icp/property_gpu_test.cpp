// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/bits_cases.h"
#include "icp/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

class PropertyOnTheGpu : public NeedsCuda<testing::TestWithParam<Metric>> {};
INSTANTIATE_TEST_SUITE_P(Metrics, PropertyOnTheGpu,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(PropertyOnTheGpu, RecoversKnownMotions) { expect_recovers_shapes(Machine::cuda, GetParam(), 3000); }
TEST_P(PropertyOnTheGpu, MovingBothCloudsMovesTheAnswer) { expect_equivariant(Machine::cuda, GetParam(), 3000); }
TEST_P(PropertyOnTheGpu, TheOrderOfPointsDoesNotMatter) {
  expect_order_does_not_matter(Machine::cuda, GetParam(), 3000);
}
TEST_P(PropertyOnTheGpu, UnitsDoNotMatter) { expect_scale_free(Machine::cuda, GetParam(), 3000); }
TEST_P(PropertyOnTheGpu, AreTheSameBitsEveryTime) { expect_repeats(Machine::cuda, GetParam()); }
TEST_P(PropertyOnTheGpu, BitsDoNotDependOnBeingWatched) { expect_watching_changes_nothing(Machine::cuda, GetParam()); }
TEST_P(PropertyOnTheGpu, BitsDoNotDependOnTheBatch) { expect_the_batch_changes_nothing(Machine::cuda, GetParam()); }

TEST_P(PropertyOnTheGpu, EndsWhereTheCpuEnds) {
  Transform truth;
  PointCloud source;
  const Icp icp = with_metric(GetParam());
  const Registration cpu = registered_samplings(Machine::cpu, icp, 20'000, &truth, &source);
  const Registration gpu = registered_samplings(Machine::cuda, icp, 20'000, &truth, &source);
  EXPECT_EQ(gpu.machine, "cuda:0");
  EXPECT_LT(distance_off(gpu.target_from_source, cpu.target_from_source, source), same_data);
  EXPECT_NEAR(gpu.rmse, cpu.rmse, same_data);
  EXPECT_NEAR(gpu.score, cpu.score, same_data);
  ASSERT_TRUE(gpu.confidence && cpu.confidence);
  EXPECT_NEAR(*gpu.confidence, *cpu.confidence, same_confidence);
}

using MachineGpu = NeedsCuda<testing::Test>;

TEST_F(MachineGpu, AutomaticTakesTheGpuAndSaysSo) {
  const PointCloud cloud = bumpy_surface(500);
  EXPECT_EQ(register_points(cloud, cloud, {}, on(Machine::automatic)).machine, "cuda:0");
}

TEST_F(MachineGpu, ADeviceThatIsNotThereIsAnError) {
  auto run = on(Machine::cuda);
  run.device = 999;
  const PointCloud cloud = bumpy_surface(500);
  EXPECT_THROW(register_points(cloud, cloud, {}, run), MachineError);
}

}  // namespace
}  // namespace dovetail
