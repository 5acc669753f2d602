// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/made_runs.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "dovetail/registration.h"

namespace dovetail::test {
namespace {

/// What stands between two marks.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  EXPECT_NE(at, std::string::npos) << begin;
  const std::size_t first = at + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

std::string decoded(const std::string& base64) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int known = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    if ((known += 6) >= 8) bytes += static_cast<char>(bits >> (known -= 8) & 255);
  }
  return bytes;
}

}  // namespace

PointCloud scattered(std::size_t count, std::uint64_t seed, bool coloured) {
  PointCloud cloud;
  RandomStream random(seed, 0);
  for (std::size_t i = 0; i < count; ++i) {
    cloud.positions.push_back({random.uniform(-1, 3), random.uniform(10, 11), random.uniform(0, 0.5)});
    if (!coloured) continue;
    const std::uint32_t bits = random.next();
    cloud.colors.push_back({static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                            static_cast<std::uint8_t>(bits >> 16), 255});
  }
  return cloud;
}

nlohmann::json result_json(const Transform& target_from_source) {
  Registration result;
  result.method = "icp";
  result.target_from_source = target_from_source;
  result.inlier_distance = 0.1;
  return nlohmann::json::parse(to_json(result));
}

PageContent content_of(const std::string& html) {
  return {nlohmann::json::parse(between(html, "id=\"report-data\">", "</script>")),
          decoded(between(html, "id=\"report-points\">", "</script>"))};
}

std::string page_of(const nlohmann::json& result, const PointCloud& source, const Reference& target,
                    const ReportOptions& options) {
  Report report(options);
  report.add(ReportedRegistration{"run", result.dump(), &source, &target, {}});
  return report.html();
}

std::vector<std::uint32_t> packed_point(const std::string& bytes, std::size_t at) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t k = 0; k < 4; ++k) {
    numbers.push_back(static_cast<std::uint8_t>(bytes[at + 2 * k]) +
                      256u * static_cast<std::uint8_t>(bytes[at + 2 * k + 1]));
  }
  return numbers;
}

}  // namespace dovetail::test
