// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dovetail/error.h"
#include "dovetail/pose_database.h"
#include "io/endian.h"
#include "io/field_layout.h"

namespace {

using namespace dovetail;

/// Makes the size and the checksums right, or fuzzing would never get past them.
void mend(std::string& bytes) {
  constexpr std::size_t head = 64, alignment = 64;
  if (bytes.size() < head) return;
  const std::size_t text = io::load<std::uint32_t>(&bytes[12]);
  io::store(&bytes[16], std::uint64_t{bytes.size()});
  if (text > bytes.size() - head) return;
  io::store(&bytes[24], io::field_checksum(std::string_view(bytes).substr(head, text)));
  const std::size_t arrays = (head + text + alignment - 1) / alignment * alignment;
  if (arrays > bytes.size()) return;
  io::store(&bytes[32], io::field_checksum(std::string_view(bytes).substr(arrays)));
}

void require(bool sound) {
  if (!sound) std::abort();
}

/// All that was taken can be read.
void look_at(const PoseReferences& part) {
  const auto size = static_cast<std::size_t>(part.image_size);
  require(!part.references.empty() && part.pixels.size() == part.references.size() * size * size);
  double sum = 0;
  for (std::size_t i = 0; i < part.references.size(); ++i) {
    for (const ReferencePixel pixel : part.image(i)) {
      if (pixel.depth != 0) sum += part.depth(pixel);
    }
    const PoseReference& r = part.references[i];
    require(r.left + r.width <= part.image_size && r.top + r.height <= part.image_size);
  }
  for (const auto& triangle : part.triangles) {
    for (const std::uint32_t corner : triangle) {
      require(corner < part.vertices.size());
      sum += static_cast<double>(part.vertices[corner][0]);
    }
  }
  require(!std::isnan(sum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  // The first byte says whether what follows is taken as it is.
  if (!bytes.empty()) {
    const bool as_it_is = bytes[0] == 'x';
    bytes.erase(0, 1);
    if (!as_it_is) mend(bytes);
  }
  try {
    const PoseDatabase database = PoseDatabase::read("fuzz", bytes);
    require(!database.parts().empty());
    for (const PoseReferences& part : database.parts()) look_at(part);
  } catch (const FileError&) {
  }
  return 0;
}
