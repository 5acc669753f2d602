// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/report.h"
#include "report/made_runs.h"

namespace dovetail::test {
namespace {

using Json = nlohmann::json;

/// Pages are made where Node.js was there when the library was built.
class ReportPage : public testing::Test {
 protected:
  void SetUp() override {
    if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  }
  const Transform identity_ = Transform::identity(Model::rigid3);
};

TEST(ReportBuild, says_what_is_missing) {
  if (report_available()) GTEST_SKIP() << "nothing is missing";
  try {
    check_report_available();
    FAIL();
  } catch (const MachineError& error) {
    EXPECT_NE(std::string(error.what()).find("Node.js"), std::string::npos);
  }
}

TEST_F(ReportPage, holds_points_where_they_are_and_how_far_they_miss) {
  PointCloud source;
  source.positions = {{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}, {10, 10, 10}};
  Reference target;
  target.points = source;
  Json result = result_json(Transform(Rigid3{Mat3::identity(), {0.1, 0, 0}}));  // off by the inlier distance
  result["options"]["origin_points"] = "keep";
  const PageContent page = content_of(page_of(result, source, target));
  const Json& run = page.data["runs"][0];
  ASSERT_EQ(run["clouds"].size(), 2u);
  const Json& cloud = run["clouds"][1];
  EXPECT_EQ(cloud["role"], "source");
  EXPECT_EQ(cloud["points"]["count"], 5);
  EXPECT_EQ(cloud["low"], (Json{0, 0, 0}));
  EXPECT_EQ(cloud["size"], (Json{10, 10, 10}));
  std::vector<bool> seen(5, false);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto packed = packed_point(page.bytes, cloud["points"]["at"].get<std::size_t>() + 8 * i);
    for (std::size_t k = 0; k < 5; ++k) {
      const Vec3& p = source.positions[k];
      if (packed[0] == p[0] * 6553.5 && packed[1] == p[1] * 6553.5 && packed[2] == p[2] * 6553.5) seen[k] = true;
    }
    EXPECT_EQ(packed[3] & 255, 127u) << "a quarter of the scale, which is four inlier distances";
  }
  for (const bool there : seen) EXPECT_TRUE(there);
  const Json& start = run["residuals"]["planes"][0];
  EXPECT_EQ(start["alternative"], -1);
  EXPECT_EQ(page.bytes[start["at"].get<std::size_t>()], 0) << "at the start it lies on the target";
}

TEST_F(ReportPage, is_the_same_bits_every_time) {
  const PointCloud source = scattered(3000, 1, true);
  Reference target;
  target.points = scattered(2000, 2);
  const Json result = result_json(identity_);
  EXPECT_EQ(page_of(result, source, target), page_of(result, source, target));
}

TEST_F(ReportPage, leaves_out_invalid_points_and_says_so) {
  PointCloud source = scattered(100, 1);
  source.positions[7][1] = std::numeric_limits<double>::quiet_NaN();
  source.positions[8] = {1e200, 0, 0};
  Reference target;
  target.points = scattered(100, 2);
  const Json cloud = content_of(page_of(result_json(identity_), source, target)).data["runs"][0]["clouds"][1];
  EXPECT_EQ(cloud["total"], 100);
  EXPECT_EQ(cloud["usable"], 98);
  EXPECT_EQ(cloud["points"]["count"], 98);
}

TEST_F(ReportPage, of_no_points_of_one_and_of_equal_ones_is_a_page_all_the_same) {
  for (const std::size_t count : {0u, 1u, 5u}) {
    PointCloud source;
    source.positions.assign(count, Vec3{1, 2, 3});
    Reference target;
    target.points = source;
    const PageContent page = content_of(page_of(result_json(identity_), source, target));
    EXPECT_EQ(page.data["runs"][0]["clouds"][1]["points"]["count"], count);
  }
}

TEST_F(ReportPage, draws_lines_of_a_map_and_measures_to_them) {
  PointCloud seen;
  seen.dimension = 2;
  seen.positions = {{5, 0.05, 0}, {5, 3, 0}};
  Reference map;
  map.points.dimension = 2;
  map.points.positions = {{0, 0, 0}, {10, 0, 0}, {10, 10, 0}};
  map.lines.add({0, 1, 2});
  Json result = result_json(Transform::identity(Model::rigid2));
  result["method"] = "chamfer";
  const PageContent page = content_of(page_of(result, seen, map));
  const Json& run = page.data["runs"][0];
  EXPECT_EQ(run["dimension"], 2);
  EXPECT_EQ(run["clouds"][0]["lines"]["count"], 4);
  EXPECT_EQ(run["clouds"][0]["points"]["count"], 0);
  std::vector<std::uint32_t> residuals;
  for (std::size_t i = 0; i < 2; ++i) {
    residuals.push_back(packed_point(page.bytes, run["clouds"][1]["points"]["at"].get<std::size_t>() + 8 * i)[3] & 255);
  }
  std::sort(residuals.begin(), residuals.end());
  EXPECT_NEAR(residuals[0], 254 * std::sqrt(0.05 / 0.4), 1);
  EXPECT_EQ(residuals[1], 254u);
}

TEST_F(ReportPage, has_strings_as_text_that_ends_and_begins_nothing) {
  const std::string evil = "</script><script>alert(1)</script><!--\xe2\x80\xa8\xe2\x80\xae\"'&\xff";
  Json result = result_json(identity_);
  result["message"] = "</script><!-- \u2028";
  Report report;
  report.add(ReportedRegistration{evil, result.dump(), nullptr, nullptr, {evil}});
  Report plain;
  plain.add(ReportedRegistration{"name", result_json(identity_).dump(), nullptr, nullptr, {}});
  const std::string html = report.html(), other = plain.html();
  const auto count = [](const std::string& text, std::string_view word) {
    std::size_t times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
    return times;
  };
  for (const char* word : {"<script", "</script", "<!--", "alert(1)</"})
    EXPECT_EQ(count(html, word), count(other, word)) << word;
  const std::size_t data = html.find("id=\"report-data\">");
  for (std::size_t i = data; i < html.find("</script>", data); ++i) EXPECT_LT(static_cast<unsigned char>(html[i]), 128);
  const Json run = content_of(html).data["runs"][0];
  EXPECT_TRUE(run["name"].get<std::string>().starts_with("</script><script>alert(1)</script><!--"));
  EXPECT_EQ(run["result"]["message"], result["message"]);
}

TEST_F(ReportPage, refuses_what_is_no_result) {
  const auto refusal = [&](const std::string& json) -> std::string {
    Report report;
    try {
      report.add(ReportedRegistration{"run.json", json, nullptr, nullptr, {}});
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  Json result = result_json(identity_);
  EXPECT_EQ(refusal(result.dump()), "");
  EXPECT_NE(refusal("{").find("run.json: is no JSON"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("object was expected"), std::string::npos);
  EXPECT_NE(refusal("{}").find("\"schema\" is missing"), std::string::npos);
  result["target_from_source"] = Json::array({1, 2});
  EXPECT_NE(refusal(result.dump()).find("target_from_source"), std::string::npos);
  result["schema"] = "dovetail.registration/2";
  EXPECT_NE(refusal(result.dump()).find("dovetail.registration/2, dovetail.registration/1 was expected"),
            std::string::npos);
  Report report;
  EXPECT_THROW(report.add(ReportedSearch{"found.json", R"({"schema":"dovetail.found/1"})", nullptr, {}, {}}),
               InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
