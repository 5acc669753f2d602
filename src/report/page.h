// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

namespace dovetail::report {

/// The page as it was built from report/, without data; empty where it was not built.
std::string_view page();

}  // namespace dovetail::report
