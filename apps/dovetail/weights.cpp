// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "weights.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <string>

#include "dovetail/error.h"

namespace dovetail::app {

std::vector<double> read_weights(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw FileError(file.string() + ": cannot be opened");
  std::vector<double> weights;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const std::size_t last = line.find_last_not_of(" \t\r") + 1;
    double weight = 0;
    const auto [end, error] = std::from_chars(line.data() + first, line.data() + last, weight);
    if (error != std::errc() || end != line.data() + last) {
      throw FileError(fmt::format("{}: line {}: '{}' is not one number", file.string(), number,
                                  line.substr(first, std::min<std::size_t>(last - first, 40))));
    }
    weights.push_back(weight);
  }
  if (in.bad() || weights.empty()) throw FileError(file.string() + ": holds no weights");
  return weights;
}

}  // namespace dovetail::app
