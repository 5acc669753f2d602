// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/data_folder.h"

#include <cstdlib>

namespace dovetail::bench {

std::filesystem::path data_folder() {
  if (const char* set = std::getenv("DOVETAIL_DATA")) return set;
  const std::filesystem::path beside = std::filesystem::path(DOVETAIL_SOURCE_DIR).parent_path() / "shared" / "data";
  return std::filesystem::exists(beside) ? beside : std::filesystem::path();
}

}  // namespace dovetail::bench
