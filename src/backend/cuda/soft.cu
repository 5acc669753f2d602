// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/soft.h"

#ifdef DOVETAIL_LOOP_CLOCK
#include <cstdio>
#endif

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/cuda/gauss_sum.cuh"
#include "backend/far_row.h"
#include "methods/float_pose.h"

namespace dovetail {

namespace {

DOVETAIL_HD cuda::GaussPlan plan_of(const soft::Params& params, const LevelView& level, Side side) {
  const ClusterTreeView& tree = side == Side::source ? level.target_clusters : level.source_clusters;
  return cuda::gauss_plan(level.points(side), tree.tree.count, tree.depth, static_cast<float>(params.tolerance));
}

/// How the sweeps of a batch can be divided, at any level and side it can come to.
template <class Use>
void each_plan(const Batch<soft::Soft>& batch, std::span<const ProblemView> problems, const Use& use) {
  for (const soft::State& state : batch.states) {
    const ProblemView& problem = problems[state.problem];
    const int end = std::min(problem.levels, batch.params.levels);
    for (int l = static_cast<int>(state.level); l < end; ++l) {
      use(plan_of(batch.params, problem.level[l], Side::source));
      if (soft::Soft::keeps_arrays(batch.params)) use(plan_of(batch.params, problem.level[l], Side::target));
    }
  }
}

/// Sweeps of Gaussian sums over all rows by the whole grid, then what each row makes of them. `Walks` where a tree is
/// walked; without, every pair is computed.
template <bool Walks, bool Squares>
struct SoftPass {
  static constexpr int sweeps = Walks ? 2 : 1;
  static constexpr int blocks = 2;

  struct Extra {
    cuda::GaussPass* passes;  ///< one a state
    float4* partial;          ///< most_partials a state
    float* squares;           ///< as many, of square roots
    float* floor;             ///< most_rows a state, with squares twice
    float *u, *v;             ///< most_source and most_target a state, where factors are kept
    unsigned* counter;        ///< of work items
    std::size_t most_partials, most_source, most_target;
    unsigned most_rows, most_tiles, most_items;
  };
  using Arguments = cuda::LoopArguments<soft::Soft, SoftPass>;

  static Extra make_extra(const Batch<soft::Soft>& batch, cuda::Workspace& workspace,
                          std::span<const ProblemView> problems) {
    Extra extra{};
    each_plan(batch, problems, [&](const cuda::GaussPlan& plan) {
      extra.most_partials = std::max(extra.most_partials, plan.partials());
      extra.most_rows = std::max(extra.most_rows, plan.rows);
      extra.most_tiles = std::max(extra.most_tiles, plan.tiles());
      extra.most_items = std::max(extra.most_items, plan.items());
    });
    const std::size_t states = batch.states.size();
    extra.passes = workspace.take<cuda::GaussPass>(states);
    extra.partial = workspace.take<float4>(states * extra.most_partials);
    if (Squares) extra.squares = workspace.take<float>(states * extra.most_partials);
    if (Walks) extra.floor = workspace.take<float>(states * extra.most_rows * (Squares ? 2 : 1));
    if (soft::Soft::keeps_arrays(batch.params)) {
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
    pass.plan = plan_of(params, level, side);
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
    if (Squares) pass.squares = extra.squares + s * extra.most_partials;
    if (Walks) pass.floor = extra.floor + std::size_t{s} * extra.most_rows * (Squares ? 2 : 1);
    return pass;
  }

  __device__ static void aim(const Arguments& a, unsigned s) {
    const soft::State& state = a.states[s];
    if (soft::Soft::finished(state)) return;
    a.extra.passes[s] = gauss_pass(a.extra, s, a.problems[state.problem].level[state.level], a.params, state);
  }

  __device__ static void sweeps_done(const Arguments& a) { *a.extra.counter = 0; }

  __device__ static void sweep(const Arguments& a, int step) {
    __shared__ cuda::GaussScratch scratch[cuda::threads / 32];
    if (Walks && step == 0) {
      floors(a, scratch[threadIdx.x / 32]);
    } else {
      items(a, scratch[threadIdx.x / 32]);
    }
  }

  /// The warp's part of `count` pieces of work in all: work(state, piece of it).
  template <class Work>
  __device__ static void piece(const Arguments& a, unsigned index, unsigned each, const Work& work) {
    const unsigned s = index / each;
    const soft::State& state = a.states[s];
    if (soft::Soft::finished(state)) return;
    work(a.extra.passes[s], index % each);
  }

  /// What each row's sum is at least.
  __device__ static void floors(const Arguments& a, cuda::GaussScratch& scratch) {
    const unsigned warps = gridDim.x * (cuda::threads / 32), all = a.state_count * a.extra.most_tiles;
    for (unsigned i = (threadIdx.x / 32) * gridDim.x + blockIdx.x; i < all; i += warps) {
      piece(a, i, a.extra.most_tiles, [&](const cuda::GaussPass& pass, unsigned tile) {
        if (!pass.plan.dense && tile < pass.plan.tiles()) cuda::gauss_floor<Squares>(pass, tile, scratch);
      });
    }
  }

  /// Items of all states, dealt out from one counter. A warp's first item is given, so that short sweeps do not queue
  /// at the counter; consecutive items go to different multiprocessors.
  __device__ static void items(const Arguments& a, cuda::GaussScratch& scratch) {
    const unsigned warps = gridDim.x * (cuda::threads / 32), all = a.state_count * a.extra.most_items;
    for (unsigned i = (threadIdx.x / 32) * gridDim.x + blockIdx.x; i < all;) {
      unsigned next = 0;
      if ((threadIdx.x & 31u) == 0) next = warps + atomicAdd(a.extra.counter, 1u);
      piece(a, i, a.extra.most_items, [&](const cuda::GaussPass& pass, unsigned item) {
        if (item >= pass.plan.items()) return;
        if constexpr (Walks) {
          if (!pass.plan.dense) return cuda::gauss_item<Squares, false>(pass, item, scratch);
        }
        cuda::gauss_item<Squares, true>(pass, item, scratch);
      });
      i = __shfl_sync(cuda::whole_warp, next, 0);
    }
  }

  template <class Add>
  __device__ void operator()(const cuda::PassPlace<Extra>& place, const LevelView& level, const soft::Params& params,
                             const soft::State& state, std::uint32_t point, const Add& add, std::uint32_t*) const {
    const cuda::GaussPass& pass = place.extra.passes[place.state];
    const PointArrays arrays = arrays_of(place.extra, place.state);
    const float4 sum = cuda::gauss_row(pass, point);
    if (soft::over_target(state)) {
      arrays.target[point] = soft::scaling(state, sum.x);
      return;
    }
    if (params.turns > 0) arrays.source[point] = soft::scaling(state, sum.x);
    const double weight = level.weight != nullptr ? level.weight[point] : 1.0;
    if (!(weight > 0)) return;
    soft::Row row{sum.x, {sum.y, sum.z, sum.w}, 0, 0};
    if (Squares) row.squares = cuda::gauss_row_squares(pass, point);
    const float p[3] = {level.x[point], level.y[point], level.z[point]};
    float moved[3];
    pass.pose.apply(p[0], p[1], p[2], moved);
    if (vanished(state, Squares ? static_cast<float>(row.squares) : sum.x)) {
      row = far_row(level.target, params, state, moved);
    }
    soft::Sums sums{};
    soft::add_row(params, state, weight, {p[0], p[1], p[2]}, {moved[0], moved[1], moved[2]}, row, sums);
#pragma unroll
    for (int k = 0; k < doubles_in<soft::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::run(Batch<soft::Soft>& batch) {
  bool walks = false;
  each_plan(batch, impl_->views, [&](const cuda::GaussPlan& plan) { walks = walks || !plan.dense; });
  if (batch.params.square_roots) {
    walks ? impl_->loop<SoftPass<true, true>>(batch) : impl_->loop<SoftPass<false, true>>(batch);
  } else {
    walks ? impl_->loop<SoftPass<true, false>>(batch) : impl_->loop<SoftPass<false, false>>(batch);
  }
#ifdef DOVETAIL_LOOP_CLOCK
  long long c[8];
  cudaMemcpyFromSymbol(c, loop_clock_sum, sizeof c);
  printf("clock poses %d:", batch.states[0].iteration);
  for (int i = 0; i < 8; ++i) printf(" %d:%.2f", i, double(c[i]) / 1980 / batch.states[0].iteration), c[i] = 0;
  printf(" us\n");
  cudaMemcpyToSymbol(loop_clock_sum, c, sizeof c);
#endif
}

}  // namespace dovetail
