// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/number.h"

namespace dovetail::io {
namespace {

// Older Windows libraries print 1.#QNAN, -1.#IND and 1.#INF.
template <class T>
bool parse_windows_special(std::string_view word, T& value) {
  const std::size_t mark = word.find(".#");
  if (mark == std::string_view::npos) return false;
  const std::string_view kind = word.substr(mark + 2);
  if (kind.starts_with("QNAN") || kind.starts_with("SNAN") || kind.starts_with("IND")) {
    value = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  if (!kind.starts_with("INF")) return false;
  value = std::numeric_limits<T>::infinity();
  if (word.starts_with('-')) value = -value;
  return true;
}

// from_chars tells too large from too small only by the same error: the sign of the exponent decides, and without an
// exponent, whether a digit other than zero stands before the point.
template <class T>
T round_out_of_range(std::string_view word) {
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const std::size_t exponent = word.find_first_of("eE");
  const bool small = exponent != std::string_view::npos
                         ? word.substr(exponent + 1).starts_with('-')
                         : word.substr(0, word.find('.')).find_first_of("123456789") == std::string_view::npos;
  const T value = small ? T(0) : std::numeric_limits<T>::infinity();
  return negative ? -value : value;
}

template <class T>
bool parse(std::string_view word, T& value) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-')) return false;
  }
  const char* const end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, value);
  if (parsed.ptr == end && parsed.ec == std::errc()) return true;
  if (parsed.ptr == end && parsed.ec == std::errc::result_out_of_range) {
    value = round_out_of_range<T>(word);
    return true;
  }
  return parse_windows_special(word, value);
}

}  // namespace

bool parse_real(std::string_view word, float& value) { return parse(word, value); }
bool parse_real(std::string_view word, double& value) { return parse(word, value); }

}  // namespace dovetail::io
