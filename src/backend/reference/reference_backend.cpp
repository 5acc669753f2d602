// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/reference_backend.h"

#include "backend/evaluation_pass.h"
#include "backend/host_loop.h"
#include "backend/reference/nearest.h"
#include "backend/reference/normals.h"

namespace dovetail {

void ReferenceBackend::estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) {
  estimate_normals_reference(tree, settings, out);
}

void ReferenceBackend::place(std::span<const Problem> problems) {
  problems_.clear();
  for (const Problem& problem : problems) problems_.push_back(problem.view());
}

void ReferenceBackend::run(Batch<Evaluation>& batch) {
  const auto pass = [](const LevelView& level, const Evaluation::Params& params, const Evaluation::State& state,
                       std::uint32_t block, Evaluation::Sums& sums, std::uint32_t*, const PointArrays&) {
    const auto find = [&](const float* q, float reach) { return reference::nearest(level.target, q, reach); };
    const FloatPose pose(state.target_from_source);
    const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
    for (std::uint32_t p = first; p < last; ++p) evaluate_point(level, params, pose, p, find, sums);
  };
  run_host_loop(batch, problems_, reference::one_by_one, pass);
}

}  // namespace dovetail
