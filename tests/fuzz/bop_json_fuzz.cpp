// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dovetail/error.h"
#include "io/bop_objects.h"
#include "io/bop_scene.h"
#include "io/bop_targets.h"

namespace {

using namespace dovetail;

void require(bool sound) {
  if (!sound) std::abort();
}

/// The first letter names the reader. A FileError is a good answer; what is read must be sound.
void read(char kind, std::string_view bytes) {
  if (kind == 'o') {
    for (const auto& [id, object] : io::read_bop_objects("fuzz", bytes)) {
      require(id >= 0 && object.diameter > 0);
      for (const io::BopAxis& axis : object.continuous) require(std::fabs(norm(axis.direction) - 1) < 1e-6);
    }
  } else if (kind == 'c') {
    for (const auto& [id, camera] : io::read_bop_cameras("fuzz", bytes)) require(id >= 0 && camera.depth_scale > 0);
  } else if (kind == 'g') {
    for (const auto& [id, truths] : io::read_bop_truths("fuzz", bytes)) {
      for (const io::BopTruth& truth : truths) require(id >= 0 && truth.object >= 0);
    }
  } else if (kind == 'v') {
    std::map<int, std::vector<io::BopTruth>> truths{{0, std::vector<io::BopTruth>(2)}, {1, {}}};
    io::add_bop_visibility("fuzz", bytes, truths);
    require(std::isfinite(truths[0][1].visible_share));
  } else if (kind == 't') {
    for (const io::BopTarget& target : io::read_bop_targets("fuzz", bytes)) require(target.count > 0);
  } else if (kind == 'i') {
    for (const io::BopImageId& image : io::read_bop_target_images("fuzz", bytes)) require(image.scene >= 0);
  } else {
    require(io::read_bop_image_size("fuzz", bytes).width > 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(static_cast<char>(data[0]), {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const FileError&) {
  }
  return 0;
}
