// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/soft.h"

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/cuda/gauss_sum.cuh"
#include "backend/far_row.h"
#include "methods/float_pose.h"

namespace dovetail {

namespace {

/// A sweep of Gaussian sums over all rows by the whole grid, then what each row makes of them.
struct SoftPass {
  static constexpr bool sweeps = true;

  struct Extra {
    float4* partial;    ///< most_partials a state
    float* squares;     ///< as many, where square roots are asked for
    float *u, *v;       ///< most_source and most_target a state, where factors are kept
    unsigned* counter;  ///< of work items
    std::size_t most_partials, most_source, most_target;
    unsigned most_items;
  };
  using Arguments = cuda::LoopArguments<soft::Soft, SoftPass>;

  __host__ __device__ static cuda::GaussPlan plan_of(const LevelView& level, Side side) {
    const ClusterTreeView& tree = side == Side::source ? level.target_clusters : level.source_clusters;
    return cuda::gauss_plan(level.points(side), tree.tree.count, tree.depth);
  }

  static Extra make_extra(const Batch<soft::Soft>& batch, cuda::Workspace& workspace,
                          std::span<const ProblemView> problems) {
    Extra extra{};
    const bool keeps = soft::Soft::keeps_arrays(batch.params);
    for (const soft::State& state : batch.states) {
      const ProblemView& problem = problems[state.problem];
      const int end = std::min(problem.levels, batch.level_end);
      for (int l = static_cast<int>(state.level); l < end; ++l) {
        for (const Side side : {Side::source, Side::target}) {
          if (side == Side::target && !keeps) continue;
          const cuda::GaussPlan plan = plan_of(problem.level[l], side);
          extra.most_partials = std::max(extra.most_partials, plan.partials());
          extra.most_items = std::max(extra.most_items, plan.items());
        }
      }
    }
    const std::size_t states = batch.states.size();
    extra.partial = workspace.take<float4>(states * extra.most_partials);
    if (batch.params.square_roots) extra.squares = workspace.take<float>(states * extra.most_partials);
    if (keeps) {
      extra.most_source = most_points(batch, problems, Side::source);
      extra.most_target = most_points(batch, problems, Side::target);
      extra.u = workspace.take<float>(states * extra.most_source);
      extra.v = workspace.take<float>(states * extra.most_target);
    }
    extra.counter = workspace.take<unsigned>(1);
    cuda::check(cudaMemsetAsync(extra.counter, 0, sizeof(unsigned), workspace.stream()));
    return extra;
  }

  __device__ static PointArrays arrays_of(const Extra& extra, unsigned s) {
    return {extra.u + s * extra.most_source, extra.v + s * extra.most_target};
  }

  /// What the sweep of a state adds up; on the target's side distances are those of the source's frame.
  __device__ static cuda::GaussPass gauss_pass(const Extra& extra, unsigned s, const LevelView& level,
                                               const soft::Params& params, const soft::State& state) {
    const Side side = soft::Soft::side(state);
    const PointArrays arrays = arrays_of(extra, s);
    cuda::GaussPass pass;
    pass.plan = plan_of(level, side);
    pass.settings.outlier = static_cast<float>(exp(state.log_outlier));
    pass.settings.tolerance = static_cast<float>(params.tolerance);
    if (side == Side::source) {
      pass.settings.sigma = static_cast<float>(soft::kernel_sigma(params, state));
      pass.points = {level.target_clusters, state.pass > 0 ? arrays.target : nullptr};
      pass.rows = {level.x, level.y, level.z, level.count};
      pass.pose = FloatPose(state.target_from_source);
    } else {
      const TreePoint* points = level.target.points;
      pass.settings.sigma = static_cast<float>(state.sigma / state.target_from_source.scale);
      pass.points = {level.source_clusters, arrays.source};
      pass.rows = {&points->x, &points->y, &points->z, level.target.count, sizeof(TreePoint) / sizeof(float)};
      pass.pose = FloatPose(state.target_from_source.inverse());
    }
    if (pass.points.weight != nullptr) {
      pass.settings.most_weight = 1 / pass.settings.outlier;
      pass.points.clusters.moments = nullptr;
    }
    pass.partial = extra.partial + s * extra.most_partials;
    pass.squares = extra.squares == nullptr ? nullptr : extra.squares + s * extra.most_partials;
    return pass;
  }

  __device__ static void sweep_done(const Arguments& a) { *a.extra.counter = 0; }

  /// Items of all states, dealt out from one counter.
  __device__ static void sweep(const Arguments& a) {
    __shared__ cuda::GaussScratch scratch[cuda::threads / 32];
    const unsigned lane = threadIdx.x & 31u, warps = gridDim.x * (cuda::threads / 32);
    const unsigned all = a.state_count * a.extra.most_items;
    for (unsigned item = (threadIdx.x / 32) * gridDim.x + blockIdx.x; item < all;) {
      unsigned next = 0;
      if (lane == 0) next = warps + atomicAdd(a.extra.counter, 1u);
      const unsigned s = item / a.extra.most_items, own = item % a.extra.most_items;
      const soft::State& state = a.states[s];
      if (!soft::Soft::finished(state)) {
        const LevelView& level = a.problems[state.problem].level[state.level];
        const cuda::GaussPass pass = gauss_pass(a.extra, s, level, a.params, state);
        if (own < pass.plan.items()) {
          if (a.params.square_roots) {
            cuda::gauss_item<true>(pass, own, scratch[threadIdx.x / 32]);
          } else {
            cuda::gauss_item<false>(pass, own, scratch[threadIdx.x / 32]);
          }
        }
      }
      item = __shfl_sync(cuda::whole_warp, next, 0);
    }
  }

  template <class Add>
  __device__ void operator()(const cuda::PassPlace<Extra>& place, const LevelView& level, const soft::Params& params,
                             const soft::State& state, std::uint32_t point, const Add& add, std::uint32_t*) const {
    const cuda::GaussPass pass = gauss_pass(place.extra, place.state, level, params, state);
    const PointArrays arrays = arrays_of(place.extra, place.state);
    const float4 sum = cuda::gauss_row<1>(pass, point);
    if (soft::over_target(state)) {
      arrays.target[point] = soft::scaling(state, sum.x);
      return;
    }
    if (params.turns > 0) arrays.source[point] = soft::scaling(state, sum.x);
    const double weight = level.weight != nullptr ? level.weight[point] : 1.0;
    if (!(weight > 0)) return;
    soft::Row row{sum.x, {sum.y, sum.z, sum.w}, 0, 0};
    if (params.square_roots) row.squares = cuda::gauss_row_squares(pass, point);
    const float p[3] = {level.x[point], level.y[point], level.z[point]};
    float moved[3];
    pass.pose.apply(p[0], p[1], p[2], moved);
    if (vanished(state, params.square_roots ? static_cast<float>(row.squares) : sum.x)) {
      row = far_row(level.target, params, state, moved);
    }
    soft::Sums sums{};
    soft::add_row(params, state, weight, {p[0], p[1], p[2]}, {moved[0], moved[1], moved[2]}, row, sums);
#pragma unroll
    for (int k = 0; k < doubles_in<soft::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::run(Batch<soft::Soft>& batch) { impl_->loop<SoftPass>(batch); }

}  // namespace dovetail
