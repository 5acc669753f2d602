// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "dovetail/host_device.h"

namespace dovetail {

/// Points a block of a pass: threads, CUDA blocks and ranks own whole blocks, and a sum is the aligned binary tree over
/// block sums, so its bits do not depend on who adds.
inline constexpr std::uint32_t block_points = 1024;

/// Blocks that hold `points` points.
DOVETAIL_HD constexpr std::uint32_t block_count(std::uint32_t points) {
  return (points + block_points - 1) / block_points;
}

/// How a state stands.
enum class Status : int { running, converged, schedule_finished, max_iterations, no_correspondences, degenerate };

/// Whose points a pass goes over.
enum class Side : int { source, target };

/// What every method is, seen from a machine:
///
///     state --pass over the data--> sums --advance--> next state
///
/// `State` holds what `advance` reads, and which problem and level the next pass looks at. `Sums` is a handful of
/// doubles, added up over all points. `Params` stays the same during a run. `advance` is pure, small, and runs where
/// the data is. A machine provides the pass; nothing here knows of machines. A pass goes over the points of one `side`,
/// and where the method `keeps_arrays` it has one float for each point of either side, which last from pass to pass.
template <class M>
concept Method = requires(const typename M::Params& params, const typename M::State& state,
                          const typename M::Sums& sums, const std::uint32_t* histogram) {
  { M::advance(params, state, sums, histogram) } -> std::same_as<typename M::State>;
  { M::finished(state) } -> std::same_as<bool>;
  { state.problem } -> std::convertible_to<std::uint32_t>;
  { state.level } -> std::convertible_to<std::uint32_t>;
  { M::side(state) } -> std::same_as<Side>;
  { M::histogram_bins } -> std::convertible_to<int>;
  { M::keeps_arrays(params) } -> std::same_as<bool>;
}
&&std::is_trivially_copyable_v<typename M::State>&& std::is_trivially_copyable_v<typename M::Params>&&
        std::is_standard_layout_v<typename M::Sums> &&
    (sizeof(typename M::Sums) % sizeof(double) == 0);

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
