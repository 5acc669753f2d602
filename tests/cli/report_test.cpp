// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

/// Reports that the program writes. What they look like in a browser: report/tests.
class ReportCommand : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "a.ply", small_motion().inverse() * hills());
    write_points(folder_ / "b.ply", hills());
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  bool holds(const std::string& page, const std::string& text) const {
    return read_text(folder_ / page).find(text) != std::string::npos;
  }

  Folder folder_;
};

TEST_F(ReportCommand, where_the_page_is_not_built_in_that_is_said_before_any_work) {
  if (report_available()) GTEST_SKIP() << "it is built in";
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report", "run.html"}), 3, {"report", "Node.js"});
}

TEST_F(ReportCommand, every_command_with_a_result_writes_one) {
  if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  for (const char* method : {"icp", "em-icp", "softassign"}) {
    const Outcome done = run({"register", method, "a.ply", "b.ply", "--report", "run.html", "--json", "run.json"});
    ASSERT_LE(done.exit_code, 1) << done.err;
    EXPECT_TRUE(holds("run.html", "\"source_file\":\"a.ply\"")) << method;
  }
  ASSERT_EQ(run({"evaluate", "run.json", "a.ply", "b.ply", "--report", "evaluated.html"}).exit_code, 0);
  EXPECT_TRUE(holds("evaluated.html", "\"method\":\"evaluate\""));
  const Streets made = streets();
  write_text(folder_ / "roads.geojson", made.geojson);
  write_points(folder_ / "seen.csv", made.seen);
  ASSERT_EQ(
      run({"register", "chamfer", "seen.csv", "roads.geojson", "--report", "map.html", "--json", "map.json"}).exit_code,
      0);
  EXPECT_TRUE(holds("map.html", "\"dimension\":2"));
  ASSERT_EQ(run({"field", "build", "roads.geojson", "--out", "roads.field"}).exit_code, 0);
  ASSERT_EQ(run({"register", "chamfer", "seen.csv", "roads.field", "--report", "field.html"}).exit_code, 0);
  EXPECT_TRUE(holds("field.html", "\"role\":\"target\""));
  const Outcome all = run({"report", "run.json", "map.json", "--out", "all.html"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, "all.html: 2 runs\n");
  EXPECT_TRUE(holds("all.html", "roads.geojson"));
}

TEST_F(ReportCommand, a_stored_result_gives_the_page_that_its_run_gave) {
  if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  ASSERT_EQ(run({"register", "icp", "a.ply", "b.ply", "--report", "run.html", "--json", "run.json"}).exit_code, 0);
  ASSERT_EQ(run({"report", "run.json", "--out", "again.html"}).exit_code, 0);
  EXPECT_EQ(read_text(folder_ / "again.html"), read_text(folder_ / "run.html"));
}

TEST_F(ReportCommand, files_that_are_gone_are_a_note) {
  if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  ASSERT_EQ(run({"register", "icp", "a.ply", "b.ply", "--json", "run.json"}).exit_code, 0);
  std::filesystem::remove(folder_ / "a.ply");
  write_text(folder_ / "b.ply", "no points");
  EXPECT_EQ(run({"report", "run.json", "--out", "run.html"}).exit_code, 0);
  EXPECT_TRUE(holds("run.html", "The source, a.ply, is not there any more"));
  EXPECT_TRUE(holds("run.html", "Not drawn: b.ply"));
}

TEST_F(ReportCommand, what_cannot_be_done_is_refused_in_words) {
  if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report", "run.ply"}), 2,
                 {"--report", "run.ply", ".html"});
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report", "no/run.html"}), 3, {"no/run.html", "folder"});
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report", "x.html", "--json", "x.html"}), 2,
                 {"x.html", "both"});
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report-points", "9"}), 2,
                 {"--report-points", "--report"});
  expect_refusal(run({"register", "icp", "a.ply", "b.ply", "--report", "x.html", "--report-points", "none"}), 2,
                 {"'none'", "'all'"});
  write_text(folder_ / "old.json", R"({"schema": "dovetail.registration/0"})");
  expect_refusal(run({"report", "old.json", "--out", "x.html"}), 3,
                 {"old.json", "dovetail.registration/0", "dovetail.registration/1"});
  write_text(folder_ / "pose.json", R"({"T": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})");
  expect_refusal(run({"report", "pose.json", "--out", "x.html"}), 3, {"pose.json", "schema"});
  write_text(folder_ / "cut.json", R"({"schema": "dovetail.reg)");
  expect_refusal(run({"report", "cut.json", "--out", "x.html"}), 3, {"cut.json", "no JSON"});
  write_text(folder_ / "empty.json", R"({"schema": "dovetail.registration/1"})");
  expect_refusal(run({"report", "empty.json", "--out", "x.html"}), 3, {"empty.json", "target_from_source"});
  expect_refusal(run({"report", "missing.json", "--out", "x.html"}), 3, {"missing.json"});
  EXPECT_EQ(folder_.files(),
            (std::vector<std::string>{"a.ply", "b.ply", "cut.json", "empty.json", "old.json", "pose.json"}));
}

}  // namespace
}  // namespace dovetail::test
