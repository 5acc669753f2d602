// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "dovetail/error.h"
#include "io/resting.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dovetail;
  try {
    const RestingPoses poses = io::parse_resting_poses("fuzz", {reinterpret_cast<const char*>(data), size});
    for (const RestingBin& bin : poses.bins) {
      for (const RestingPart& part : bin.parts) {
        const Mat3& r = part.scene_from_part.rotation;
        const bool turned = std::fabs(norm(r * Vec3{1, 0, 0}) - 1) < 1e-9;
        if (part.part >= poses.parts.size() || !turned) std::abort();
      }
    }
  } catch (const FileError&) {
  }
  return 0;
}
