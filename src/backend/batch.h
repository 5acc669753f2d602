// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "backend/problem.h"
#include "methods/method.h"

namespace dovetail {

/// Why a loop was stopped from outside. 0 while nobody asked.
enum class StopRequest : int { none = 0, time_limit = 1, cancelled = 2 };

/// What the outside world may ask of a running loop.
struct Control {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* cancel = nullptr;

  bool watched() const { return cancel != nullptr || deadline != std::chrono::steady_clock::time_point::max(); }
  StopRequest request() const {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return StopRequest::cancelled;
    if (deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline) {
      return StopRequest::time_limit;
    }
    return StopRequest::none;
  }
};

/// B states of one method over the problems a backend holds. A state's bits do not depend on the batch it runs in.
template <Method M>
struct Batch {
  typename M::Params params{};
  std::vector<typename M::State> states;  ///< in: where to begin; out: where each ended

  std::vector<typename M::Sums> sums;  ///< out: the last sums of each state

  int level_end = max_levels;  ///< no state goes beyond level level_end − 1; sizes the scratch memory
  int max_iterations = 0;      ///< the most any state can take; sizes the trace

  /// Index of the state whose iterations are recorded in `trace`; negative: none.
  int traced = -1;
  std::vector<typename M::State> trace;

  /// Called on the host after each iteration with the traced state; false stops the batch.
  std::function<bool(const typename M::State&)> observer;

  Control control;
  StopRequest stopped = StopRequest::none;  ///< out: whether the loop was cut short, and by what
};

/// The most points of a side at any level the batch can come to.
template <Method M>
std::uint32_t most_points(const Batch<M>& batch, std::span<const ProblemView> problems, Side side) {
  std::uint32_t most = 0;
  for (const auto& state : batch.states) {
    const ProblemView& problem = problems[state.problem];
    const int end = std::min(problem.levels, batch.level_end);
    for (int l = static_cast<int>(state.level); l < end; ++l) most = std::max(most, problem.level[l].points(side));
  }
  return most;
}

/// The most points one pass of the batch can go over.
template <Method M>
std::uint32_t most_points(const Batch<M>& batch, std::span<const ProblemView> problems) {
  const std::uint32_t source = most_points(batch, problems, Side::source);
  return M::keeps_arrays(batch.params) ? std::max(source, most_points(batch, problems, Side::target)) : source;
}

/// Of a method that keeps arrays: one float for each point of either side, for each state. Null for the others.
struct PointArrays {
  float *source = nullptr, *target = nullptr;
};

}  // namespace dovetail
