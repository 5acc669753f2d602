// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"

#include <hwy/targets.h>

#include "spatial/kd_search.h"

namespace dovetail {

CpuBackend::CpuBackend(int threads) : threads_(threads) {
  add_icp();
  add_soft();
  add_chamfer();
  add_chamfer_lines();
  add_distance_field();
  add_rasterise();
  add_rough_pose();
  add_fine_pose();
  add_rows<KdSearch>();
  add_samples<KdSearch>();  // placements have a pass of their own after it
  add_placements();
}

std::string CpuBackend::arithmetic() const {
  const std::uint32_t supported = static_cast<std::uint32_t>(hwy::SupportedTargets());
  return hwy::TargetName(static_cast<std::int64_t>(supported & (~supported + 1)));  // the best one is the lowest bit
}

}  // namespace dovetail
