// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include "fuzz_reader.h"
#include "png_checksums.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dovetail::fuzz;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  mend_checksums(bytes);
  // A kilobyte can hold a million white pixels and more: true, but too many points for a test.
  if (size >= 24 && std::uint64_t{big_endian(bytes, 16)} * big_endian(bytes, 20) > 1'000'000) return 0;
  return read_reference(dovetail::io::read_png, bytes);
}
