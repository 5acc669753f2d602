// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/soft.h"

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/cuda/gauss_sum.cuh"
#include "backend/far_row.h"
#include "methods/float_pose.h"

namespace dovetail {

namespace {

/// Whose points a sweep goes over.
enum class Side : int { source, target };

DOVETAIL_HD std::uint32_t rows_of(const soft::Data& data, Side side) {
  return side == Side::source ? data.source.count : data.target.tree.count;
}

DOVETAIL_HD cuda::GaussPlan plan_of(const soft::Params& params, const soft::Data& data, Side side) {
  const ClusterTreeView& tree = side == Side::source ? data.target : data.source_clusters;
  return cuda::gauss_plan(rows_of(data, side), tree.tree.count, tree.depth, static_cast<float>(params.tolerance));
}

/// How the sweeps of a batch can be divided, over any data and side it can come to.
template <class Use>
void each_plan(const Batch<soft::Soft>& batch, const Use& use) {
  for (const soft::Data& data : batch.data) {
    use(plan_of(batch.params, data, Side::source));
    if (batch.params.sweeps > 0) use(plan_of(batch.params, data, Side::target));
  }
}

/// One sweep of a state, and what its rows make of the sums.
struct SoftSweep : cuda::GaussPass {
  double outlier;           ///< the constant part of a row's sum
  const float* row_weight;  ///< of the source's points, or null
  float* factors;           ///< where a sweep before the last puts u or v
  unsigned dense, walks;    ///< items for blocks and for warps
  std::uint32_t level;
  float log2_share;  ///< of the outlier's weight that a point's may be off
  float most_reach;  ///< from which on nothing is left out
};

/// A function of its own: few rows need it, and it is long.
__device__ __noinline__ soft::Row far_row_apart(const KdTreeView& target, const soft::Params& params,
                                                const soft::State& state, const float* moved) {
  return far_row(target, params, state, moved);
}

/// Sweeps of Gaussian sums over all rows by the whole grid, one a pose or, with sweeps over columns, one after the
/// other: rows without factors, then columns and rows in turn. `Walks` where a tree is walked; without, every pair is
/// computed.
template <bool Walks, bool Squares>
struct SoftPass : cuda::GridPass {
  static constexpr unsigned part_size = cuda::dense_tile;
  static constexpr int blocks = 2;
  static constexpr unsigned kinds = 3;  ///< of sweeps

  struct Extra {
    SoftSweep* sweeps;   ///< `kinds` a state
    float4* partial;     ///< most_partials a state
    float* squares;      ///< as many, of square roots
    float* floor;        ///< most_rows a state, with squares twice
    unsigned* done;      ///< most_tiles a state
    unsigned* counters;  ///< of items for blocks and for warps; two of each, used in turn
    std::size_t most_partials;
    unsigned most_rows, most_tiles;
  };
  using Arguments = cuda::LoopArguments<soft::Soft, SoftPass>;
  using Grid = cooperative_groups::grid_group;
  static constexpr int width = doubles_in<soft::Sums>;

  __device__ static unsigned part_count(std::uint32_t rows) { return (rows + part_size - 1) / part_size; }

  union Scratch {
    cuda::GaussBlockScratch gauss;
    cuda::GaussRow halves[part_size];
    double sums[width][part_size + 8];  ///< as many doubles apart as banks serve
  };
  __device__ static Scratch& scratch() {
    __shared__ Scratch block;
    return block;
  }

  static Extra make_extra(const Batch<soft::Soft>& batch, cuda::Workspace& workspace) {
    Extra extra{};
    each_plan(batch, [&](const cuda::GaussPlan& plan) {
      extra.most_partials = std::max(extra.most_partials, plan.partials());
      extra.most_rows = std::max(extra.most_rows, plan.rows);
      extra.most_tiles = std::max(extra.most_tiles, plan.tiles());
    });
    const std::size_t states = batch.states.size();
    extra.sweeps = workspace.take<SoftSweep>(states * kinds);
    extra.partial = workspace.take<float4>(states * extra.most_partials);
    if (Squares) extra.squares = workspace.take<float>(states * extra.most_partials);
    if (Walks) extra.floor = workspace.take<float>(states * extra.most_rows * (Squares ? 2 : 1));
    extra.done = workspace.take<unsigned>(states * extra.most_tiles);
    cuda::check(cudaMemsetAsync(extra.done, 0, sizeof(unsigned) * states * extra.most_tiles, workspace.stream()));
    extra.counters = workspace.take<unsigned>(4);
    return extra;
  }

  /// The distance beyond which all weights together are less than the tolerance of the outlier's, or nothing in float:
  /// less than 2^-140, beside the 1e-30 where far_row() takes over. Roots have their squares left out with them.
  /// Infinite where it leaves out too little to be worth the asking.
  __device__ static float reach(const soft::State& state, const SoftSweep& sweep) {
    if (!(sweep.settings.tolerance > 0)) return INFINITY;
    const float allowed = sweep.log2_share + static_cast<float>(1.4426950408889634 * state.log_outlier) -
                          log2f(sweep.settings.most_weight);
    const float distance = 1.00001f * sqrtf(fminf(fmaxf(0.0f, -allowed), 140.0f) / cuda::gauss_k(sweep.settings));
    return distance < sweep.most_reach ? distance : INFINITY;
  }

  /// What a sweep adds up as long as its state stays at a level.
  __device__ static void aim_at_level(const Arguments& a, unsigned s, const soft::State& state, unsigned kind,
                                      SoftSweep& sweep) {
    const Extra& extra = a.extra;
    const soft::Data& data = a.data_of(state);
    const Side side = kind == 1 ? Side::target : Side::source;
    float *u = a.kept + s * a.most_kept, *v = u + data.source.count;
    sweep.level = state.level;
    sweep.plan = plan_of(a.params, data, side);
    sweep.settings = {};
    sweep.settings.tolerance = static_cast<float>(a.params.tolerance);
    if (side == Side::source) {
      sweep.points = {data.target, kind == 2 ? v : nullptr};
      sweep.rows = {data.source.x, data.source.y, data.source.z, data.source.count};
    } else {
      const KdTreeView& target = data.target.tree;
      const TreePoint* points = target.points;
      sweep.points = {data.source_clusters, u};
      sweep.rows = {&points->x, &points->y, &points->z, target.count, sizeof(TreePoint) / sizeof(float)};
    }
    if (sweep.points.weight != nullptr) sweep.points.clusters.moments = nullptr;
    const ClusterTreeView& tree = sweep.points.clusters;
    sweep.log2_share = log2_allowance(sweep.settings.tolerance, 1.0f, tree.tree.count);
    sweep.most_reach = 0.5f * tree.clusters[1].radius;
    sweep.row_weight = data.source.weight;
    sweep.factors = kind == 1 ? v : u;
    sweep.partial = extra.partial + s * extra.most_partials;
    sweep.squares = Squares ? extra.squares + s * extra.most_partials : nullptr;
    sweep.floor = Walks ? extra.floor + std::size_t{s} * extra.most_rows * (Squares ? 2 : 1) : nullptr;
    sweep.done = extra.done + s * extra.most_tiles;
    sweep.dense = sweep.plan.dense ? sweep.plan.items() : 0;
    sweep.walks = sweep.plan.dense ? 0 : sweep.plan.items();
  }

  /// What it adds up at a pose; on the target's side distances are those of the source's frame.
  __device__ static void aim_at_pose(const soft::Params& params, const soft::State& state, unsigned kind,
                                     SoftSweep& sweep) {
    const Similarity3& pose = state.target_from_source;
    sweep.outlier = exp(state.log_outlier);
    sweep.settings.outlier = static_cast<float>(sweep.outlier);
    if (kind != 1) {
      sweep.settings.sigma = static_cast<float>(soft::kernel_sigma(params, state));
      sweep.pose = FloatPose(pose);
    } else {
      sweep.settings.sigma = static_cast<float>(state.sigma / pose.scale);
      sweep.pose = FloatPose(pose.inverse());
    }
    if (kind != 0) sweep.settings.most_weight = 1 / sweep.settings.outlier;
    sweep.reach = reach(state, sweep);
  }

  /// Called by a block; the first time for everything.
  __device__ static __noinline__ void aim(const Arguments& a, const soft::Params& params, unsigned s,
                                          const soft::State& state, bool first) {
    if (first && blockIdx.x == 0 && threadIdx.x < 4) a.extra.counters[threadIdx.x] = 0;
    if (threadIdx.x >= (params.sweeps > 0 ? kinds : 1)) return;
    SoftSweep& sweep = a.extra.sweeps[s * kinds + threadIdx.x];
    if (soft::Soft::finished(state)) {
      sweep.dense = sweep.walks = 0;
      return;
    }
    if (first || sweep.level != state.level) aim_at_level(a, s, state, threadIdx.x, sweep);
    aim_at_pose(params, state, threadIdx.x, sweep);
  }

  /// Turns have been taken here, not by advance().
  __device__ static void passes_done(const soft::Params& params, soft::State& state) { state.pass = 2 * params.sweeps; }

  __device__ static void pass(const Arguments& a, const Grid& grid, int step) {
    const int last = 2 * a.params.sweeps;
    for (int i = 0; i <= last; ++i) {
      const unsigned kind = i == 0 ? 0 : 2 - static_cast<unsigned>(i) % 2;
      unsigned* counters = a.extra.counters + 2 * ((step + i) % 2);
      if (blockIdx.x == 0 && threadIdx.x < 2) a.extra.counters[2 * ((step + i + 1) % 2) + threadIdx.x] = 0;
      if constexpr (Walks) {
        floors(a, kind);
        grid.sync();
        walk_items(a, kind, counters + 1);
      }
      dense_items(a, kind, i == last, counters);
      if constexpr (Walks) {
        grid.sync();
        walked_rows(a, kind, i == last);
      }
      if (i < last) grid.sync();
    }
  }

  /// Goes through the work of all states in its order: whose the i-th piece is.
  struct Deal {
    const SoftSweep* sweep;
    const SoftSweep* end;
    unsigned before = 0;  ///< pieces of the states before

    __device__ Deal(const Arguments& a, unsigned kind)
        : sweep(a.extra.sweeps + kind), end(sweep + a.state_count * kinds) {}
    __device__ unsigned state(const Arguments& a) const {
      return static_cast<unsigned>(sweep - a.extra.sweeps) / kinds;
    }
    template <class Count>
    __device__ bool find(unsigned i, const Count& count) {
      for (; sweep < end; sweep += kinds) {
        const unsigned own = count(*sweep);
        if (i - before < own) return true;
        before += own;
      }
      return false;
    }
  };

  /// What each row's sum is at least.
  __device__ static void floors(const Arguments& a, unsigned kind) {
    const unsigned warps = gridDim.x * cuda::gauss_warps, warp = threadIdx.x / 32;
    Deal deal(a, kind);
    for (unsigned i = warp * gridDim.x + blockIdx.x;
         deal.find(i, [](const SoftSweep& sweep) { return sweep.walks > 0 ? sweep.plan.tiles() : 0; }); i += warps) {
      cuda::gauss_floor<Squares>(*deal.sweep, i - deal.before, scratch().gauss.warp[warp]);
    }
  }

  /// Items dealt out from a counter. The first one is given, so that short sweeps do not queue at the counter;
  /// consecutive items go to different multiprocessors.
  __device__ static void walk_items(const Arguments& a, unsigned kind, unsigned* counter) {
    const unsigned warps = gridDim.x * cuda::gauss_warps, warp = threadIdx.x / 32;
    Deal deal(a, kind);
    for (unsigned i = warp * gridDim.x + blockIdx.x;
         deal.find(i, [](const SoftSweep& sweep) { return sweep.walks; });) {
      unsigned next = 0;
      if ((threadIdx.x & 31u) == 0) next = warps + atomicAdd(counter, 1u);
      cuda::gauss_walk_item<Squares>(*deal.sweep, i - deal.before, scratch().gauss.warp[warp]);
      i = __shfl_sync(cuda::whole_warp, next, 0);
    }
    if constexpr (Walks) __syncthreads();
  }

  __device__ static void dense_items(const Arguments& a, unsigned kind, bool last, unsigned* counter) {
    __shared__ unsigned shared_next;
    __shared__ cuda::Room<SoftSweep> room;  // fetched once for all warps
    SoftSweep& sweep = room.value();
    Deal deal(a, kind);
    const SoftSweep* fetched = nullptr;
    const auto fetch = [&] {
      __syncthreads();  // all have read the one before
      fetched = deal.sweep;
      cuda::copy_by_block(sweep, *fetched);
      __syncthreads();
    };
    const auto count = [&](const SoftSweep& of) { return &of == fetched ? sweep.dense : of.dense; };
    fetch();
    for (unsigned i = blockIdx.x; deal.find(i, count);) {
      unsigned next = 0;
      if (threadIdx.x == 0) next = gridDim.x + atomicAdd(counter, 1u);
      if (fetched != deal.sweep) fetch();
      const unsigned tiles = sweep.plan.tiles(), chunk = (i - deal.before) / tiles, tile = (i - deal.before) % tiles;
      if (Squares || last) {
        cuda::gauss_dense_item<Squares, true>(sweep, tile, chunk, scratch().gauss);
      } else {
        cuda::gauss_dense_item<Squares, false>(sweep, tile, chunk, scratch().gauss);
      }
      if (cuda::gauss_tile_done(sweep, tile)) rows(a, deal.state(a), sweep, tile, last);
      if (threadIdx.x == 0) shared_next = next;
      __syncthreads();
      i = shared_next;
    }
  }

  __device__ static void walked_rows(const Arguments& a, unsigned kind, bool last) {
    Deal deal(a, kind);
    for (unsigned i = blockIdx.x;
         deal.find(i, [](const SoftSweep& sweep) { return sweep.walks > 0 ? part_count(sweep.plan.rows) : 0; });
         i += gridDim.x) {
      rows(a, deal.state(a), *deal.sweep, i - deal.before, last);
    }
  }

  /// What the rows of a part make of their sums, by a block: factors or, after the last sweep, the sums of the part.
  /// Two threads share the chunks of a row.
  __device__ static __noinline__ void rows(const Arguments& a, unsigned s, const SoftSweep& sweep, unsigned part,
                                           bool last) {
    static_assert(2 * part_size == cuda::threads);
    Scratch& block = scratch();
    const unsigned own = threadIdx.x % part_size, chunks = sweep.plan.chunks, middle = (chunks + 1) / 2;
    const bool second = threadIdx.x >= part_size;
    const std::uint32_t row = part * part_size + own;
    cuda::GaussRow found{};
    float p[3] = {}, weight = 1;
    if (last && !second && row < sweep.rows.count) {  // on their way while others are waited for
      p[0] = sweep.rows.x[row], p[1] = sweep.rows.y[row], p[2] = sweep.rows.z[row];
      if (sweep.row_weight != nullptr) weight = sweep.row_weight[row];
    }
    if (row < sweep.rows.count) {
      found = cuda::gauss_row<Squares>(sweep, row, second ? middle : 0, second ? chunks : middle);
    }
    if (second) block.halves[own] = found;
    __syncthreads();
    soft::Sums sums{};
    if (!second && row < sweep.rows.count) {
      const cuda::GaussRow& other = block.halves[own];
      found.sum.x += other.sum.x, found.sum.y += other.sum.y, found.sum.z += other.sum.z, found.sum.w += other.sum.w;
      found.squares += other.squares;
      if (last) {
        if (weight > 0) add_row(a, s, sweep, p, weight, found, sums);
      } else {
        sweep.factors[row] = soft::scaling(sweep.outlier, found.sum.x);
      }
    }
    __syncthreads();
    if (!last) return;
    if (!second) {
#pragma unroll
      for (int k = 0; k < width; ++k) block.sums[k][own] = as_doubles(sums)[k];
    }
    __syncthreads();
    // Eight threads a sum.
    static_assert(8 * width <= cuda::threads);
    const unsigned k = threadIdx.x / 8;
    double value = 0;
    if (k < width) {
#pragma unroll
      for (unsigned i = 0; i < part_size; i += 8) value += block.sums[k][i + threadIdx.x % 8];
    }
    for (unsigned offset = 4; offset > 0; offset /= 2) value += __shfl_down_sync(cuda::whole_warp, value, offset);
    if (k < width && threadIdx.x % 8 == 0) {
      as_doubles(a.parts(s)[part])[k] = value;
    }
    __syncthreads();
  }

  __device__ static void add_row(const Arguments& a, unsigned s, const SoftSweep& sweep, const float* p, double weight,
                                 const cuda::GaussRow& found, soft::Sums& sums) {
    soft::Row row{found.sum.x, {found.sum.y, found.sum.z, found.sum.w}, found.squares, 0};
    float moved[3];
    sweep.pose.apply(p[0], p[1], p[2], moved);
    double outlier = sweep.outlier;
    if (const soft::State& state = a.states[s]; vanished(state, Squares ? found.squares : found.sum.x)) {
      row = far_row_apart(a.data_of(state).target.tree, a.params, state, moved);
      outlier = exp(state.log_outlier + row.shift);
    }
    soft::add_row(a.params, outlier, weight, {p[0], p[1], p[2]}, {moved[0], moved[1], moved[2]}, row, sums);
  }
};

}  // namespace

void CudaBackend::add_soft() {
  add<Batch<soft::Soft>>([](Backend& self, void* job) {
    Batch<soft::Soft>& batch = *static_cast<Batch<soft::Soft>*>(job);
    Impl& impl = *static_cast<CudaBackend&>(self).impl_;
    bool walks = false;
    each_plan(batch, [&](const cuda::GaussPlan& plan) { walks = walks || !plan.dense; });
    if (batch.params.square_roots) {
      walks ? impl.loop<SoftPass<true, true>>(batch) : impl.loop<SoftPass<false, true>>(batch);
    } else {
      walks ? impl.loop<SoftPass<true, false>>(batch) : impl.loop<SoftPass<false, false>>(batch);
    }
  });
}

}  // namespace dovetail
