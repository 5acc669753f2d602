// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstring>
#include <thread>

#include "backend/cuda/loop.cuh"
#include "backend/cuda/workspace.h"

namespace dovetail::cuda {

inline void check(cudaError_t status) { check_cuda(status, "CUDA: running a loop"); }

/// A batch's run on the device: memory for it, and its launches.
template <Method M, class Pass>
class LoopRun {
  using State = typename M::State;
  using Sums = typename M::Sums;
  using Bin = typename M::Bin;

 public:
  LoopRun(Batch<M>& batch, Workspace& workspace) : batch_(batch), workspace_(workspace), stream_(workspace.stream()) {
    const auto states = static_cast<unsigned>(batch.states.size());
    a_.params = batch.params;
    a_.state_count = states;
    a_.hypotheses = batch.hypotheses();
    a_.bins = M::bins(batch.params);
    a_.most_kept = batch.most_kept();
    a_.traced = batch.traced;
    a_.most_parts = 1;
    if constexpr (Pass::kind != Kind::small) {
      a_.most_parts = std::max(1u, (batch.most_items() + Pass::part_size - 1) / Pass::part_size);
    }
    const std::size_t units = batch.units(), parts = units * a_.most_parts;
    a_.partial = workspace.take<Sums>(parts);
    a_.sums = !one_hypothesis<M> || batch.combine ? workspace.take<Sums>(units) : nullptr;
    a_.contexts = workspace.take<typename ContextOf<Pass>::type>(states);
    a_.kept = workspace.take<float>(states * a_.most_kept);
    a_.trace = workspace.take<State>(static_cast<std::size_t>(batch.traced >= 0 ? batch.max_iterations : 1));
    put_input();
    make_zeros(units * ((a_.most_parts + group_parts - 1) / group_parts));
    if constexpr (Pass::kind == Kind::grid) a_.extra = Pass::make_extra(batch, workspace);
    *workspace.request_word() = 0;
    a_.request = batch.control.watched() ? workspace.request_word_on_device() : nullptr;
    if (batch.onlooker && batch.traced >= 0) {
      static_assert(sizeof(Shown<State>) <= Workspace::shown_bytes);
      std::memset(workspace.shown(), 0, sizeof(unsigned));
      a_.shown = static_cast<Shown<State>*>(workspace.shown_on_device());
    }
    shared_bytes_ = Pass::shares_bins ? a_.bins * sizeof(Bin) : 0;
    int blocks_per_multiprocessor = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, loop_kernel<M, Pass>, threads,
                                                        shared_bytes_));
    const auto all_blocks = static_cast<std::size_t>(blocks_per_multiprocessor * workspace.multiprocessors());
    std::size_t wanted = parts;
    if constexpr (Pass::kind == Kind::small) wanted = std::max<std::size_t>(units * Pass::lanes / threads + 1, 1);
    blocks_ = static_cast<unsigned>(Pass::kind == Kind::grid ? all_blocks : std::min(wanted, all_blocks));
  }

  /// With an observer, or somebody who adds to the sums, the host steps: one or two launches per iteration, the same
  /// device code, the same bits.
  void run() {
    batch_.trace.clear();
    if (batch_.states.empty()) return finish();
    const bool stepping = batch_.observer || batch_.combine;
    a_.steps = stepping ? 1 : batch_.max_iterations;
    for (int step = 0; step < batch_.max_iterations; ++step) {
      const bool traced_runs =
          batch_.traced >= 0 && !M::finished(batch_.states[static_cast<std::size_t>(batch_.traced)]);
      if (batch_.combine) {
        launch(Phase::pass);
        combine();
      }
      launch(batch_.combine ? Phase::advance : Phase::loop);
      look_at_states();
      if (!stepping) break;
      if (batch_.observer && traced_runs && !batch_.observer(batch_.states[static_cast<std::size_t>(batch_.traced)])) {
        batch_.stopped = StopRequest::cancelled;
      }
      if (all_finished_ || batch_.stopped != StopRequest::none) break;
    }
    finish();
  }

 private:
  /// Data and states in one copy.
  void put_input() {
    using Data = typename M::Data;
    constexpr std::size_t line = 256;
    const std::size_t data_bytes = batch_.data.size() * sizeof(Data),
                      state_bytes = batch_.states.size() * sizeof(State);
    const std::size_t offset = (data_bytes + line - 1) / line * line;
    std::byte* const staged = workspace_.stage(offset + state_bytes);
    if (data_bytes > 0) std::memcpy(staged, batch_.data.data(), data_bytes);
    if (state_bytes > 0) std::memcpy(staged + offset, batch_.states.data(), state_bytes);
    std::byte* const to = workspace_.take<std::byte>(offset + state_bytes);
    if (offset + state_bytes > 0) {
      check(cudaMemcpyAsync(to, staged, offset + state_bytes, cudaMemcpyHostToDevice, stream_));
    }
    a_.data = reinterpret_cast<const Data*>(to);
    a_.states = reinterpret_cast<State*>(to + offset);
  }

  /// Everything that begins as zero, together.
  void make_zeros(std::size_t groups) {
    const std::size_t bins = batch_.bin_count() * sizeof(Bin);
    const std::size_t bytes = sizeof(Head) + bins + groups * sizeof(unsigned);
    std::byte* const zeros = workspace_.take<std::byte>(bytes);
    check(cudaMemsetAsync(zeros, 0, bytes, stream_));
    head_ = reinterpret_cast<Head*>(zeros);
    a_.trace_rows = &head_->trace_rows;
    a_.stop_seen = &head_->stop_seen;
    a_.running = head_->running;
    a_.show_due = &head_->show_due;
    a_.all_bins = reinterpret_cast<Bin*>(zeros + sizeof(Head));
    a_.arrived = reinterpret_cast<unsigned*>(zeros + sizeof(Head) + bins);
  }

  void launch(Phase phase) {
    a_.phase = phase;
    if (launched_) check(cudaMemsetAsync(a_.running, 0, 2 * sizeof(unsigned), stream_));
    launched_ = true;
    void* arguments[] = {&a_};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(loop_kernel<M, Pass>), dim3(blocks_), dim3(threads),
                                      arguments, shared_bytes_, stream_));
    if (!batch_.control.watched() && a_.shown == nullptr) return;
    // Watch beside the running loop; the device reads the word once per iteration.
    while (cudaStreamQuery(stream_) == cudaErrorNotReady) {
      const StopRequest asked = batch_.control.request();
      if (asked != StopRequest::none) *static_cast<volatile int*>(workspace_.request_word()) = static_cast<int>(asked);
      if (a_.shown != nullptr) look_on();
      std::this_thread::yield();  // a nap would outlast the loop's end
    }
  }

  /// Tells the onlooker of a state that the device has shown since.
  void look_on() {
    const auto* const shown = static_cast<const Shown<State>*>(workspace_.shown());
    const auto version = [&] { return *static_cast<const volatile unsigned*>(&shown->version); };
    const unsigned before = version();
    if (before % 2 != 0 || before == seen_version_) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    const State state = shown->state;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (version() != before) return;  // it changed meanwhile
    seen_version_ = before;
    batch_.onlooker(state);
  }

  void combine() {
    batch_.sums.resize(batch_.units());
    batch_.bins.resize(batch_.bin_count());
    copy(batch_.sums, a_.sums, cudaMemcpyDeviceToHost);
    copy(batch_.bins, a_.all_bins, cudaMemcpyDeviceToHost);
    check(cudaStreamSynchronize(stream_));
    batch_.combine(batch_.sums, batch_.bins);
    copy(batch_.sums, a_.sums, cudaMemcpyHostToDevice);
    copy(batch_.bins, a_.all_bins, cudaMemcpyHostToDevice);
  }
  template <class T>
  void copy(std::vector<T>& host, T* device, cudaMemcpyKind kind) {
    if (host.empty()) return;
    const bool down = kind == cudaMemcpyDeviceToHost;
    void* const to = down ? static_cast<void*>(host.data()) : static_cast<void*>(device);
    const void* const from = down ? static_cast<const void*>(device) : static_cast<const void*>(host.data());
    check(cudaMemcpyAsync(to, from, host.size() * sizeof(T), kind, stream_));
  }

  void look_at_states() {
    copy(batch_.states, a_.states, cudaMemcpyDeviceToHost);
    Head head;
    check(cudaMemcpyAsync(&head, head_, sizeof(Head), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    rows_ = head.trace_rows;
    batch_.stopped = static_cast<StopRequest>(head.stop_seen);
    all_finished_ =
        std::all_of(batch_.states.begin(), batch_.states.end(), [](const State& s) { return M::finished(s); });
    if (all_finished_) batch_.stopped = StopRequest::none;
  }

  void finish() {
    if (batch_.traced >= 0) batch_.trace.resize(rows_);
    copy(batch_.trace, a_.trace, cudaMemcpyDeviceToHost);
    batch_.sums.resize(batch_.keeps_sums ? batch_.units() : 0);
    if (a_.sums != nullptr) {
      copy(batch_.sums, a_.sums, cudaMemcpyDeviceToHost);
    } else if (!batch_.sums.empty()) {
      check(cudaMemcpy2DAsync(batch_.sums.data(), sizeof(Sums), a_.partial, sizeof(Sums) * a_.most_parts, sizeof(Sums),
                              batch_.sums.size(), cudaMemcpyDeviceToHost, stream_));
    }
    if (batch_.keeps_bins) {
      batch_.bins.resize(batch_.bin_count());
      copy(batch_.bins, a_.all_bins, cudaMemcpyDeviceToHost);
    }
    check(cudaStreamSynchronize(stream_));
  }

  /// What begins as zero, besides bins and arrivals.
  struct Head {
    unsigned long long show_due;
    unsigned running[2];
    unsigned trace_rows;
    int stop_seen;
  };

  Batch<M>& batch_;
  Workspace& workspace_;
  cudaStream_t stream_;
  LoopArguments<M, Pass> a_{};
  Head* head_ = nullptr;
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 0, rows_ = 0, seen_version_ = 0;
  bool launched_ = false, all_finished_ = false;
};

/// Runs a batch on the workspace's stream and waits for its end.
template <Method M, class Pass>
void run_loop(Batch<M>& batch, Workspace& workspace) {
  workspace.reset();
  LoopRun<M, Pass>(batch, workspace).run();
}

}  // namespace dovetail::cuda
