// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_results.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "dovetail/error.h"

// A FileError is a good answer; rows must be sound.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dovetail;
  try {
    for (const io::BopEstimate& row : io::read_bop_results("fuzz", {reinterpret_cast<const char*>(data), size})) {
      bool sound = row.object >= 0 && row.image.scene >= 0 && row.image.image >= 0 && std::isfinite(row.score) &&
                   std::isfinite(row.seconds) && row.line > 0;
      for (int i = 0; i < 9; ++i) sound = sound && std::fabs(row.camera_from_object.rotation[i]) < 1.01;
      for (int i = 0; i < 3; ++i) sound = sound && std::isfinite(row.camera_from_object.translation[i]);
      if (!sound) std::abort();
    }
  } catch (const FileError&) {
  }
  return 0;
}
