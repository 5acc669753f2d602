// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

namespace dovetail {

/// Unit vectors, one array a coordinate, wherever their memory lies; null where there are none, zero where unknown.
struct NormalsView {
  const float *x = nullptr, *y = nullptr, *z = nullptr;
};

/// Points in local coordinates, one array a coordinate, wherever their memory lies.
struct CloudView {
  const float *x = nullptr, *y = nullptr, *z = nullptr;
  NormalsView normal;
  const float* weight = nullptr;  ///< null: all 1
  std::uint32_t count = 0;
};

}  // namespace dovetail
