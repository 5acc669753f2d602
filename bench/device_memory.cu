// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "device_memory.h"

#include <cuda_runtime.h>

namespace dovetail::bench {

std::size_t device_memory_used() {
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? total - free : 0;
}

}  // namespace dovetail::bench
