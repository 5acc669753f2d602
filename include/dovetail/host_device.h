// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

/// Marks a function that runs on the host and, when compiled by nvcc, on a GPU as well.
#if defined(__CUDACC__)
#define DOVETAIL_HD __host__ __device__
#else
#define DOVETAIL_HD
#endif
