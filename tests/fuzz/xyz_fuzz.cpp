// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include "fuzz_reader.h"

namespace {

/// What a reference asks of a text before it is read.
void ask_for_degrees(std::string_view bytes) {
  try {
    dovetail::io::holds_degrees("fuzz", bytes);
  } catch (const dovetail::FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  dovetail::io::is_xyz(bytes);
  ask_for_degrees(bytes);
  return dovetail::fuzz::read(dovetail::io::read_xyz, data, size);
}
