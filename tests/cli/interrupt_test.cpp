// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

TEST(Interrupt, gives_the_result_so_far) {
  const Folder folder;
  write_points(folder / "target.ply", hills());
  write_points(folder / "source.ply", small_motion().inverse() * hills());
  // The reference machine compares all with all, and this many starts take it minutes.
  const Outcome done = run_program(
      folder,
      {"register", "icp", "source.ply", "target.ply", "--machine", "reference", "--starts", "2000", "--json", "-"},
      true);
  ASSERT_TRUE(done.exit_code == 0 || done.exit_code == 1) << done.exit_code << done.err;
  const nlohmann::json json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["termination"], "stopped_by_callback");
  EXPECT_EQ(json["usable"], done.exit_code == 0);
}

}  // namespace
}  // namespace dovetail::test
