// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "dovetail/host_device.h"

namespace dovetail {

/// Items a block of a pass: threads, CUDA blocks and ranks own whole blocks, and a sum is the aligned binary tree over
/// block sums, so its bits do not depend on who adds.
inline constexpr std::uint32_t block_items = 1024;

/// Blocks that hold `items` items.
DOVETAIL_HD constexpr std::uint32_t block_count(std::uint32_t items) { return (items + block_items - 1) / block_items; }

/// How a state stands.
enum class Status : int { running, converged, schedule_finished, max_iterations, no_correspondences, degenerate };

/// What every method is, seen from a machine:
///
///     state --pass over the data--> sums --advance--> next state
///
/// `Data` is the views a pass reads (and, where it writes something for each item, where to), in the machine's memory.
/// A batch has an array of them; `data_index` says which one a state's next pass is over, and `items` how many items
/// that pass has. `State` holds what `advance` reads. `Sums` is a handful of doubles, added up over all items, for each
/// of the state's `hypotheses`; beside them a hypothesis has `bins` integers, a histogram say. `Params` stays the same
/// during a run. `advance` is small, pure but for the state it moves on, and runs where the data is. `kept_floats` last
/// from pass to pass, for each state. A machine provides the pass; nothing here knows of machines.
template <class M>
concept Method = requires(const typename M::Params& params, typename M::State& state, const typename M::Data& data,
                          const typename M::Sums* sums, const typename M::Bin* bins) {
  M::advance(params, state, sums, bins);
  { M::finished(state) } -> std::same_as<bool>;
  { M::data_index(params, state) } -> std::same_as<std::uint32_t>;
  { M::items(data, state) } -> std::same_as<std::uint32_t>;
  { M::hypotheses(params, state) } -> std::convertible_to<std::uint32_t>;
  { M::most_hypotheses(params) } -> std::convertible_to<std::uint32_t>;
  { M::bins(params) } -> std::convertible_to<std::uint32_t>;
  { M::kept_floats(params, data) } -> std::same_as<std::size_t>;
}
&&std::is_trivially_copyable_v<typename M::State>&& std::is_trivially_copyable_v<typename M::Params>&&
        std::is_trivially_copyable_v<typename M::Data>&& std::is_standard_layout_v<typename M::Sums> &&
    (sizeof(typename M::Sums) % sizeof(double) == 0);

/// A number that is the same in all runs of a method: loops are compiled for it.
template <std::uint32_t number>
using Always = std::integral_constant<std::uint32_t, number>;

/// What most methods have in common: one hypothesis, no bins, nothing kept from pass to pass.
struct MethodDefaults {
  using Bin = std::uint32_t;
  template <class Params, class State>
  DOVETAIL_HD static constexpr Always<1> hypotheses(const Params&, const State&) {
    return {};
  }
  template <class Params>
  static constexpr Always<1> most_hypotheses(const Params&) {
    return {};
  }
  template <class Params>
  static constexpr Always<0> bins(const Params&) {
    return {};
  }
  template <class Params, class Data>
  static constexpr std::size_t kept_floats(const Params&, const Data&) {
    return 0;
  }
};

template <class M>
inline constexpr bool one_hypothesis =
    std::is_same_v<decltype(M::most_hypotheses(std::declval<const typename M::Params&>())), Always<1>>;
template <class M>
inline constexpr bool has_bins =
    !std::is_same_v<decltype(M::bins(std::declval<const typename M::Params&>())), Always<0>>;

/// A method of one pass: its states name their data and are done after it. Where machines differ in how they search
/// alone, such a method has add_item(data, params, state, i, search, sums), which all of them call: it writes the row
/// of an item, if it has one, and adds to the sums. `search` is like KdSearch.
struct OnePass : MethodDefaults {
  template <class Params, class State>
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& state) {
    return state.data;
  }
  template <class State>
  DOVETAIL_HD static bool finished(const State& state) {
    return state.done;
  }
  template <class Params, class State, class Sums, class Bin>
  DOVETAIL_HD static void advance(const Params&, State& state, const Sums*, const Bin*) {
    state.done = true;
  }
};

/// Sums are plain doubles to whoever adds them.
template <class Sums>
inline constexpr int doubles_in = static_cast<int>(sizeof(Sums) / sizeof(double));

template <class Sums>
DOVETAIL_HD inline double* as_doubles(Sums& sums) {
  return reinterpret_cast<double*>(&sums);
}
template <class Sums>
DOVETAIL_HD inline const double* as_doubles(const Sums& sums) {
  return reinterpret_cast<const double*>(&sums);
}

}  // namespace dovetail
