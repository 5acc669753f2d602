// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include "dovetail/error.h"

namespace dovetail::app {

std::vector<double> read_weights(const std::filesystem::path& file, std::size_t points, const std::string& source) {
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
    if (!std::isfinite(weight) || weight < 0) {
      throw FileError(fmt::format("{}: line {}: {} is no weight; 0 or more is allowed", file.string(), number, weight));
    }
    weights.push_back(weight);
  }
  if (in.bad() || weights.empty()) throw FileError(file.string() + ": holds no weights");
  if (weights.size() != points) {
    throw FileError(fmt::format("{}: {} weights for the {} points of {}; one each is needed", file.string(),
                                weights.size(), points, source));
  }
  if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; })) {
    throw FileError(file.string() + ": all weights are 0; at least one must be positive");
  }
  return weights;
}

}  // namespace dovetail::app
