// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include "fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dovetail::fuzz::read_reference(dovetail::io::read_geojson, {reinterpret_cast<const char*>(data), size});
}
