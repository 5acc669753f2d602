// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dovetail/report.h"

namespace dovetail::test {

/// Points all over a box, with colours if asked for.
PointCloud scattered(std::size_t count, std::uint64_t seed, bool coloured = false);

/// The JSON of a registration that was never run, with that pose.
nlohmann::json result_json(const Transform& target_from_source);

/// What a page holds: its data and the bytes of its points.
struct PageContent {
  nlohmann::json data;
  std::string bytes;
};
PageContent content_of(const std::string& html);

/// The page of one registration.
std::string page_of(const nlohmann::json& result, const PointCloud& source, const Reference& target,
                    const ReportOptions& options = {});

/// The four numbers of a point in the bytes: x, y, z as 16 bits, and the residual and colour.
std::vector<std::uint32_t> packed_point(const std::string& bytes, std::size_t at);

}  // namespace dovetail::test
