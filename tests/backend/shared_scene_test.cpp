// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/scene_cases.h"

namespace dovetail {
namespace {

TEST(SharedScene, TwentyObjectsAreFoundInOneScene) {
  CpuBackend cpu(2);
  test::expect_objects_found_in_one_scene(cpu);
}

}  // namespace
}  // namespace dovetail
