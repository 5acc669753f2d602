// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

namespace dovetail::bench {

/// Bytes of the current GPU's memory that are taken now; 0 in a build without CUDA. What a machine takes for a problem
/// and its loop it keeps, so that after a run this is the run's peak.
#ifdef DOVETAIL_BENCH_CUDA
std::size_t device_memory_used();
#else
inline std::size_t device_memory_used() { return 0; }
#endif

}  // namespace dovetail::bench
