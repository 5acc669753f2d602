// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/batch.h"
#include "backend/problem.h"
#include "backend/tree_sum.h"

namespace dovetail {

/// The loop of the machines that run on the host. `Deal` runs f(0) .. f(n-1) in any order, on any threads. `Pass`
/// computes the sums of one block for one state, and adds to the state's histogram.
///
///     pass(problem level, params, state, block, sums, histogram, the state's point arrays)
template <Method M, class Deal, class Pass>
void run_host_loop(Batch<M>& batch, std::span<const ProblemView> problems, const Deal& deal, const Pass& pass) {
  using Sums = typename M::Sums;
  struct Work {
    std::uint32_t state, block;
  };
  constexpr std::size_t bins = M::histogram_bins;

  const std::size_t states = batch.states.size();
  const std::size_t most_blocks = block_count(most_points(batch, problems));
  std::vector<Sums> partial(states * most_blocks);
  std::vector<std::uint32_t> histograms(states * most_blocks * bins);
  std::vector<Work> work;
  work.reserve(partial.size());
  const bool arrayed = M::keeps_arrays(batch.params);
  const std::size_t most_source = arrayed ? most_points(batch, problems, Side::source) : 0;
  const std::size_t most_target = arrayed ? most_points(batch, problems, Side::target) : 0;
  std::vector<float> arrays(states * (most_source + most_target));
  std::vector<std::uint32_t> active;
  active.reserve(states);
  batch.sums.assign(states, Sums{});
  batch.trace.clear();
  if (batch.traced >= 0) batch.trace.reserve(static_cast<std::size_t>(batch.max_iterations));

  const auto level_of = [&](const typename M::State& state) -> const LevelView& {
    return problems[state.problem].level[state.level];
  };

  const auto blocks_of = [&](const typename M::State& state) {
    return block_count(level_of(state).points(M::side(state)));
  };

  for (int iteration = 0; iteration < batch.max_iterations; ++iteration) {
    active.clear();
    work.clear();
    for (std::uint32_t s = 0; s < states; ++s) {
      if (M::finished(batch.states[s])) continue;
      active.push_back(s);
      const std::uint32_t blocks = blocks_of(batch.states[s]);
      for (std::uint32_t b = 0; b < blocks; ++b) work.push_back({s, b});
    }
    if (active.empty()) return;
    batch.stopped = batch.control.request();
    if (batch.stopped != StopRequest::none) return;

    deal(work.size(), [&](std::size_t w) {
      const auto [s, block] = work[w];
      const std::size_t slot = s * most_blocks + block;
      std::fill_n(histograms.data() + slot * bins, bins, 0u);
      partial[slot] = Sums{};
      float* own = arrayed ? arrays.data() + s * (most_source + most_target) : nullptr;
      pass(level_of(batch.states[s]), batch.params, batch.states[s], block, partial[slot],
           histograms.data() + slot * bins, PointArrays{own, own + most_source});
    });

    deal(active.size(), [&](std::size_t a) {
      const std::uint32_t s = active[a];
      const std::size_t first = s * most_blocks;
      const std::uint32_t blocks = blocks_of(batch.states[s]);
      std::uint32_t* histogram = histograms.data() + first * bins;
      for (std::uint32_t b = 1; b < blocks; ++b) {
        for (std::size_t i = 0; i < bins; ++i) histogram[i] += histogram[b * bins + i];
      }
      tree_sum(partial.data() + first, blocks);
      batch.sums[s] = partial[first];
      batch.states[s] = M::advance(batch.params, batch.states[s], partial[first], histogram);
    });

    if (batch.traced >= 0 &&
        std::binary_search(active.begin(), active.end(), static_cast<std::uint32_t>(batch.traced))) {
      const auto& state = batch.states[static_cast<std::size_t>(batch.traced)];
      batch.trace.push_back(state);
      if (batch.observer && !batch.observer(state)) {
        batch.stopped = StopRequest::cancelled;
        return;
      }
    }
  }
}

}  // namespace dovetail
