// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/lzf.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace dovetail::io {
namespace {

constexpr std::size_t furthest_back = 1 << 13;
constexpr std::size_t longest_match = 264;
constexpr std::size_t longest_literal = 32;
constexpr int hash_bits = 16;

std::size_t hash_of_three(const char* at) {
  std::uint32_t three = 0;
  std::memcpy(&three, at, 3);
  return (three * 2654435761u) >> (32 - hash_bits);
}

void put_literals(std::string& packed, std::string_view literals) {
  while (!literals.empty()) {
    const std::size_t count = std::min(literals.size(), longest_literal);
    packed += static_cast<char>(count - 1);
    packed += literals.substr(0, count);
    literals.remove_prefix(count);
  }
}

void put_match(std::string& packed, std::size_t back, std::size_t length) {
  const std::size_t offset = back - 1, code = length - 2;
  if (code < 7) {
    packed += static_cast<char>(code << 5 | offset >> 8);
  } else {
    packed += static_cast<char>(7u << 5 | offset >> 8);
    packed += static_cast<char>(code - 7);
  }
  packed += static_cast<char>(offset & 0xff);
}

}  // namespace

std::string lzf_compress(std::string_view bytes) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> last_seen(std::size_t{1} << hash_bits, none);
  std::string packed;
  packed.reserve(bytes.size() / 2 + 64);
  std::size_t literal_begin = 0, at = 0;
  while (at + 3 <= bytes.size()) {
    std::size_t& seen = last_seen[hash_of_three(bytes.data() + at)];
    const std::size_t candidate = seen;
    seen = at;
    if (candidate == none || at - candidate > furthest_back ||
        std::memcmp(bytes.data() + candidate, bytes.data() + at, 3) != 0) {
      ++at;
      continue;
    }
    const std::size_t most = std::min(longest_match, bytes.size() - at);
    std::size_t length = 3;
    while (length < most && bytes[candidate + length] == bytes[at + length]) ++length;
    put_literals(packed, bytes.substr(literal_begin, at - literal_begin));
    put_match(packed, at - candidate, length);
    // The bytes just covered may begin later matches.
    const std::size_t end = at + length;
    for (++at; at < end; ++at) {
      if (at + 3 <= bytes.size()) last_seen[hash_of_three(bytes.data() + at)] = at;
    }
    literal_begin = at;
  }
  put_literals(packed, bytes.substr(literal_begin));
  return packed;
}

bool lzf_decompress(std::string_view packed, std::span<char> bytes) {
  std::size_t from = 0, to = 0;
  const auto next = [&] { return static_cast<std::size_t>(static_cast<unsigned char>(packed[from++])); };
  while (from < packed.size()) {
    const std::size_t control = next();
    if (control < longest_literal) {
      const std::size_t count = control + 1;
      if (count > packed.size() - from || count > bytes.size() - to) return false;
      std::memcpy(bytes.data() + to, packed.data() + from, count);
      from += count;
      to += count;
      continue;
    }
    std::size_t length = control >> 5;
    if (packed.size() - from < (length == 7 ? 2u : 1u)) return false;
    if (length == 7) length += next();
    length += 2;
    const std::size_t back = ((control & 0x1f) << 8 | next()) + 1;
    if (back > to || length > bytes.size() - to) return false;
    // Byte by byte: a match may reach into what it is writing.
    for (std::size_t i = 0; i < length; ++i, ++to) bytes[to] = bytes[to - back];
  }
  return to == bytes.size();
}

}  // namespace dovetail::io
