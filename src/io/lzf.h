// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dovetail::io {

/// The compression of binary_compressed PCD files. A stream is a row of pieces:
///   000LLLLL                      L + 1 literal bytes follow
///   LLLooooo oooooooo             L + 2 bytes again from o + 1 bytes back, L of 1 to 6
///   111ooooo LLLLLLLL oooooooo    L + 9 bytes again from o + 1 bytes back
std::string lzf_compress(std::string_view bytes);

/// Unpacks into `bytes`; false unless the stream is sound and fills it exactly.
bool lzf_decompress(std::string_view packed, std::span<char> bytes);

/// No sound stream of `packed` bytes unpacks to more than this: three bytes make 264 at most.
constexpr std::size_t lzf_most_unpacked(std::size_t packed) { return packed * 88; }

}  // namespace dovetail::io
