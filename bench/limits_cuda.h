// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

namespace dovetail::bench {

struct Arguments;

/// Prints what the GPU can do at best. Does nothing in a build without CUDA.
#ifdef DOVETAIL_BENCH_CUDA
void cuda_limits(const Arguments& arguments);
#else
inline void cuda_limits(const Arguments&) {}
#endif

}  // namespace dovetail::bench
