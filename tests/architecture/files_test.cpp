// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "architecture/source_files.h"

// What every file of the project has in common.

namespace dovetail {
namespace {

using test::source_files;
using test::SourceFile;

TEST(Files, AreFound) {
  EXPECT_GT(source_files("src").size(), 50u);
  EXPECT_GT(source_files("include").size(), 10u);
  EXPECT_GT(source_files("tests").size(), 20u);
}

TEST(Files, SayTheirLicence) {
  for (const char* folder : {"include", "src", "apps", "python", "tests", "bench", "examples", "tools"}) {
    for (const SourceFile& file : source_files(folder)) {
      ASSERT_GE(file.lines.size(), 2u) << file.path << " is empty";
      EXPECT_EQ(file.lines[0], "// SPDX-License-Identifier: MIT") << file.path;
      EXPECT_EQ(file.lines[1], "// Part of Dovetail.") << file.path;
    }
  }
}

TEST(Files, StaySmall) {
  for (const char* folder : {"include", "src", "apps", "python"}) {
    for (const SourceFile& file : source_files(folder)) EXPECT_LE(file.lines.size(), 400u) << file.path;
  }
}

TEST(Files, HaveOneCaseInTheirNames) {
  for (const char* folder : {"include", "src", "apps", "python", "tests"}) {
    for (const SourceFile& file : source_files(folder)) {
      const bool snake = std::all_of(file.path.begin(), file.path.end(), [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.';
      });
      EXPECT_TRUE(snake) << file.path;
    }
  }
}

TEST(Files, HeadersAreIncludedOnce) {
  for (const char* folder : {"include", "src", "apps", "python", "tests"}) {
    for (const SourceFile& file : source_files(folder)) {
      if (!file.path.ends_with(".h") && !file.path.ends_with(".cuh")) continue;
      // Highway includes a header once for every instruction set, with a guard of its own.
      const bool guarded = std::any_of(file.lines.begin(), file.lines.end(), [](const std::string& line) {
        return line == "#pragma once" || line.find("HWY_TARGET_TOGGLE") != std::string::npos;
      });
      EXPECT_TRUE(guarded) << file.path;
    }
  }
}

}  // namespace
}  // namespace dovetail
