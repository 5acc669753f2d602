// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

#include "methods/method.h"

namespace dovetail {

/// Adds block sums by the aligned binary tree over the block index, in place; the result is in `sums[0]`.
/// The order depends on the number of blocks alone: ranks that own aligned runs of blocks add the same way.
template <class Sums>
void tree_sum(Sums* sums, std::size_t count) {
  for (std::size_t stride = 1; stride < count; stride *= 2) {
    for (std::size_t i = 0; i + stride < count; i += 2 * stride) {
      double* into = as_doubles(sums[i]);
      const double* from = as_doubles(sums[i + stride]);
      for (int k = 0; k < doubles_in<Sums>; ++k) into[k] += from[k];
    }
  }
}

}  // namespace dovetail
