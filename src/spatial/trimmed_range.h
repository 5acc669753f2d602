// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dovetail {

struct ValueRange {
  double low, high;
};

/// The range of the values without the `trimmed` smallest and the `trimmed` largest, of which at least one is left.
/// Reorders them.
template <class T>
ValueRange trimmed_range(std::vector<T>& values, std::size_t trimmed) {
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(trimmed);
  const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(trimmed);
  std::nth_element(values.begin(), low, values.end());
  const T low_value = *low;  // the next line moves it
  std::nth_element(low, high, values.end());
  return {double(low_value), double(*high)};
}

}  // namespace dovetail
