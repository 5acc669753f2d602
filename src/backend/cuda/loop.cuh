// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <type_traits>

#include "backend/batch.h"
#include "backend/cuda/check.h"
#include "backend/cuda/loop_sums.cuh"
#include "backend/cuda/workspace.h"
#include "backend/problem.h"

// The loop of a method, on the device: one cooperative kernel runs every iteration of every state of a batch. The host
// launches it once and waits once. `Pass` is a functor: what one point gives to the sums,
//
//     Pass{}(level, params, state, point, add, histogram)      add(k, value) adds to the k-th double of the sums
//
// Where a point needs the whole grid's help the pass brings its own way to the sums of all parts, `Pass::by_grid`:
// every block runs Pass::pass(arguments, grid, step) for all states. The memory it needs is `Pass::Extra`; what all
// blocks would work out from a state, one of them has written there with Pass::aim(arguments, s).

namespace dovetail::cuda {

/// A pass in which every point is on its own. One with a `Context`, what all points need of a state, has it worked out
/// once a step, and is given the points first, first + threads, ... of a part (part_size / threads of them, those below
/// `points`) at once: Pass::points(context, first, points, sums, histogram).
struct PointPass {
  static constexpr bool by_grid = false;
  static constexpr unsigned part_size = threads;  ///< points whose sums are added up first
  static constexpr int blocks = 1;                ///< a multiprocessor must have registers for
  struct Extra {};
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

template <Method M, class Pass>
struct LoopArguments {
  const ProblemView* problems;
  typename M::Params params;
  typename M::State* states;
  unsigned state_count;
  unsigned most_parts;                       ///< parts of Pass::part_size points of the largest level
  typename M::Sums* partial;                 ///< state_count × most_parts
  unsigned* arrived;                         ///< state_count × groups of parts: parts that are there
  typename ContextOf<Pass>::type* contexts;  ///< state_count
  std::uint32_t* histograms;                 ///< state_count × bins
  typename M::State* trace;                  ///< rows of the traced state
  int traced;
  unsigned* trace_rows;
  unsigned* running;            ///< two counters, used in turn: states that still run
  int* stop_seen;               ///< the request as the grid saw it
  const volatile int* request;  ///< mapped host memory; null when nobody watches
  int steps;                    ///< the most iterations in this launch
  typename Pass::Extra extra;
};

inline void check(cudaError_t status) { check_cuda(status, "CUDA: running a loop"); }

template <class Pass>
__host__ __device__ inline unsigned part_count(std::uint32_t points) {
  return (points + Pass::part_size - 1) / Pass::part_size;
}

/// Room for a value in shared memory, where no constructor runs.
template <class T>
struct Room {
  alignas(16) unsigned char bytes[sizeof(T)];
  __device__ T& value() { return *reinterpret_cast<T*>(bytes); }
};

/// Copies a value by all threads of a block; it is there after the next barrier.
template <class T>
__device__ void copy_by_block(T& to, const T& from) {
  static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
  for (unsigned i = threadIdx.x; i < sizeof(T) / 4; i += threads) {
    reinterpret_cast<unsigned*>(&to)[i] = reinterpret_cast<const unsigned*>(&from)[i];
  }
}

/// Deals the bins of a histogram out to the threads of a block.
template <Method M, class Work>
__device__ void each_bin(const Work& work) {
  if constexpr (M::histogram_bins > 0) {
    for (unsigned i = threadIdx.x; i < M::histogram_bins; i += threads) work(i);
  }
}

/// The block that brings the last part of a group adds the group up.
template <Method M, class Pass>
__device__ void add_up_group(const LoopArguments<M, Pass>& a, unsigned s, unsigned part, unsigned parts) {
  if (parts == 1) return;
  __shared__ bool last;
  const unsigned group = part / group_parts, first = group * group_parts, size = min(group_parts, parts - first);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* arrived = a.arrived + s * ((a.most_parts + group_parts - 1) / group_parts) + group;
    last = atomicAdd(arrived, 1u) == size - 1;
    if (last) *arrived = 0;  // for the next step
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  tree_levels_by_block(a.partial + static_cast<std::size_t>(s) * a.most_parts + first, size, 1);
}

template <Method M, class Pass>
__device__ void pass_over_part(const LoopArguments<M, Pass>& a, unsigned s, unsigned part,
                               double (*scratch)[threads / 32], std::uint32_t* histogram) {
  using Sums = typename M::Sums;
  constexpr int width = doubles_in<Sums>;
  const typename M::State& state = a.states[s];
  const LevelView& level = a.problems[state.problem].level[state.level];
  double sums[width];
#pragma unroll
  for (int k = 0; k < width; ++k) sums[k] = 0;
  each_bin<M>([&](unsigned i) { histogram[i] = 0; });
  __syncthreads();

  const std::uint32_t points = level.points(M::side(state)), first = part * Pass::part_size + threadIdx.x;
  if constexpr (HasContext<Pass>) {
    __shared__ Room<typename Pass::Context> context;
    copy_by_block(context.value(), a.contexts[s]);
    __syncthreads();
    Pass::points(context.value(), first, points, sums, histogram);
  } else if (first < points) {
    Pass{}(
        level, a.params, state, first, [&](int k, double value) { sums[k] += value; }, histogram);
  }
  __syncwarp();  // lanes that went different ways would go through the sums on their own
  block_sums<width>(sums, scratch, as_doubles(a.partial[static_cast<std::size_t>(s) * a.most_parts + part]));
  each_bin<M>([&](unsigned i) {
    if (histogram[i] != 0) atomicAdd(&a.histograms[s * M::histogram_bins + i], histogram[i]);
  });
  add_up_group(a, s, part, part_count<Pass>(points));
}

/// A function of its own: what it needs in registers is not taken from the pass.
template <Method M>
__device__ __noinline__ void advance_in_place(const typename M::Params& params, typename M::State& state,
                                              const typename M::Sums& sums, const std::uint32_t* bins) {
  if constexpr (requires { M::advance_in_place(params, state, sums); }) {
    M::advance_in_place(params, state, sums);
  } else {
    state = M::advance(params, state, sums, bins);
  }
}

/// The sums of all parts of all states.
template <Method M, class Pass, class PartsOf>
__device__ void pass_over_points(const LoopArguments<M, Pass>& a, const PartsOf& parts_of) {
  __shared__ double scratch[doubles_in<typename M::Sums>][threads / 32];
  __shared__ std::uint32_t histogram[M::histogram_bins > 0 ? M::histogram_bins : 1];
  for (unsigned w = blockIdx.x; w < a.state_count * a.most_parts; w += gridDim.x) {
    const unsigned s = w / a.most_parts, part = w % a.most_parts;
    const typename M::State& state = a.states[s];
    if (M::finished(state) || part >= parts_of(state)) continue;
    pass_over_part<M, Pass>(a, s, part, scratch, histogram);
  }
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
  typename M::Sums& sums = sums_room.value();
  const auto grid = cooperative_groups::this_grid();
  const auto parts_of = [&](const typename M::State& state) {
    return part_count<Pass>(a.problems[state.problem].level[state.level].points(M::side(state)));
  };
  if (blockIdx.x < a.state_count) copy_by_block(params, a.params);
  const auto set_context = [&](unsigned s, const typename M::State& of) {  // by one thread
    if constexpr (HasContext<Pass>) a.contexts[s] = Pass::context(a.problems[of.problem].level[of.level], params, of);
  };
  if constexpr (HasContext<Pass>) {
    __syncthreads();
    for (unsigned s = blockIdx.x; s < a.state_count && threadIdx.x == 0; s += gridDim.x) set_context(s, a.states[s]);
    grid.sync();
  }
  if constexpr (Pass::by_grid) {
    __syncthreads();
    for (unsigned s = blockIdx.x; s < a.state_count; s += gridDim.x) Pass::aim(a, params, s, a.states[s], true);
    grid.sync();
  }
  for (int step = 0; step < a.steps; ++step) {
    if constexpr (Pass::by_grid) {
      Pass::pass(a, grid, step);
    } else {
      pass_over_points<M, Pass>(a, parts_of);
    }
    // Looked up before the barrier: on its way while others are waited for.
    const unsigned own_parts = blockIdx.x < a.state_count ? parts_of(a.states[blockIdx.x]) : 0;
    grid.sync();

    unsigned* running = a.running + step % 2;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      a.running[(step + 1) % 2] = 0;
      if (a.request != nullptr) *a.stop_seen = *a.request;
    }
    for (unsigned s = blockIdx.x; s < a.state_count; s += gridDim.x) {
      if (M::finished(a.states[s])) continue;
      typename M::Sums* partial = a.partial + static_cast<std::size_t>(s) * a.most_parts;
      std::uint32_t* bins = a.histograms + s * M::histogram_bins;
      const unsigned parts = s == blockIdx.x ? own_parts : parts_of(a.states[s]);
      copy_by_block(state, a.states[s]);
      tree_sum_by_block(partial, parts, Pass::by_grid ? 1 : group_parts);
      copy_by_block(sums, partial[0]);
      __syncthreads();
      if (threadIdx.x == 0) {
        if constexpr (Pass::by_grid) Pass::passes_done(params, state);
        advance_in_place<M>(params, state, sums, bins);
        if (!M::finished(state)) {
          atomicAdd(running, 1u);
          set_context(s, state);
        }
      }
      __syncthreads();
      copy_by_block(a.states[s], state);
      if (static_cast<int>(s) == a.traced) {
        copy_by_block(a.trace[*a.trace_rows], state);
        __syncthreads();
        if (threadIdx.x == 0) ++*a.trace_rows;
      }
      if constexpr (Pass::by_grid) Pass::aim(a, params, s, state, false);
      each_bin<M>([&](unsigned i) { bins[i] = 0; });
      __syncthreads();
    }
    grid.sync();
    if (*static_cast<volatile unsigned*>(running) == 0 || *static_cast<volatile int*>(a.stop_seen) != 0) return;
  }
}

/// Launches the loop on the workspace's stream and waits for its end. With an observer the host steps: one launch an
/// iteration, the same device code, the same bits.
template <Method M, class Pass>
void run_loop(Batch<M>& batch, Workspace& workspace, const ProblemView* device_problems,
              std::span<const ProblemView> problems) {
  using State = typename M::State;
  const auto state_count = static_cast<unsigned>(batch.states.size());
  const unsigned most_parts = std::max(1u, part_count<Pass>(most_points(batch, problems)));

  LoopArguments<M, Pass> a{};
  if constexpr (Pass::by_grid) a.extra = Pass::make_extra(batch, workspace, problems);
  a.problems = device_problems;
  a.params = batch.params;
  a.state_count = state_count;
  a.most_parts = most_parts;
  a.traced = batch.traced;
  a.states = workspace.take<State>(state_count);
  a.partial = workspace.take<typename M::Sums>(static_cast<std::size_t>(state_count) * most_parts);
  const std::size_t groups = state_count * std::size_t{(most_parts + group_parts - 1) / group_parts};
  a.arrived = workspace.take<unsigned>(groups);
  a.contexts = workspace.take<typename ContextOf<Pass>::type>(state_count);
  a.histograms = workspace.take<std::uint32_t>(std::max<std::size_t>(1, state_count * std::size_t{M::histogram_bins}));
  a.trace = workspace.take<State>(static_cast<std::size_t>(batch.traced >= 0 ? batch.max_iterations : 1));
  a.trace_rows = workspace.take<unsigned>(1);
  a.running = workspace.take<unsigned>(2);
  a.stop_seen = workspace.take<int>(1);
  int* request = workspace.request_word();
  *request = 0;
  a.request = batch.control.watched() ? workspace.request_word_on_device() : nullptr;

  const cudaStream_t stream = workspace.stream();
  const std::size_t bins = state_count * std::size_t{M::histogram_bins};
  check(cudaMemcpyAsync(a.states, batch.states.data(), sizeof(State) * state_count, cudaMemcpyHostToDevice, stream));
  if (bins > 0) check(cudaMemsetAsync(a.histograms, 0, sizeof(std::uint32_t) * bins, stream));
  check(cudaMemsetAsync(a.arrived, 0, sizeof(unsigned) * groups, stream));
  check(cudaMemsetAsync(a.trace_rows, 0, sizeof(unsigned), stream));
  check(cudaMemsetAsync(a.stop_seen, 0, sizeof(int), stream));

  int blocks_an_sm = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_an_sm, loop_kernel<M, Pass>, threads, 0));
  const auto all_blocks = static_cast<unsigned>(blocks_an_sm * workspace.multiprocessors());
  const unsigned blocks = Pass::by_grid ? all_blocks : std::min(state_count * most_parts, all_blocks);
  const bool stepping = static_cast<bool>(batch.observer);
  a.steps = stepping ? 1 : batch.max_iterations;

  unsigned rows = 0;
  int steps_taken = 0;
  batch.trace.clear();
  for (;;) {
    const bool traced_runs = batch.traced >= 0 && !M::finished(batch.states[static_cast<std::size_t>(batch.traced)]);
    check(cudaMemsetAsync(a.running, 0, 2 * sizeof(unsigned), stream));
    void* arguments[] = {&a};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(loop_kernel<M, Pass>), dim3(blocks), dim3(threads),
                                      arguments, 0, stream));
    if (batch.control.watched()) {
      // Watch beside the running loop; the device reads the word once an iteration.
      while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        const StopRequest asked = batch.control.request();
        if (asked != StopRequest::none) *static_cast<volatile int*>(request) = static_cast<int>(asked);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpyAsync(batch.states.data(), a.states, sizeof(State) * state_count, cudaMemcpyDeviceToHost, stream));
    check(cudaMemcpyAsync(&rows, a.trace_rows, sizeof(rows), cudaMemcpyDeviceToHost, stream));
    int seen = 0;
    check(cudaMemcpyAsync(&seen, a.stop_seen, sizeof(seen), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    batch.stopped = static_cast<StopRequest>(seen);
    const bool all_finished =
        std::all_of(batch.states.begin(), batch.states.end(), [](const State& state) { return M::finished(state); });
    if (all_finished) batch.stopped = StopRequest::none;
    if (!stepping) break;
    if (traced_runs && !batch.observer(batch.states[static_cast<std::size_t>(batch.traced)])) {
      batch.stopped = StopRequest::cancelled;
      break;
    }
    if (all_finished || batch.stopped != StopRequest::none || ++steps_taken >= batch.max_iterations) break;
  }
  if (batch.traced >= 0) {
    batch.trace.resize(rows);
    if (rows > 0) {
      check(cudaMemcpyAsync(batch.trace.data(), a.trace, sizeof(State) * rows, cudaMemcpyDeviceToHost, stream));
    }
  }
  batch.sums.resize(state_count);
  check(cudaMemcpy2DAsync(batch.sums.data(), sizeof(typename M::Sums), a.partial, sizeof(typename M::Sums) * most_parts,
                          sizeof(typename M::Sums), state_count, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
}

}  // namespace dovetail::cuda
