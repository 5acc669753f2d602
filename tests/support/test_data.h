// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dovetail::test {

/// The folder with the real test data: DOVETAIL_DATA, else shared/data beside the project; empty when neither is there.
inline std::filesystem::path data_folder() {
  if (const char* set = std::getenv("DOVETAIL_DATA")) return set;
  const std::filesystem::path beside = std::filesystem::path(DOVETAIL_SOURCE_DIR).parent_path() / "shared" / "data";
  return std::filesystem::exists(beside) ? beside : std::filesystem::path();
}

}  // namespace dovetail::test

/// Skips the test, saying why, where the real data is absent.
#define DOVETAIL_NEEDS_DATA()                                                                   \
  if (dovetail::test::data_folder().empty()) {                                                  \
    GTEST_SKIP() << "real test data not found: set DOVETAIL_DATA, or put it in ../shared/data"; \
  }                                                                                             \
  static_assert(true, "")
