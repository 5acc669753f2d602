// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"

#include <hwy/targets.h>

#include "backend/cpu/normals.h"
#include "backend/evaluation_pass.h"
#include "spatial/kd_search.h"

namespace dovetail {

CpuBackend::CpuBackend(int threads) : threads_(threads) {}

std::string CpuBackend::arithmetic() const {
  const std::uint32_t supported = static_cast<std::uint32_t>(hwy::SupportedTargets());
  return hwy::TargetName(static_cast<std::int64_t>(supported & (~supported + 1)));  // the best one is the lowest bit
}

void CpuBackend::estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) {
  threads_.execute([&] { estimate_normals_cpu(tree, settings, out); });
}

void CpuBackend::place(std::span<const Problem> problems) {
  problems_.clear();
  for (const Problem& problem : problems) problems_.push_back(problem.view());
}

void CpuBackend::run(Batch<Evaluation>& batch) {
  loop(batch, [](const LevelView& level, const Evaluation::Params& params, const Evaluation::State& state,
                 std::uint32_t block, Evaluation::Sums& sums, std::uint32_t*, const PointArrays&) {
    const FloatPose pose(state.target_from_source);
    const auto find = [&](const float* q, float reach) { return nearest(level.target, q[0], q[1], q[2], reach); };
    const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
    for (std::uint32_t p = first; p < last; ++p) evaluate_point(level, params, pose, p, find, sums);
  });
}

}  // namespace dovetail
