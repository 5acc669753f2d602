// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/cases.h"

#include <algorithm>

#include "dovetail/error.h"
#include "find/sets.h"

namespace dovetail::bench::find {

const std::vector<CaseSet>& case_sets() {
  static const std::vector<CaseSet> sets = {{"clutter", 200, clutter},
                                            {"clutter_absent", 100, clutter_absent},
                                            {"clutter_built_in", 200, clutter_built_in},
                                            {"clutter_built_in_absent", 100, clutter_built_in_absent},
                                            {"thesis", 10, laid_table},
                                            {"rooms", 60, rooms},
                                            {"rooms_as_scanned", 60, rooms_as_scanned},
                                            {"views", 80, views},
                                            {"milk_start", 50, milk_with_start},
                                            {"milk_find", 50, milk_anywhere}};
  return sets;
}

Case make_case(const std::string& set, std::uint64_t index, std::uint64_t seed) {
  const auto& sets = case_sets();
  const auto at = std::find_if(sets.begin(), sets.end(), [&](const CaseSet& s) { return set == s.name; });
  if (at == sets.end()) {
    std::string names;
    for (const CaseSet& s : sets) names += (names.empty() ? "" : ", ") + std::string(s.name);
    throw InvalidArgument("set " + set + ": allowed are " + names);
  }
  Case c = at->make(index, seed);
  c.set = set, c.index = index, c.seed = seed;
  return c;
}

}  // namespace dovetail::bench::find
