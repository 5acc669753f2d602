// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/host_device.h"

namespace dovetail {

// Every search, and the brute-force reference, must round a squared distance in the same way, or equal distances would
// not tie. The host is compiled without contraction; on the device the intrinsics keep nvcc from fusing.

DOVETAIL_HD inline float rounded_square(float a) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, a);
#else
  return a * a;
#endif
}

DOVETAIL_HD inline float rounded_sum(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(__fadd_rn(a, b), c);
#else
  return (a + b) + c;
#endif
}

DOVETAIL_HD inline float squared_distance(float dx, float dy, float dz) {
  return rounded_sum(rounded_square(dx), rounded_square(dy), rounded_square(dz));
}

}  // namespace dovetail
