// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dovetail::fuzz {

inline std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// Gives every chunk of a PNG file the checksum it should have, or no change would get past the first.
inline void mend_checksums(std::string& bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::uint64_t end = at + 8 + std::uint64_t{big_endian(bytes, at)};
    if (end + 4 > bytes.size()) return;
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = at + 4; i < end; ++i) {
      crc ^= static_cast<std::uint8_t>(bytes[i]);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<char>(~crc >> (24 - 8 * i));
    at = end + 4;
  }
}

}  // namespace dovetail::fuzz
