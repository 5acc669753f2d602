// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dovetail::test {

using PeerPoints = std::vector<std::array<double, 3>>;

/// What another library reads from the file; nothing when it does not read it.
std::optional<PeerPoints> read_with_pcl(const std::string& file);
std::optional<PeerPoints> read_with_open3d(const std::string& file);

}  // namespace dovetail::test
