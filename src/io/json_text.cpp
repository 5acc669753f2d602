// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "dovetail/error.h"

namespace dovetail::io {

Json parse_json(std::string_view file, std::string_view bytes) {
  try {
    return Json::parse(bytes);
  } catch (const Json::parse_error& error) {
    const std::string_view before = bytes.substr(0, std::min(error.byte, bytes.size()));
    // nlohmann's own name and number of the error come first; what follows them is for people.
    std::string what = error.what();
    if (const std::size_t at = what.find("parse error"); at != std::string::npos) what.erase(0, at);
    throw FileError(
        fmt::format("{}: line {}: no JSON: {}", file, 1 + std::count(before.begin(), before.end(), '\n'), what));
  } catch (const Json::exception& error) {  // a number beyond what a double holds
    throw FileError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace dovetail::io
