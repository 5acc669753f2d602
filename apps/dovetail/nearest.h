// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dovetail::app {

/// Which of the words was probably meant; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "; did you mean icp?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace dovetail::app
