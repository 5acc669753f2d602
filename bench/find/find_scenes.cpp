// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "find/cases.h"
#include "find/methods.h"
#include "find/run_case.h"
#include "harness.h"

// Runs a method on scenes whose right answer is known and writes a line of JSON for each: what tools/find_summary
// reads.

namespace dovetail::bench::find {
namespace {

constexpr const char* usage =
    "usage: find_scenes --set SET [--method M] [--out FILE.jsonl] [--runs N] [--first K] [--index K] [--seed S]\n"
    "                   [--machine cpu|cuda] [--threads T] [--save DIR]\n"
    "  --method   none (the default: what is there, and no answers), icp, em_icp, em_icp_refined\n"
    "  --runs N   so many cases; as many as the set usually has\n"
    "  --first K  the first case's number, 0\n"
    "  --index K  case K alone, as it is among all others\n"
    "  --threads  of the method, 1; cases run one after another\n"
    "  --save DIR scene and objects of each case as PLY, with the truth as JSON\n";

struct Options {
  std::string set, method = "none", out, save;
  std::uint64_t runs = 0, first = 0, seed = 1;
  Machine machine = Machine::cpu;
  int threads = 1;
};

Options parse(int argc, char** argv) {
  NamedArguments given(argc, argv, usage);
  Options o;
  given.take("set", o.set), given.take("method", o.method), given.take("out", o.out), given.take("save", o.save);
  for (const CaseSet& set : case_sets()) {
    if (o.set == set.name) o.runs = set.usual_count;
  }
  given.take("runs", o.runs), given.take("first", o.first), given.take("seed", o.seed);
  if (given.take("index", o.first)) o.runs = 1;
  given.take("machine", o.machine);
  std::uint64_t threads = 1;
  given.take("threads", threads);
  o.threads = static_cast<int>(threads);
  given.refuse_others();
  return o;
}

}  // namespace

int run(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const FindObjects method = method_named(o.method);
  const ThreadLimit limit(std::max(1, o.threads));
  std::ofstream file;
  if (!o.out.empty()) file.open(o.out);
  std::ostream& lines = o.out.empty() ? std::cout : file;
  if (o.runs == 0) make_case(o.set, 0, o.seed);  // says which sets there are
  for (std::uint64_t i = o.first; i < o.first + o.runs; ++i) {
    const Case the_case = make_case(o.set, i, o.seed);
    if (!o.save.empty()) save_case(the_case, o.save);
    lines << run_case(the_case, o.method, method, o.machine, o.threads).dump() << std::endl;
  }
  return lines ? 0 : 1;
}

}  // namespace dovetail::bench::find

int main(int argc, char** argv) {
  try {
    return dovetail::bench::find::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "find_scenes: %s\n", e.what());
    return 1;
  }
}
