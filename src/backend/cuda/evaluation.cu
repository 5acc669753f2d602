// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/evaluation_pass.h"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

struct EvaluationPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const LevelView& level, const Evaluation::Params& params, const Evaluation::State& state,
                             std::uint32_t point, const Add& add, std::uint32_t*) const {
    const auto find = [&](const float* q, float reach) { return nearest(level.target, q[0], q[1], q[2], reach); };
    Evaluation::Sums sums{};
    evaluate_point(level, params, FloatPose(state.target_from_source), point, find, sums);
    for (int k = 0; k < doubles_in<Evaluation::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::run(Batch<Evaluation>& batch) { impl_->loop<EvaluationPass>(batch); }

}  // namespace dovetail
