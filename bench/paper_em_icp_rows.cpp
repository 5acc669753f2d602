// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "paper_em_icp_rows.h"

#include <bit>
#include <cmath>
#include <cstdint>

// Each loop is compiled for several vector widths, as BLAS is, and the widest one that runs here is taken.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define DOVETAIL_BENCH_VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DOVETAIL_BENCH_VECTORS
#endif

namespace dovetail::bench {

DOVETAIL_BENCH_VECTORS
void paper_fill_row(const float* __restrict x, const float* __restrict y, const float* __restrict z, std::size_t count,
                    const float* at, float scale, float* __restrict row) {
  constexpr float least = -125.0f;  // denormals begin below
  // Adding it rounds to a whole number, which is then in the low bits.
  constexpr float rounder = 12582912.0f;
  const float ax = at[0], ay = at[1], az = at[2];
  for (std::size_t j = 0; j < count; ++j) {
    const float dx = x[j] - ax, dy = y[j] - ay, dz = z[j] - az;
    const float wanted = (dx * dx + dy * dy + dz * dz) * scale;
    const float exponent = wanted > least ? wanted : least;
    // 2^n 2^f with |f| <= 1/2, by the series of 2^f up to f^6: 1.5e-7 of the value. With the C library's vector
    // exp the loop takes twice as long.
    const float shifted = exponent + rounder, f = exponent - (shifted - rounder);
    float power = 1.5403530e-4f;
    power = power * f + 1.3333558e-3f;
    power = power * f + 9.6181291e-3f;
    power = power * f + 5.5504109e-2f;
    power = power * f + 2.4022651e-1f;
    power = power * f + 6.9314718e-1f;
    power = power * f + 1.0f;
    const float e =
        std::bit_cast<float>(std::bit_cast<std::uint32_t>(power) + (std::bit_cast<std::uint32_t>(shifted) << 23));
    row[j] = wanted > least ? e : 0.0f;
  }
}

DOVETAIL_BENCH_VECTORS
void paper_root_row(float inverse_sum, std::size_t count, float* __restrict row) {
  for (std::size_t j = 0; j < count; ++j) row[j] = std::sqrt(row[j] * inverse_sum);
}

}  // namespace dovetail::bench
