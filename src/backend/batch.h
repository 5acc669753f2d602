// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <vector>

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

/// B states of one method over data in a machine's memory. A state's bits do not depend on the batch it runs in.
template <Method M>
struct Batch {
  using Sums = typename M::Sums;
  using Bin = typename M::Bin;

  typename M::Params params{};
  std::vector<typename M::Data> data;     ///< all that any state can come to: sizes the scratch memory
  std::vector<typename M::State> states;  ///< in: where to begin; out: where each ended

  bool keeps_sums = true;
  std::vector<Sums> sums;  ///< out, unless not asked for: the last sums of each state, hypothesis by hypothesis
  bool keeps_bins = false;
  std::vector<Bin> bins;  ///< out, where asked for: the last bins of each state that finished, likewise

  int max_iterations = 1;  ///< the most any state can take; sizes the trace

  /// Index of the state whose iterations are recorded in `trace`; negative: none.
  int traced = -1;
  std::vector<typename M::State> trace;

  /// Called on the host after each iteration with the traced state; false stops the batch.
  std::function<bool(const typename M::State&)> observer;

  /// Called now and then with the traced state as it was a moment ago: looking on does not slow a run down.
  std::function<void(const typename M::State&)> onlooker;

  /// Called between each pass and advance with the sums and bins of all states (those of states that have finished mean
  /// nothing), to add what others have summed up.
  std::function<void(std::span<Sums>, std::span<Bin>)> combine;

  Control control;
  StopRequest stopped = StopRequest::none;  ///< out: whether the loop was cut short, and by what

  std::uint32_t hypotheses() const { return M::most_hypotheses(params); }
  /// Hypotheses of all states, sums and bins one after another.
  std::size_t units() const { return states.size() * hypotheses(); }
  std::size_t bin_count() const { return units() * M::bins(params); }

  /// The most items one pass of a state can go over (a method whose passes differ tells), and the most floats it keeps.
  std::uint32_t most_items() const {
    std::uint32_t most = 0;
    for (const auto& d : data) {
      if constexpr (requires { M::most_items(params, d); }) {
        most = std::max(most, M::most_items(params, d));
      } else {
        most = std::max(most, M::items(d, typename M::State{}));
      }
    }
    return most;
  }
  std::size_t most_kept() const {
    std::size_t most = 0;
    for (const auto& d : data) most = std::max(most, M::kept_floats(params, d));
    return most;
  }
};

}  // namespace dovetail
