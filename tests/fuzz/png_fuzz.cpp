// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <string>

#include "fuzz_reader.h"

namespace {

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// Gives every chunk the checksum it should have, or no change would get past the first.
void mend_checksums(std::string& bytes) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  mend_checksums(bytes);
  // A kilobyte can hold a million white pixels and more: true, but too many points for a test.
  if (size >= 24 && std::uint64_t{big_endian(bytes, 16)} * big_endian(bytes, 20) > 1'000'000) return 0;
  return dovetail::fuzz::read_reference(dovetail::io::read_png, bytes);
}
