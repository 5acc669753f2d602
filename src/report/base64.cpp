// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/base64.h"

#include <cstdint>

namespace dovetail::report {

void append_base64(std::string& text, std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  text.reserve(text.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < left ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
}

}  // namespace dovetail::report
