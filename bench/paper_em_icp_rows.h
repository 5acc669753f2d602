// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

// The work on single entries of A, which is not BLAS: plain loops over a row that the compiler turns into vectors. In a
// file of their own because they are compiled with looser rules for floats than the code that others share.

namespace dovetail::bench {

/// row[j] = 2^(|x_j - at|^2 * scale), `scale` being -log2(e) / sigma^2; 0 below 2^-125.
void paper_fill_row(const float* x, const float* y, const float* z, std::size_t count, const float* at, float scale,
                    float* row);
/// row[j] = sqrt(row[j] * inverse_sum).
void paper_root_row(float inverse_sum, std::size_t count, float* row);

}  // namespace dovetail::bench
