// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "dovetail/report.h"
#include "report/made_runs.h"

// How large a page may become: 8 MB by default, 13 MB a million points where all are asked for.

namespace dovetail::test {
namespace {

using Json = nlohmann::json;

class ReportCaps : public testing::Test {
 protected:
  void SetUp() override {
    if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
    target_.points = scattered(500'000, 2, true);
    for (int i = 0; i < 12; ++i) result_["alternatives"].push_back(result_json(Transform::identity(Model::rigid3)));
    Json row = {{"iteration", 0}, {"rmse", 0.123456789012345}, {"target_from_source", result_["target_from_source"]}};
    for (int i = 0; i < 200; ++i) result_["trace"].push_back(row);
  }
  std::size_t shown(const std::string& html) const {
    std::size_t sum = 0;
    const PageContent page = content_of(html);
    for (const Json& cloud : page.data["runs"][0]["clouds"]) sum += cloud["points"]["count"].get<std::size_t>();
    return sum;
  }

  PointCloud source_ = scattered(500'000, 1, true);
  Reference target_;
  Json result_ = result_json(Transform::identity(Model::rigid3));
};

TEST_F(ReportCaps, of_a_million_points_half_are_shown_by_default) {
  const std::string html = page_of(result_, source_, target_);
  EXPECT_LE(html.size(), 8'000'000u);
  EXPECT_EQ(shown(html), 500'000u);
}

TEST_F(ReportCaps, all_of_a_million_take_thirteen_megabytes_at_most) {
  ReportOptions options;
  options.points = ReportOptions::all;
  const std::string html = page_of(result_, source_, target_, options);
  EXPECT_LE(html.size(), 13'000'000u);
  EXPECT_EQ(shown(html), 1'000'000u);
}

TEST_F(ReportCaps, as_many_are_shown_as_are_asked_for) {
  ReportOptions options;
  options.points = 1000;
  EXPECT_EQ(shown(page_of(result_, source_, target_, options)), 1000u);
}

TEST_F(ReportCaps, runs_share_the_points) {
  Report report({}, 4);
  for (int i = 0; i < 4; ++i) report.add(ReportedRegistration{"run", result_.dump(), &source_, &target_, {}});
  const std::string html = report.html();
  EXPECT_LE(html.size(), 8'000'000u);
  EXPECT_EQ(shown(html), 125'000u);
}

}  // namespace
}  // namespace dovetail::test
