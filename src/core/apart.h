// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/host_device.h"

/// Marks what GPU code shall have once, out of the way of the rest: seldom taken or called from several places. A
/// single thread mostly waits for its instructions, so the way it takes has to be short in memory.
#if defined(__CUDACC__)
#define DOVETAIL_APART __host__ __device__ __noinline__
#else
#define DOVETAIL_APART
#endif

/// Before a loop: GPU code shall have its body once.
#if defined(__CUDA_ARCH__)
#define DOVETAIL_ROLLED _Pragma("unroll 1")
#else
#define DOVETAIL_ROLLED
#endif
