// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "dovetail/error.h"

namespace dovetail::app {

/// Numbers separated by commas; `form` tells what was expected. Throws InvalidArgument that names the flag.
template <std::size_t N>
std::array<double, N> numbers_of(const char* flag, const std::string& text, const char* form) {
  std::array<double, N> numbers{};
  const char* at = text.c_str();
  for (std::size_t i = 0; i < N; ++i) {
    char* end = nullptr;
    numbers[i] = std::strtod(at, &end);
    const bool last = i + 1 == N;
    if (end == at || *end != (last ? '\0' : ',')) {
      throw InvalidArgument(fmt::format("{}: '{}' is not {}", flag, text, form));
    }
    at = end + 1;
  }
  return numbers;
}

}  // namespace dovetail::app
