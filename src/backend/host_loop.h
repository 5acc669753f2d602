// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/batch.h"
#include "backend/tree_sum.h"

namespace dovetail {

/// What a pass over one block of items is given.
template <Method M>
struct Block {
  const typename M::Data& data;
  const typename M::Params& params;
  const typename M::State& state;
  std::uint32_t hypothesis;
  std::uint32_t first, last;  ///< items
  float* kept;                ///< the state's floats that last from pass to pass

  typename M::Sums& sums;  ///< zero at first
  typename M::Bin* bins;   ///< to add to
};

/// Work in the order it is listed.
inline constexpr auto one_by_one = [](std::size_t count, const auto& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
};

/// The loop of the machines that run on the host. `Deal` runs f(0) .. f(n-1) in any order, on any threads; `Pass`
/// computes the sums of one block: pass(block).
template <Method M, class Deal, class Pass>
void run_host_loop(Batch<M>& batch, const Deal& deal, const Pass& pass) {
  using Sums = typename M::Sums;
  struct Work {
    std::uint32_t state, hypothesis, run;
  };
  const std::size_t states = batch.states.size(), hypotheses = batch.hypotheses(), bins = M::bins(batch.params);
  // Blocks go together in runs where clearing and adding the bins of each would cost more than the pass.
  const std::uint32_t run_blocks =
      bins <= 2 * block_items ? 1 : std::max(16u, static_cast<std::uint32_t>(bins) / block_items);
  const std::size_t most_blocks = std::max(1u, block_count(batch.most_items()));
  const std::size_t most_runs = (most_blocks + run_blocks - 1) / run_blocks, kept = batch.most_kept();
  std::vector<Sums> partial(states * hypotheses * most_blocks);
  std::vector<typename M::Bin> run_bins(states * hypotheses * most_runs * bins);
  std::vector<float> kept_floats(states * kept);
  std::vector<Work> work;
  std::vector<std::uint32_t> active;
  batch.sums.assign(batch.units(), Sums{});
  batch.bins.assign(batch.bin_count(), 0);
  batch.trace.clear();
  if (batch.traced >= 0) batch.trace.reserve(static_cast<std::size_t>(batch.max_iterations));

  const auto data_of = [&](const typename M::State& state) -> const typename M::Data& {
    return batch.data[M::data_index(batch.params, state)];
  };
  const auto blocks_of = [&](const typename M::State& state) { return block_count(M::items(data_of(state), state)); };

  for (int iteration = 0; iteration < batch.max_iterations; ++iteration) {
    active.clear();
    work.clear();
    for (std::uint32_t s = 0; s < states; ++s) {
      const typename M::State& state = batch.states[s];
      if (M::finished(state)) continue;
      active.push_back(s);
      const std::uint32_t runs = (blocks_of(state) + run_blocks - 1) / run_blocks;
      for (std::uint32_t h = 0; h < M::hypotheses(batch.params, state); ++h) {
        for (std::uint32_t r = 0; r < runs; ++r) work.push_back({s, h, r});
      }
    }
    if (active.empty()) return;
    batch.stopped = batch.control.request();
    if (batch.stopped != StopRequest::none) return;

    deal(work.size(), [&](std::size_t w) {
      const auto [s, h, run] = work[w];
      const std::size_t unit = s * hypotheses + h;
      const typename M::State& state = batch.states[s];
      const typename M::Data& data = data_of(state);
      const std::uint32_t items = M::items(data, state), last = std::min((run + 1) * run_blocks, block_count(items));
      typename M::Bin* const own_bins = run_bins.data() + (unit * most_runs + run) * bins;
      std::fill_n(own_bins, bins, typename M::Bin{0});
      for (std::uint32_t b = run * run_blocks; b < last; ++b) {
        Sums& sums = partial[unit * most_blocks + b];
        sums = Sums{};
        pass(Block<M>{data, batch.params, state, h, b * block_items, std::min((b + 1) * block_items, items),
                      kept_floats.data() + s * kept, sums, own_bins});
      }
    });

    const auto add_up = [&](std::uint32_t s) {
      const std::uint32_t blocks = blocks_of(batch.states[s]);
      for (std::uint32_t h = 0; h < M::hypotheses(batch.params, batch.states[s]); ++h) {
        const std::size_t unit = s * hypotheses + h;
        Sums* const sums = partial.data() + unit * most_blocks;
        if (blocks == 0) *sums = Sums{};
        tree_sum(sums, blocks);
        batch.sums[unit] = *sums;
        typename M::Bin* const total = batch.bins.data() + unit * bins;
        std::fill_n(total, bins, typename M::Bin{0});
        for (std::uint32_t run = 0; run * run_blocks < blocks; ++run) {
          const typename M::Bin* const own = run_bins.data() + (unit * most_runs + run) * bins;
          for (std::size_t i = 0; i < bins; ++i) total[i] += own[i];
        }
      }
    };
    const auto advance = [&](std::uint32_t s) {
      const std::size_t first = s * hypotheses;
      M::advance(batch.params, batch.states[s], batch.sums.data() + first, batch.bins.data() + first * bins);
    };
    if (batch.combine) {
      deal(active.size(), [&](std::size_t a) { add_up(active[a]); });
      batch.combine(batch.sums, batch.bins);
      deal(active.size(), [&](std::size_t a) { advance(active[a]); });
    } else {
      deal(active.size(), [&](std::size_t a) { add_up(active[a]), advance(active[a]); });
    }

    if (batch.traced >= 0 &&
        std::binary_search(active.begin(), active.end(), static_cast<std::uint32_t>(batch.traced))) {
      const auto& state = batch.states[static_cast<std::size_t>(batch.traced)];
      batch.trace.push_back(state);
      if (batch.onlooker) batch.onlooker(state);
      if (batch.observer && !batch.observer(state)) {
        batch.stopped = StopRequest::cancelled;
        return;
      }
    }
  }
}

}  // namespace dovetail
