// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "core/random.h"
#include "dovetail/find.h"
#include "dovetail/registration.h"
#include "dovetail/scanner.h"
#include "gpicp/table_scene.h"
#include "support/machines.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/tolerances.h"

namespace dovetail::test {
namespace {

using GpicpOnTheGpu = NeedsCuda<testing::Test>;

TEST_F(GpicpOnTheGpu, EndsWhereTheCpuEnds) {
  const PointCloud target = bumpy_surface(6000, 1);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    RandomStream random(seed, 0);
    const Transform truth = Rigid3{random.rotation(), 3.0 * random.unit_vector()};
    const PointCloud source = truth.inverse() * bumpy_surface(5000, 2);
    const Registration cpu = register_points(source, target, Gpicp{}, on(Machine::cpu));
    const Registration gpu = register_points(source, target, Gpicp{}, on(Machine::cuda));
    EXPECT_EQ(gpu.machine, "cuda:0");
    EXPECT_LT(distance_off(gpu.target_from_source, cpu.target_from_source, source), same_data);
    ASSERT_TRUE(gpu.confidence && cpu.confidence);
    EXPECT_NEAR(*gpu.confidence, *cpu.confidence, same_confidence);
  }
}

TEST_F(GpicpOnTheGpu, AreTheSameBitsEveryTime) {
  const PointCloud target = bumpy_surface(6000, 1), source = bumpy_surface(5000, 2);
  for (const Gpicp& options : {Gpicp{}, gpicp_preset("thesis")}) {
    const Registration once = register_points(source, target, options, on(Machine::cuda));
    const Registration again = register_points(source, target, options, on(Machine::cuda));
    EXPECT_EQ(once.target_from_source, again.target_from_source);
    EXPECT_EQ(once.log_odds, again.log_odds);
    ASSERT_EQ(once.alternatives.size(), again.alternatives.size());
  }
}

TEST_F(GpicpOnTheGpu, FindsWhatTheCpuFinds) {
  if (!scanner_available()) GTEST_SKIP() << "built without Embree";
  const TableScene scene;
  const PointCloud seen = scene.seen();
  const ObjectToFind wanted[] = {{"bracket", &scene.bracket}, {"t-pipe", &scene.pipe}};
  const Found cpu = find_objects(wanted, seen, {}, on(Machine::cpu));
  const Found gpu = find_objects(wanted, seen, {}, on(Machine::cuda));
  ASSERT_EQ(gpu.objects.size(), cpu.objects.size());
  for (std::size_t i = 0; i < cpu.objects.size(); ++i) {
    EXPECT_EQ(gpu.objects[i].object, cpu.objects[i].object);
    const PointCloud& part = cpu.objects[i].index == 0 ? scene.bracket : scene.pipe;
    // The parts are about 150 long.
    EXPECT_LT(distance_off(gpu.objects[i].scene_from_object, cpu.objects[i].scene_from_object, part), 150 * same_data);
    EXPECT_NEAR(*gpu.objects[i].confidence, *cpu.objects[i].confidence, same_confidence);
  }
}

}  // namespace
}  // namespace dovetail::test
