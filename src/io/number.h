// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace dovetail::io {

/// Reads a whole word as a real number, whatever the locale. Accepts a leading plus, nan and inf in the spellings C and
/// Windows libraries print. Values beyond the type round to infinity or zero, as IEEE 754 does.
bool parse_real(std::string_view word, float& value);
bool parse_real(std::string_view word, double& value);

/// Reads a whole word as a number of type T. Where T is an integer, "7.0" and "7e0" are taken as 7, and a value beyond
/// T is refused.
template <class T>
bool parse_number(std::string_view word, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return parse_real(word, value);
  } else {
    const char* const end = word.data() + word.size();
    const char* const first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto parsed = std::from_chars(first, end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end) return true;
    double real = 0;
    if (!parse_real(word, real) || real != std::trunc(real)) return false;
    // Both bounds are exact in double: the lower is a power of two or zero, the upper one is the first value beyond T.
    const double beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(real >= static_cast<double>(std::numeric_limits<T>::min()) && real < beyond)) return false;
    value = static_cast<T>(real);
    return true;
  }
}

/// Appends the shortest decimal that reads back as exactly `value`, whatever the locale.
template <class T>
void append_number(std::string& text, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {  // to_chars would give NaNs a sign
      text += "nan";
      return;
    }
  }
  char digits[40];
  const auto printed = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, printed.ptr);
}

}  // namespace dovetail::io
