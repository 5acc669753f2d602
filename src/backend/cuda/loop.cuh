// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <type_traits>

#include "backend/batch.h"
#include "backend/cuda/loop_sums.cuh"

// The loop of a method, on the device: one cooperative kernel runs every iteration of every state of a batch. The host
// launches it once and waits once (run_loop.cuh). A pass is one of three kinds, named by what it derives from:
//
//     PointPass       an item a thread:      Pass{}(item of, add, bins)      add(k, value) adds to the k-th double of
//     SmallPass<16>   few items a hypothesis: 16 threads take them in turn                          the sums
//     GridPass        the whole grid helps each item: every block runs Pass::pass(arguments, grid, step)
//
// A point pass may have a `Context`, what all items need of a state: it is worked out once a step, and the pass is
// given the items first, first + threads, ... of a part at once: Pass::points(context, first, items, sums, bins).

namespace dovetail::cuda {

/// Which of a pass's kinds it is.
enum class Kind { point, small, grid };

/// A pass in which every item is on its own.
struct PointPass {
  static constexpr Kind kind = Kind::point;
  static constexpr unsigned part_size = threads;  ///< items whose sums are added up first
  static constexpr int blocks = 1;                ///< a multiprocessor must have registers for
  static constexpr bool shares_bins = true;       ///< a block counts in shared memory first
  struct Extra {};
};

/// A pass over so few items that a block would be wasted on a hypothesis: `Lanes` threads (a part of a warp) take them
/// in turn, and a block serves many hypotheses.
template <unsigned Lanes>
struct SmallPass : PointPass {
  static_assert(Lanes <= 32 && (Lanes & (Lanes - 1)) == 0);
  static constexpr Kind kind = Kind::small;
  static constexpr unsigned lanes = Lanes;
  static constexpr bool shares_bins = false;
};

/// A pass that brings its own way to the sums of all parts. The memory it needs is `Extra`; what all blocks would work
/// out from a state, one of them has written there with Pass::aim(arguments, params, s, state, first).
struct GridPass {
  static constexpr Kind kind = Kind::grid;
  static constexpr bool shares_bins = false;
};

/// One item of a pass.
template <Method M>
struct Item {
  const typename M::Data& data;
  const typename M::Params& params;
  const typename M::State& state;
  std::uint32_t hypothesis, index;
};

/// Whether a small pass goes through a lane's items itself: Pass::all(item, sums) adds up `item`, the one `lanes` on,
/// and so forth.
template <class Pass, class M>
concept TakesAll = requires(const Item<M>& item, double (&sums)[doubles_in<typename M::Sums>]) {
  Pass::all(item, sums);
};

template <class Pass>
concept HasContext = requires {
  typename Pass::Context;
};
template <class Pass>
struct ContextOf {
  using type = int;  // none
};
template <HasContext Pass>
struct ContextOf<Pass> {
  using type = typename Pass::Context;
};

/// What a launch does: whole iterations, or, where somebody adds to the sums in between, one half of one.
enum class Phase : int { loop, pass, advance };

/// The traced state as the host may see it while the loop runs, in mapped memory. `version` is odd while it changes.
template <class State>
struct Shown {
  unsigned version;
  State state;
};

template <Method M, class Pass>
struct LoopArguments {
  typename M::Params params;
  const typename M::Data* data;
  typename M::State* states;
  unsigned state_count;
  unsigned hypotheses;                       ///< the most of a state; a unit below is one of them
  unsigned most_parts;                       ///< parts of Pass::part_size items of the longest pass
  unsigned bins;                             ///< of a unit
  typename M::Sums* partial;                 ///< units × most_parts
  typename M::Sums* sums;                    ///< units
  typename M::Bin* all_bins;                 ///< units × bins
  unsigned* arrived;                         ///< units × groups of parts: parts that are there
  typename ContextOf<Pass>::type* contexts;  ///< state_count
  float* kept;                               ///< state_count × most_kept
  std::size_t most_kept;
  typename M::State* trace;  ///< rows of the traced state
  int traced;
  unsigned* trace_rows;
  Shown<typename M::State>* shown;  ///< null: nobody looks on
  unsigned long long* show_due;     ///< when next, by the device's clock
  unsigned* running;                ///< two counters, used in turn: states that still run
  int* stop_seen;                   ///< the request as the grid saw it
  const volatile int* request;      ///< mapped host memory; null when nobody watches
  int steps;                        ///< the most iterations in this launch
  Phase phase;
  typename Pass::Extra extra;

  __device__ const typename M::Data& data_of(const typename M::State& state) const {
    return data[M::data_index(params, state)];
  }
  __device__ unsigned parts_of(const typename M::State& state) const {
    if constexpr (Pass::kind == Kind::small) return 1;
    return (M::items(data_of(state), state) + Pass::part_size - 1) / Pass::part_size;
  }
  __device__ unsigned state_of(unsigned unit) const {
    if constexpr (one_hypothesis<M>) return unit;
    return unit / hypotheses;
  }
  __device__ unsigned hypothesis_of(unsigned unit) const { return one_hypothesis<M> ? 0 : unit % hypotheses; }
  /// Whether a unit is one of a state that runs.
  __device__ bool runs(unsigned unit) const {
    const typename M::State& state = states[state_of(unit)];
    if constexpr (one_hypothesis<M>) return !M::finished(state);
    return !M::finished(state) && hypothesis_of(unit) < M::hypotheses(params, state);
  }
  __device__ typename M::Sums* parts(unsigned unit) const {
    return partial + static_cast<std::size_t>(unit) * most_parts;
  }
  __device__ typename M::Bin* bins_of(unsigned unit) const { return all_bins + static_cast<std::size_t>(unit) * bins; }
};

/// Room for a value in shared memory, where no constructor runs.
template <class T>
struct Room {
  alignas(16) unsigned char bytes[sizeof(T)];
  __device__ T& value() { return *reinterpret_cast<T*>(bytes); }
};

/// Copies a value by all threads of a block; it is there after the next barrier.
template <class T>
__device__ void copy_by_block(T& to, const T& from) {
  if constexpr (!std::is_empty_v<T>) {
    static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
    for (unsigned i = threadIdx.x; i < sizeof(T) / 4; i += threads) {
      reinterpret_cast<unsigned*>(&to)[i] = reinterpret_cast<const unsigned*>(&from)[i];
    }
  }
}

/// The block that brings the last part of a group adds the group up.
template <Method M, class Pass>
__device__ void add_up_group(const LoopArguments<M, Pass>& a, unsigned unit, unsigned part, unsigned parts) {
  if (parts == 1) return;
  __shared__ bool last;
  const unsigned group = part / group_parts, first = group * group_parts, size = min(group_parts, parts - first);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* arrived = a.arrived + unit * ((a.most_parts + group_parts - 1) / group_parts) + group;
    last = atomicAdd(arrived, 1u) == size - 1;
    if (last) *arrived = 0;  // for the next step
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  tree_levels_by_block(a.parts(unit) + first, size, 1);
}

template <Method M, class Pass>
__device__ void pass_over_part(const LoopArguments<M, Pass>& a, unsigned unit, unsigned part,
                               double (*scratch)[threads / 32], typename M::Bin* shared_bins) {
  constexpr int width = doubles_in<typename M::Sums>;
  const unsigned s = a.state_of(unit);
  const typename M::State& state = a.states[s];
  const typename M::Data& data = a.data_of(state);
  double sums[width];
#pragma unroll
  for (int k = 0; k < width; ++k) sums[k] = 0;
  if constexpr (has_bins<M> && Pass::shares_bins) {
    for (unsigned i = threadIdx.x; i < a.bins; i += threads) shared_bins[i] = 0;
  }
  __syncthreads();

  const Bins<typename M::Bin> bins{Pass::shares_bins ? shared_bins : a.bins_of(unit)};
  const std::uint32_t items = M::items(data, state), first = part * Pass::part_size + threadIdx.x;
  if constexpr (HasContext<Pass>) {
    __shared__ Room<typename Pass::Context> context;
    copy_by_block(context.value(), a.contexts[s]);
    __syncthreads();
    Pass::points(context.value(), first, items, sums, bins);
  } else if (first < items) {
    Pass{}(
        Item<M>{data, a.params, state, a.hypothesis_of(unit), first}, [&](int k, double value) { sums[k] += value; },
        bins);
  }
  __syncwarp();  // lanes that went different ways would go through the sums on their own
  block_sums<width>(sums, scratch, as_doubles(a.parts(unit)[part]));
  if constexpr (has_bins<M> && Pass::shares_bins) {
    const Bins<typename M::Bin> all{a.bins_of(unit)};
    for (unsigned i = threadIdx.x; i < a.bins; i += threads) {
      if (shared_bins[i] != 0) all.add(i, shared_bins[i]);
    }
  }
  add_up_group(a, unit, part, (items + Pass::part_size - 1) / Pass::part_size);
}

/// The sums of all parts of all units.
template <Method M, class Pass>
__device__ void pass_over_points(const LoopArguments<M, Pass>& a) {
  __shared__ double scratch[doubles_in<typename M::Sums>][threads / 32];
  extern __shared__ __align__(8) unsigned char dynamic[];
  auto* const shared_bins = reinterpret_cast<typename M::Bin*>(dynamic);
  for (unsigned w = blockIdx.x; w < a.state_count * a.hypotheses * a.most_parts; w += gridDim.x) {
    const unsigned unit = w / a.most_parts, part = w % a.most_parts;
    if (!a.runs(unit) || part >= a.parts_of(a.states[a.state_of(unit)])) continue;
    pass_over_part<M, Pass>(a, unit, part, scratch, shared_bins);
  }
}

/// The same where a unit is for a few threads.
template <Method M, class Pass>
__device__ void pass_over_small(const LoopArguments<M, Pass>& a) {
  constexpr int width = doubles_in<typename M::Sums>;
  constexpr unsigned lanes = Pass::lanes, abreast = threads / lanes;
  const unsigned lane = threadIdx.x % lanes, units = a.state_count * a.hypotheses;
  for (unsigned first = blockIdx.x * abreast; first < units; first += gridDim.x * abreast) {  // alike for all lanes
    const unsigned unit = first + threadIdx.x / lanes;
    double sums[width];
#pragma unroll
    for (int k = 0; k < width; ++k) sums[k] = 0;
    const bool there = unit < units && a.runs(unit);
    if (there) {
      const typename M::State& state = a.states[a.state_of(unit)];
      const typename M::Data& data = a.data_of(state);
      if constexpr (TakesAll<Pass, M>) {
        Pass::all(Item<M>{data, a.params, state, a.hypothesis_of(unit), lane}, sums);
      } else {
        const Bins<typename M::Bin> bins{a.bins_of(unit)};
        for (std::uint32_t i = lane; i < M::items(data, state); i += lanes) {
          Pass{}(
              Item<M>{data, a.params, state, a.hypothesis_of(unit), i}, [&](int k, double value) { sums[k] += value; },
              bins);
        }
      }
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < width; ++k) {
      for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
        sums[k] += __shfl_down_sync(0xffffffffu, sums[k], offset, lanes);
      }
      if (there && lane == 0) as_doubles(*a.parts(unit))[k] = sums[k];
    }
  }
}

/// The sums of a unit, by a block.
template <Method M, class Pass>
__device__ void add_up_parts(const LoopArguments<M, Pass>& a, unsigned unit, unsigned parts, typename M::Sums& sums) {
  tree_sum_by_block(a.parts(unit), parts, Pass::kind == Kind::point ? group_parts : 1);
  if (parts == 0) {
    auto* const doubles = as_doubles(*a.parts(unit));
    for (unsigned k = threadIdx.x; k < doubles_in<typename M::Sums>; k += threads) doubles[k] = 0;
    __syncthreads();
  }
  copy_by_block(sums, *a.parts(unit));
}

/// Shows a state to the host, by a block, unless it was shown a moment ago: a write to the host's memory takes a while.
template <class State>
__device__ void show(Shown<State>& shown, unsigned long long& due, unsigned version, const State& state) {
  constexpr unsigned long long pause = 5'000'000;  // nanoseconds
  __shared__ bool now;
  if (threadIdx.x == 0) {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    now = time >= due;
    if (now) due = time + pause, shown.version = 2 * version + 1;
  }
  __syncthreads();
  if (!now) return;
  __threadfence_system();
  copy_by_block(shown.state, state);
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) shown.version = 2 * version + 2;
}

/// A function of its own: what it needs in registers is not taken from the pass.
template <Method M>
__device__ __noinline__ void advance_apart(const typename M::Params& params, typename M::State& state,
                                           const typename M::Sums* sums, const typename M::Bin* bins) {
  M::advance(params, state, sums, bins);
}

/// state --pass--> sums --advance--> next state, until every state has finished.
template <Method M, class Pass>
__global__ void __launch_bounds__(threads, Pass::blocks) loop_kernel(const __grid_constant__ LoopArguments<M, Pass> a) {
  // What a single thread works with lies near: it would wait for every line of it.
  __shared__ Room<typename M::Params> params_room;
  __shared__ Room<typename M::State> state_room;
  __shared__ Room<typename M::Sums> sums_room;
  typename M::Params& params = params_room.value();
  typename M::State& state = state_room.value();
  typename M::Sums& only = sums_room.value();
  const auto grid = cooperative_groups::this_grid();
  if (blockIdx.x < a.state_count) copy_by_block(params, a.params);
  const auto set_context = [&](unsigned s, const typename M::State& of) {  // by one thread
    if constexpr (HasContext<Pass>) a.contexts[s] = Pass::context(a.data_of(of), params, of);
  };
  if constexpr (HasContext<Pass>) {
    __syncthreads();
    for (unsigned s = blockIdx.x; s < a.state_count && threadIdx.x == 0; s += gridDim.x) set_context(s, a.states[s]);
    grid.sync();
  }
  if constexpr (Pass::kind == Kind::grid) {
    __syncthreads();
    for (unsigned s = blockIdx.x; s < a.state_count; s += gridDim.x) Pass::aim(a, params, s, a.states[s], true);
    grid.sync();
  }
  for (int step = 0; step < a.steps; ++step) {
    if (a.phase != Phase::advance) {
      if constexpr (Pass::kind == Kind::grid) {
        Pass::pass(a, grid, step);
      } else if constexpr (Pass::kind == Kind::small) {
        pass_over_small<M, Pass>(a);
      } else {
        pass_over_points<M, Pass>(a);
      }
    }
    // Looked up before the barrier: on its way while others are waited for.
    const unsigned own_parts = blockIdx.x < a.state_count ? a.parts_of(a.states[blockIdx.x]) : 0;
    grid.sync();

    unsigned* running = a.running + step % 2;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      a.running[(step + 1) % 2] = 0;
      if (a.request != nullptr) *a.stop_seen = *a.request;
    }
    for (unsigned s = blockIdx.x; s < a.state_count; s += gridDim.x) {
      if (M::finished(a.states[s])) continue;
      const unsigned unit = s * a.hypotheses, parts = s == blockIdx.x ? own_parts : a.parts_of(a.states[s]);
      typename M::Bin* const bins = a.bins_of(unit);
      copy_by_block(state, a.states[s]);
      if constexpr (one_hypothesis<M>) {
        a.phase == Phase::advance ? copy_by_block(only, a.sums[s]) : add_up_parts(a, s, parts, only);
      } else if (a.phase != Phase::advance) {
        const unsigned hypotheses = M::hypotheses(a.params, a.states[s]);
        for (unsigned h = 0; h < hypotheses; ++h) add_up_parts(a, unit + h, parts, a.sums[unit + h]);
      }
      __syncthreads();
      if (a.phase == Phase::pass) {
        if constexpr (one_hypothesis<M>) copy_by_block(a.sums[s], only);
        __syncthreads();
        continue;
      }
      if (threadIdx.x == 0) {
        if constexpr (Pass::kind == Kind::grid) Pass::passes_done(params, state);
        advance_apart<M>(params, state, one_hypothesis<M> ? &only : a.sums + unit, bins);
        if (!M::finished(state)) {
          atomicAdd(running, 1u);
          set_context(s, state);
        }
      }
      __syncthreads();
      copy_by_block(a.states[s], state);
      if (static_cast<int>(s) == a.traced) {
        const unsigned row = *a.trace_rows;
        copy_by_block(a.trace[row], state);
        if (a.shown != nullptr) show(*a.shown, *a.show_due, row, state);
        __syncthreads();
        if (threadIdx.x == 0) ++*a.trace_rows;
      }
      if constexpr (Pass::kind == Kind::grid) Pass::aim(a, params, s, state, false);
      if (has_bins<M> && !M::finished(state)) {  // those of a state that has finished are kept
        for (unsigned i = threadIdx.x; i < a.hypotheses * a.bins; i += threads) bins[i] = 0;
      }
      __syncthreads();
    }
    if (a.phase != Phase::loop) return;
    grid.sync();
    if (*static_cast<volatile unsigned*>(running) == 0 || *static_cast<volatile int*>(a.stop_seen) != 0) return;
  }
}

}  // namespace dovetail::cuda
