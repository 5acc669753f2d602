// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "api/option_table.h"
#include "dovetail/error.h"

namespace dovetail {
namespace {

constexpr OptionRow<FindParts> rows[] = {
    {"best", &FindParts::best, zero_or(1, 1e6, "1 to 1000000, or 0 for all"), "the most parts that are returned"},
    {"min_confidence", &FindParts::min_confidence, from_to(0.001, 0.999, "0.001 to 0.999"),
     "parts that are less likely than this are doubtful"},
    {"starts", &FindParts::starts, zero_or(1, 1e6, "1 to 1000000, or 0 for all"),
     "places of the image where a search begins, nearest to the camera first"},
    {"refined", &FindParts::refined, from_to(1, 65536, "1 to 65536"),
     "references of each place that are refined, the most promising"},
    {"rounds", &FindParts::rounds, from_to(1, 100, "1 to 100"),
     "what one round leaves unexplained is searched again, at most so often"},
    {"doubtful", &FindParts::doubtful, from_to(0, 1e6, "0 to 1000000"),
     "parts that are told of those that are not likely enough"},
    {"time_limit_ms", &FindParts::time_limit_ms, zero_or_more, "the search ends then with what it has; 0: no limit"},
    {"rough", &FindParts::rough, any, "by which error rough poses are found"},
    {"machine", &FindParts::machine, any, "where poses are looked for and refined"},
    {"device", &FindParts::device, from_to(0, 1023, "0 to 1023"), "which GPU, where there are several"},
};

}  // namespace

template <>
std::span<const OptionRow<FindParts>> option_rows<FindParts>() {
  return rows;
}

FindParts find_parts_preset(std::string_view name) {
  if (name != "paper") throw InvalidArgument(fmt::format("preset '{}': there is no such one; allowed: paper", name));
  FindParts options;
  options.best = 1;
  options.starts = 3;
  options.refined = 1;
  options.rounds = 1;
  options.rough = RoughErrors::paper;
  return options;
}

}  // namespace dovetail
