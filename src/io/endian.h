// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

namespace dovetail::io {

/// The number of type T whose bytes lie at `from`, in the given byte order and at any alignment.
template <class T>
T load(const char* from, std::endian order = std::endian::little) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// Stores `value` at `to` in the given byte order, at any alignment.
template <class T>
void store(char* to, T value, std::endian order = std::endian::little) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  std::memcpy(to, bytes.data(), sizeof(T));
}

/// Appends the bytes of `value` in the given byte order.
template <class T>
void append(std::string& bytes, T value, std::endian order = std::endian::little) {
  char stored[sizeof(T)];
  store(stored, value, order);
  bytes.append(stored, sizeof(T));
}

}  // namespace dovetail::io
