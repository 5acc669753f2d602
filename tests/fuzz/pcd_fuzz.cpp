// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include "fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dovetail::fuzz::read(dovetail::io::read_pcd, data, size);
}
